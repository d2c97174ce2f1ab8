"""An evening in a German terminal: no screen shows an English word, but for names and commands."""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import pytest
from tests.e2e.piped import boxroom
from tests.e2e.serving import ServerProcess
from tests.e2e.terminal import CTRL_C, Terminal

from boxroom_client.shell.input.commands import BY_NAME
from boxroom_client.shell.room_settings import option_names
from boxroom_common.phrases import ENGLISH, table, translator
from boxroom_engine.bots.registry import BOTS
from boxroom_engine.games.registry import DEFAULT, KINDS
from boxroom_engine.phrases import Phrase, Value

GERMAN = "de"
DOWN, F1, F6, F7 = "\x1b[B", "\x1bOP", "\x1b[17~", "\x1b[18~"
ESCAPE, PAGE_DOWN = "\x1b", "\x1b[6~"
LINES = ("h0", "h1", "h2", "h3", "v0", "v1", "v2")
ROOM = "home"
"""Name of the private room of a game at this computer."""
CODE = re.compile(r"\b[a-z]{4}-[a-z]{4}\b")
"""Code of a room, two random syllables and two more, which may be a word."""


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def german(key: str, /, **values: Value) -> str:
    return translator(GERMAN)(Phrase(key, values))


def words(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]{4,}", text.lower()))


def words_of(language: str) -> set[str]:
    """Return the words of all texts of a language, without the names of places."""
    texts = " ".join(text for entry in table(language).values() for text in forms(entry))
    return words(re.sub(r"\{\w+(:\w+)?\}", "", texts))


def forms(entry: str | Mapping[str, str]) -> Iterator[str]:
    yield from [entry] if isinstance(entry, str) else entry.values()


def names() -> Iterator[str]:
    """Yield what people type in every language, and names."""
    yield from (*BY_NAME, *BOTS, *KINDS, *option_names(DEFAULT.name), ROOM)
    for option in DEFAULT.options:
        yield from option.choices


ENGLISH_ONLY = words_of(ENGLISH) - words_of(GERMAN) - words(" ".join(names()))


def shows_german(terminal: Terminal) -> None:
    for line in terminal.text.split("\n"):
        found = words(CODE.sub("", line))
        assert found & ENGLISH_ONLY == set(), f"{line!r} in\n{terminal.text}"


def test_words_tell_the_languages_apart() -> None:
    assert len(ENGLISH_ONLY) > 500
    assert {"line", "lines", "move", "player", "your", "takes"} <= ENGLISH_ONLY


def test_an_evening_is_german() -> None:
    with in_german("play", "--name", "Ada") as ada:
        ada.wait_for(german("terminal.form.game_here"))
        for key in (DOWN, "1", DOWN, "2", DOWN, DOWN, DOWN):
            shows_german(ada)
            ada.press(key)
        ada.press("\r")
        ada.wait_for(german("terminal.bar.your_turn", name="Ada"))
        shows_german(ada)
        ask_for_help(ada)
        type_much(ada)
        play_to_the_end(ada)
        ada.press(F7)
        ends = german("advice.explain"), german("review_none_mine")
        ada.wait_until(lambda: any(end in ada.text for end in ends), "reviewed")
        shows_german(ada)
        ada.type("/quit")
        ada.wait_for(german("terminal.ask.leave"))
        shows_german(ada)
        ada.type("j")
        assert ada.wait_for_end() == 0


def in_german(*arguments: str) -> Terminal:
    environ = {"LANG": "de_DE.UTF-8"}
    return Terminal(*arguments, columns=100, lines=30, environ=environ)


def test_line_mode_is_german() -> None:
    with in_german("play", "--plain", "--rows", "1", "--cols", "2", "--local", "Ada", "Bob") as ada:
        ada.wait_for(german("your_turn_as", name="Ada"))
        type_much(ada)
        for move in LINES:
            ada.type(move)
        ada.wait_for(german("advice.rematch"))
        shows_german(ada)


def test_a_room_for_others_is_german(server: ServerProcess) -> None:
    with in_german("join", server.address, "--name", "Ada") as ada:
        ada.wait_for(german("terminal.lobby.no_rooms"))
        shows_german(ada)
        ada.press("n")
        ada.wait_for(german("terminal.form.new_room"))
        for _ in range(9):
            shows_german(ada)
            ada.press(DOWN)
        ada.press("\r")
        ada.wait_for(german("terminal.bar.waiting"))
        shows_german(ada)
        ada.type("/bot easy")
        ada.wait_for(german("advice.start"))
        shows_german(ada)
        ada.press(F6)
        ada.wait_for(f"F6 {german('terminal.footer.next_game')}")
        ada.press(F6)
        ada.wait_for(german("terminal.form.next_game"))
        shows_german(ada)
        ada.press(ESCAPE)
        ada.type("/qr")
        ada.wait_for(german("invitation.page_here", page="").strip()[:28])
        shows_german(ada)
        ada.type("/rooms")
        ada.wait_for(f"({german('here')})")
        shows_german(ada)
        ada.press(CTRL_C)
        ada.wait_for(german("terminal.display.interrupt"))
        shows_german(ada)


