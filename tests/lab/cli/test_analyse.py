"""`boxroom analyse`: in words, as JSON, and as a picture."""

import json
from pathlib import Path

import pytest
from tests.cases import each
from tests.engine.games.dots.recorded_games import OF_THREE, SMALL

from boxroom_client.main import main


@pytest.fixture(autouse=True)
def _usual_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)


def test_a_game_is_told_with_its_graph(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", SMALL]) == 0
    assert capsys.readouterr().out == (
        "Dots and Boxes (rows 1, cols 2, border none): Ada and Bob\n"
        "The game is over: Ada 1, Bob 1.\n"
        "\n"
        "The moves that lost boxes, if both play best from there on:\n"
        "1  ● Ada  h0  −1  better: v1. After h0 Ada gets 0 more boxes, the other player\n"
        "                  2. After v1 Ada gets one more box, the other player 1.\n"
        "4  ■ Bob  h1  −1  leaves a box that could be taken; better: v1, which takes a\n"
        "                  box. After h1 Bob gets one more box, the other player 1. After\n"
        "                  v1 Bob gets 2 more boxes, the other player 0.\n"
        "\n"
        "● Ada lost 1 box in 4 judged moves, with h0 in move 1.\n"
        "■ Bob lost 1 box in 3 judged moves, with h1 in move 4.\n"
        "The game turned with move 4, h1 by Bob: best play by both led to Bob winning by\n"
        "  2 before, and to a draw after it.\n"
        "\n"
        "The lead at the end with best play, after each move:\n"
        "0 ┼────────\n"
        "1 │ ■■■\n"
        "2 │ ■■■\n"
        "   0\n"
        "■ Bob ahead\n"
    )


def test_every_move_in_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", SMALL, "--all", "--ascii"]) == 0
    shown = capsys.readouterr().out
    assert shown.isascii()
    assert "7  B Bob  v2   0  takes a box\n" in shown


def test_json_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", SMALL, "--json", "--time", "9"]) == 0
    game = json.loads(capsys.readouterr().out)
    assert (game["time_s"], game["interrupted"]) == (9.0, False)
    assert [move["lost"] for move in game["moves"]] == [2, 0, 0, 2, 0, 0, 0]


def test_the_graph_is_written_and_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", SMALL, "--graph", "game.SVG"]) == 0
    assert capsys.readouterr().out.endswith("\nThe graph is in game.SVG.\n")
    assert "<title>Dots and Boxes (rows 1, cols 2, border none): Ada and Bob</title>" in (
        tmp_path / "game.SVG"
    ).read_text(encoding="utf-8")
    assert main(["analyse", SMALL, "--graph", "game.SVG", "--json"]) == 0
    json.loads(capsys.readouterr().out)


@pytest.mark.usefixtures("no_kernel")
def test_where_the_slow_engine_is_in_use_that_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", SMALL]) == 0
    assert capsys.readouterr().err == (
        "The slow engine is in use. BOXROOM_COMPILER=none leaves it out. Unset BOXROOM_COMPILER.\n"
    )


def test_of_three_players_what_can_be_said_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", OF_THREE]) == 0
    assert "Among more than two players there is no best play" in capsys.readouterr().out


def test_other_games_are_analysed_by_search(capsys: pytest.CaptureFixture[str]) -> None:
    game = "noughts | Ada, Bob | 0 1 4 2 8"
    assert main(["analyse", game, "--time", "60"]) == 0
    shown = capsys.readouterr().out
    assert shown == (
        "Noughts and Crosses (dims 3,3, line 3): Ada and Bob\n"
        "What a player could expect before and after the moves that lost 5 % of a win or\n"
        "more, by a search of 60 s:\n"
        "2  o Bob  1  draw -> lost  better: 4\n"
        "\n"
        "x Ada lost nothing in 3 judged moves.\n"
        "o Bob lost 50 % of a win in 2 judged moves, with 1 in move 2.\n"
    )
    assert main(["analyse", game, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [move["lost"] for move in found["moves"]] == [0, 1, 0, 0, 0]
    assert (found["winners"], found["interrupted"]) == ([0], False)


@each("name, most_early", [("lesson", 30), ("game", 45)])
def test_the_moves_of_the_examples_are_judged(
    name: str, most_early: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """The example of two players has mistakes; of three players the end is judged."""
    path = Path(__file__).parents[3] / "docs" / "examples" / f"{name}.txt"
    assert main(["analyse", "--json", "--time", "0.5", str(path)]) == 0
    moves = json.loads(capsys.readouterr().out)["moves"]
    assert all(move["lost"] is not None for move in moves[most_early:])
    costly = [move["move"] for move in moves[most_early:] if move["lost"]]
    assert ("v10" in costly) == (name == "lesson")


def test_names_that_could_fool_a_terminal_are_cleaned(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", SMALL.replace("Ada, Bob", "%1B[31mAda, %E2%80%AE")]) == 0
    assert "[31mAda and ?" in capsys.readouterr().out.replace("\x1b", "ESCAPE")


@each(
    "arguments, code, why",
    [
        (["nowhere"], 1, "there is no file nowhere"),
        ([f"{SMALL} v2"], 1, "that isn't a game: token 8, v2"),
        (["noughts | A, B, C | 0 1"], 1, "can be analysed for two players, not for 3"),
        (["noughts | A, B | 0 1", "--graph", "a.svg"], 2, "Noughts and Crosses has none"),
        (["noughts | A, B | 0 0"], 1, "that isn't a game: token 2, 0"),
        ([SMALL, "--time", "0"], 2, "--time is a number of seconds above 0, up to 3600"),
        ([SMALL, "--time", "nan"], 2, "--time is a number of seconds above 0"),
        ([SMALL, "--graph", "game.png"], 2, "--graph ends in .svg, not '.png'"),
        ([SMALL, "--graph", "no/such/game.svg"], 1, "can't write no/such/game.svg"),
        ([SMALL, "--game", "2"], 2, "--game is 1 to 1, not 2"),
    ],
)
def test_what_cant_be_done_is_told(
    arguments: list[str], code: int, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyse", *arguments]) == code
    assert why in capsys.readouterr().err
