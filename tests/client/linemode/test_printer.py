"""The printer: wrapped lines, and boards with display options."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.client.fake_connection import LIMITS, small
from tests.engine.room.hosting import HostedRoom, playing

from boxroom_client.linemode.printer import Printer, wrapped
from boxroom_client.profile.config import SIZE, Setting
from boxroom_client.shell.input.intents import Resize, ShowNumbers
from boxroom_client.shell.output.painting import Canvas, Colours
from boxroom_client.text_width import text_width
from boxroom_common.qr_codes import dark_on_light, qr_lines
from boxroom_engine.games.drawing import Size
from boxroom_engine.games.protocol import Seat


def test_a_table_wraps_within_its_last_column() -> None:
    assert wrapped("  /bot KIND  Seats a bot in the first empty seat.", 40) == [
        "  /bot KIND  Seats a bot in the first",
        "             empty seat.",
    ]
    assert wrapped("  漢字  Seats a bot in the first empty seat.", 30) == [
        "  漢字  Seats a bot in the",
        "        first empty seat.",
    ]


@given(text=st.text(alphabet="ab 漢", max_size=200), columns=st.integers(20, 60))
def test_no_word_gets_lost_and_no_line_is_too_long(text: str, columns: int) -> None:
    lines = wrapped(text, columns)
    assert all(text_width(line) <= columns for line in lines)
    assert "".join(" ".join(lines).split()) == "".join(text.split())


def test_a_change_is_saved_and_it_is_told_why_one_isnt(capsys: pytest.CaptureFixture[str]) -> None:
    saved: list[tuple[str, object]] = []

    def save(setting: Setting[Any], value: object) -> str:
        saved.append((setting.name, value))
        return "Not for long." if setting is SIZE else ""

    printer = Printer(Canvas(), is_terminal=False, save=save)
    printer.adjust(ShowNumbers(None))
    assert capsys.readouterr().out == ""
    printer.adjust(Resize(Size.LARGE))
    assert capsys.readouterr().out == "Not for long.\n"
    assert saved == [("numbers", False), ("size", Size.LARGE)]


def test_the_board_changes_as_wished(capsys: pytest.CaptureFixture[str]) -> None:
    printer = Printer(Canvas(), is_terminal=False)
    room = playing(small(1, 1)).room
    printer.adjust(Resize(Size.LARGE))
    printer.board(room, Seat(0))
    assert " v0 " in capsys.readouterr().out
    printer.adjust(ShowNumbers(None))
    printer.board(room, Seat(0))
    assert "v0" not in capsys.readouterr().out
    printer.adjust(ShowNumbers(on=True))
    printer.board(room, Seat(0))
    assert "v0" in capsys.readouterr().out


def test_a_board_that_is_too_wide_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    Printer(Canvas(), is_terminal=True).board(playing(small(1, 60), limits=LIMITS).room, Seat(0))
    assert "This board is " in capsys.readouterr().out


def test_before_the_game_there_is_no_board(capsys: pytest.CaptureFixture[str]) -> None:
    Printer(Canvas(), is_terminal=True).board(HostedRoom().room, Seat(0))
    assert capsys.readouterr().out == ""


def test_in_ascii_nothing_else_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    printer = Printer(Canvas(ascii_only=True), is_terminal=False)
    printer.say(["5×5 “boxes” — Zoë…"])
    assert capsys.readouterr().out == '5x5 "boxes" - Zo?...\n'


# Links

LINK = "http://192.168.1.5:8765/#kiwa-tobe"


def printed_link(capsys: pytest.CaptureFixture[str], canvas: Canvas) -> str:
    """Return what a terminal shows below the link."""
    Printer(canvas, is_terminal=True).link(LINK)
    link, _, rest = capsys.readouterr().out.partition("\n")
    assert link == LINK
    return rest


def test_a_link_has_its_qr_code_below(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code = [f"{dark_on_light(line)}\n" for line in qr_lines(LINK)]
    monkeypatch.setenv("COLUMNS", str(len(qr_lines(LINK)[0])))
    assert printed_link(capsys, Canvas(colours=Colours.INDEXED)) == "".join(code)


@pytest.mark.parametrize(
    ("canvas", "columns", "sentence"),
    [
        (
            Canvas(colours=Colours.INDEXED),
            36,
            "needs 37 columns, and this terminal has 36.",
        ),
        (Canvas(), 80, "Its QR code needs a terminal with colours"),
        (Canvas(colours=Colours.INDEXED, ascii_only=True), 80, "more characters than ASCII."),
    ],
)
def test_or_a_sentence_why_not(
    canvas: Canvas,
    columns: int,
    sentence: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert sentence in " ".join(printed_link(capsys, canvas).split())
