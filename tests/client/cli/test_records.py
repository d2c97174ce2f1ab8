"""`boxroom replay` and `boxroom draw`."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cases import each
from tests.client.screen.playing import a_terminal

from boxroom_client.main import main

GAME = "dots rows=1 cols=2 border=none | Ada, Bob | h0 h1 h2 h3 v0 v2 v1"


@pytest.fixture(autouse=True)
def _usual_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)


def test_the_end_of_a_game_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", GAME]) == 0
    assert capsys.readouterr().out == (
        "Dots and Boxes (rows 1, cols 2, border none)\n"
        "\n"
        "7. Ada takes 2 boxes (v1).\n"
        "\n"
        " •━━━━━•━━━━━•\n"
        " ┃  ●  ┃  ●  ┃\n"
        " •━━━━━•━━━━━•\n"
        "\n"
        "● Ada 2   ■ Bob 0\n"
        "Ada won with 2 boxes.\n"
        "  2  Ada\n"
        "  0  Bob\n"
    )


def test_a_position_on_the_way_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", GAME, "--to", "1", "--ascii"]) == 0
    assert capsys.readouterr().out == (
        "Dots and Boxes (rows 1, cols 2, border none)\n"
        "\n"
        "1. Ada plays h0.\n"
        "\n"
        " +-----+  h1 +\n"
        " v0    v1    v2\n"
        " +  h2 +  h3 +\n"
        "\n"
        "A Ada 0   B Bob 0\n"
    )


def test_in_a_terminal_one_goes_through_the_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("boxroom_client.cli.replay.has_screen", lambda args: not args.plain)
    with a_terminal() as terminal:
        terminal.type("lq")
        assert main(["replay", GAME, "--to", "5"]) == 0
        terminal.type("\x03")
        assert main(["replay", GAME]) == 130
    assert capsys.readouterr().out == ""
    assert main(["replay", GAME, "--plain", "--to", "1"]) == 0
    assert "1. Ada plays h0." in capsys.readouterr().out
    assert main(["replay", GAME, "--every"]) == 0
    assert "6. " in capsys.readouterr().out


def test_every_position_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", GAME, "--every"]) == 0
    shown = capsys.readouterr().out
    assert "The game begins. In order of play: Ada and Bob." in shown
    assert all(f"\n{number}. " in shown for number in range(1, 8))


def test_draughts_come_from_pdn_and_go_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pdn = '[Black "Ada"]\n[White "Bob"]\n[GameType "21"]\n[Result "1-0"]\n\n1. 11-15 23-19 1-0\n'
    (tmp_path / "game.pdn").write_text(pdn)
    assert main(["replay", "game.pdn"]) == 0
    assert "3. Ada gives up" in capsys.readouterr().out
    assert main(["replay", "game.pdn", "--pdn"]) == 0
    assert capsys.readouterr().out == pdn


def test_of_several_games_one_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "games.txt").write_text(f"{GAME}\n{GAME.replace('Ada', 'Cem')}\n")
    assert main(["replay", "games.txt", "--game", "2"]) == 0
    assert "Cem won with 2 boxes." in capsys.readouterr().out
    assert main(["replay", "games.txt"]) == 2
    assert "there are 2 games: name one, --game 1 to 2" in capsys.readouterr().err
    assert main(["replay", "games.txt", "--game", "3"]) == 2
    assert "--game is 1 to 2, not 3" in capsys.readouterr().err


def test_a_bad_game_is_named_and_hides_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.txt"
    path.write_text(f"hello\n{GAME}\n")
    assert main(["replay", "games.txt"]) == 0
    shown = capsys.readouterr()
    assert "Ada won" in shown.out
    assert "game 1 of 2 is skipped: games.txt, line 1: that isn't a game: a record" in shown.err
    path.write_text(f"{GAME}\n" * 2 + "hello\n" * 12)
    assert main(["replay", "games.txt"]) == 2
    shown = capsys.readouterr()
    assert "there are 14 games: name one, --game 1 to 14\n  game 3 of 14 is skipped" in shown.err
    assert "game 12 of 14 is skipped" in shown.err
    assert "and 2 more are skipped" in shown.err
    assert main(["replay", "games.txt", "--game", "2"]) == 0
    assert main(["replay", "games.txt", "--game", "3"]) == 1
    assert "boxroom: games.txt, line 3: that isn't a game: a record" in capsys.readouterr().err
    path.write_text("hello\n| b\n||||\n")
    assert main(["replay", "games.txt"]) == 1
    assert "none of the 3 games can be read:\n  game 1 of 3" in capsys.readouterr().err


@each(
    "arguments, code, why",
    [
        (["replay", GAME, "--game", "0"], 2, "--game is 1 to 1, not 0"),
        (["replay", GAME, "--to", "8"], 2, "--to is 0 to 7"),
        (["replay", "nowhere"], 1, "there is no file nowhere"),
        (["replay", GAME + " v1"], 1, "token 8, v1"),
        (["draw", GAME, "--out", "game.gif"], 2, "--out ends in .svg or .png, not '.gif'"),
        (["replay", GAME, "--pdn"], 1, "can't be written in PDN: PDN is for draughts, not for"),
        (["draw", GAME], 2, "--out"),
        (["draw", GAME, "--out", "no/such/game.svg"], 1, "can't write no/such/game.svg"),
    ],
)
def test_what_cant_be_done_is_told(
    arguments: list[str], code: int, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == code
    assert why in capsys.readouterr().err


def test_a_picture_shows_board_names_and_scores(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["draw", GAME, "--out", "game.SVG", "--to", "7"]) == 0
    assert capsys.readouterr().out == "game.SVG\n"
    svg = (tmp_path / "game.SVG").read_text()
    assert "Ada 2" in svg
    assert "Bob 0" in svg
    assert svg.count("●") == 3


def test_players_have_the_marks_that_are_on_the_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = "stonehenge size=1 | Ada, Bob | A"
    for ascii_only in [], ["--ascii"]:
        assert main(["replay", game, *ascii_only]) == 0
        assert "1 Ada 3   2 Bob 0" in capsys.readouterr().out
        assert main(["draw", game, "--out", "game.svg", *ascii_only]) == 0
        svg = (tmp_path / "game.svg").read_text()
        assert [svg.count(f">{mark}<") for mark in "12●■AB"] == [5, 1, 0, 0, 0, 1]


@pytest.fixture
def golden_folder() -> str:
    return "draw"


def test_a_strip_shows_the_whole_game(tmp_path: Path, golden: Callable[[str, str], None]) -> None:
    assert main(["draw", GAME, "--out", "game.svg", "--strip"]) == 0
    golden("strip", (tmp_path / "game.svg").read_text())


def test_a_strip_says_who_gave_up_and_ends_where_it_is_told(tmp_path: Path) -> None:
    game = "noughts dims=3,3 line=3 | Ada, Bob, Cem | 4 ~1 0"
    assert main(["draw", game, "--out", "game.svg", "--strip", "--to", "2"]) == 0
    svg = (tmp_path / "game.svg").read_text()
    assert [caption in svg for caption in (">start<", ">1. 4<", ">2. gives up<")] == [True] * 3
    assert ">3. 0<" not in svg
    assert "Bob 0 (out)" in svg


def test_the_same_picture_as_png(tmp_path: Path) -> None:
    assert main(["draw", GAME, "--out", "game.png"]) == 0
    assert (tmp_path / "game.png").read_bytes().startswith(b"\x89PNG\r\n")


def test_without_resvg_it_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert main(["draw", GAME, "--out", "game.png"]) == 1
    assert "pip install resvg-py" in capsys.readouterr().err
    assert not (tmp_path / "game.png").exists()