def test_a_replay_is_german() -> None:
    record = "dots rows=1 cols=1 border=none | Ada, Bob | h0 v0 h1 v1"
    with Terminal("replay", record, "--language", "de", columns=100, lines=30) as replay:
        replay.wait_for(german("terminal.replay.move", number=0, last=4))
        for key in (" ", "g", ESCAPE, F1):
            shows_german(replay)
            replay.press(key)
        replay.wait_for(german("terminal.help_page.replay_mouse")[:40])
        shows_german(replay)


def test_played_games_are_replayed_in_german_and_analysed_in_english() -> None:
    boxroom("play", "--name", "Ada", "--rows", "1", "--cols", "2", typed="\n".join(LINES * 2))
    with Terminal("menu", "--language", "de", columns=100, lines=30) as ada:
        ada.wait_for(german("terminal.menu.history"))
        shows_german(ada)
        ada.press("4")
        ada.wait_for(german("terminal.menu.games_played"))
        shows_german(ada)
        ada.press("1")
        ada.wait_for(german("terminal.menu.analyse"))
        shows_german(ada)
        ada.press("1")
        ada.wait_for(german("terminal.replay.move", number=0, last=7))
        shows_german(ada)
        ada.press("q")
        ada.wait_for(german("terminal.menu.games_played"))
        ada.press("1")
        ada.wait_for(german("terminal.menu.analyse"))
        ada.press("2")
        ada.wait_for(german("terminal.menu.enter_goes_back"))
        # The emulator, which has no alternate screen, keeps the keys of the menu.
        lines = [line for line in ada.text.splitlines() if "↑↓" not in line]
        analysis = "\n".join(lines).replace(german("terminal.menu.enter_goes_back"), "")
        assert words(analysis) & ENGLISH_ONLY
        assert words(analysis) & (words_of(GERMAN) - words_of(ENGLISH)) == set()
        ada.press("\r")
        ada.wait_for(german("terminal.menu.games_played"))


def ask_for_help(ada: Terminal) -> None:
    """Press F1, and read all pages of the help."""
    ada.press(F1)
    ada.wait_for(german("terminal.help_page.close", key="F1"))
    while german("terminal.keyboard.page_down") in ada.text.split("\n")[-1]:
        shows_german(ada)
        ada.press(PAGE_DOWN)
        ada.wait_until(partial(shows_another_page, ada, ada.text), "another page")
    shows_german(ada)
    ada.press(F1)
    ada.wait_until_gone(german("terminal.help_page.close", key="F1"))


def shows_another_page(ada: Terminal, page: str) -> bool:
    return ada.text != page


def type_much(ada: Terminal) -> None:
    """Type chat, commands and what is refused."""
    for typed, answer in (
        ("oh!", german("terminal.typed.no_reader")),
        ("/help bot", german("terminal.help_page.example", example="/bot easy")),
        ("/xyzzy", german("terminal.typed.unknown", name="xyzzy").partition(":")[0]),
        ("/bot", german("terminal.typed.which_bot")),
        ("/settings", german("settings.of_host", name="Ada").partition(",")[0]),
        ("/explain", german("terminal.glossary.one").partition(" ")[0]),
        ("/undo", german("refusal.nothing_to_undo").partition(" ")[2][:20]),
        ("/hint", german("event.hint_asked", name="Ada")),
        ("h99", german("move.dots.out_of_range", move="h99", board="1×2", range="")[:30]),
    ):
        ada.type(typed)
        ada.wait_for(answer)
        shows_german(ada)


def play_to_the_end(ada: Terminal) -> None:
    """Type the first free line at each turn."""
    turn = german("terminal.bar.your_turn", name="Ada")
    while german("terminal.bar.over", result="") not in ada.text:
        move = next(filter(ada.on_board, LINES), None)
        if turn in ada.text and move is not None:
            ada.type(move)
            ada.wait_until(partial(is_drawn, ada, move), f"{move} drawn")
            shows_german(ada)
        ada.read_more()
    shows_german(ada)


def is_drawn(ada: Terminal, move: str) -> bool:
    return ada.on_board(move) is None
