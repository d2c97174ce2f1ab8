"""`boxroom perfect`: its moves and their descriptions."""

import re

import pytest
from tests.cases import each

from boxroom_client.main import main
from boxroom_engine.games.registry import make_game


def lines(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """Return the printed lines without the boards."""
    assert main(["perfect", *arguments]) == 0
    out = capsys.readouterr().out
    return [line for line in out.splitlines() if re.match(r"\d+\. |[A-Z]\w+ .*\.$", line)]


def test_noughts_and_crosses_comes_to_a_draw(capsys: pytest.CaptureFixture[str]) -> None:
    *moves, result = lines(capsys, "noughts")
    assert len(moves) == 9
    assert moves[0] == "1. Player 1 plays 0: 0."
    assert all(move.endswith(": 0.") for move in moves)
    assert result == "Nobody wins, it is a draw."


def test_all_positions_are_shown_from_the_first_to_the_last(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["perfect", "noughts"]) == 0
    boards = re.split(r"\d+\. .*\n", capsys.readouterr().out)
    assert [len(re.findall(r"\b[xo]\b", board)) for board in boards] == list(range(10))


def test_the_best_move_is_played_to_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    """From the worksheet's position, in which a nought wins at once."""
    assert lines(capsys, "noughts", "--position", "1..0..1../1/-")[-1] == "Player 2 wins."
    assert lines(capsys, "noughts", "--position", "11.00..../0/-", "--to-move", "2") == [
        "5. Player 2 plays 2: +1.",
        "Player 2 wins.",
    ]
    assert lines(capsys, "noughts", "--moves", "0 3 1 4") == [
        "5. Player 1 plays 2: +1.",
        "Player 1 wins.",
    ]


WORKSHEET = ["         ", "o        ", "o   x    ", "oo  x    ", "oox x    ", "oox x o  "]
WORKSHEET += ["ooxxx o  ", "ooxxxoo  ", "ooxxxoox ", "ooxxxooxo"]
"""The positions of the worksheet's perfect game, in which o begins."""


def test_with_o_first_and_drawn_as_there_it_is_the_game_of_the_worksheet(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["perfect", "noughts", "--to-move", "o", "--worksheet"]) == 0
    *boards, result = capsys.readouterr().out.split("\n\n")
    drawn = ["\n".join("|".join(cells[at : at + 3]) for at in (0, 3, 6)) for cells in WORKSHEET]
    assert boards == drawn
    assert result == "Nobody wins, it is a draw.\n"


def test_in_dots_and_boxes_the_margin_to_come_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    *moves, result = lines(capsys, "--rows", "1", "--cols", "2")
    assert len(moves) == make_game("dots", {"rows": 1, "cols": 2}, 2).longest
    assert moves[0].endswith(": 0.")
    assert result == "Player 1 and player 2 win together with 1 box each."
    assert lines(capsys, "--rows", "1", "--cols", "1")[-1] == "Player 2 wins with 1 box."


def test_with_three_it_is_told_what_each_gets(capsys: pytest.CaptureFixture[str]) -> None:
    *moves, result = lines(capsys, "--rows", "1", "--cols", "1", "--players", "3")
    assert moves[-1] == "4. Player 1 plays v1: +1, 0 and 0."
    assert result == "Player 1 wins with 1 box."


def test_what_isnt_known_in_time_is_said_to_be_a_guess(
    capsys: pytest.CaptureFixture[str],
) -> None:
    moves = lines(capsys, "--rows", "4", "--cols", "4", "--time", "0.02")
    assert moves[0].endswith(", as far as could be seen in time.")
    assert "as far as" not in moves[-2]


@each(
    "arguments, code, words",
    [
        (["noughts", "--moves", "0 0"], 2, "move 2 of --moves can't be played"),
        (["--worksheet"], 2, "--worksheet is for noughts and crosses 3×3 with two players"),
        (["noughts", "--time", "-1"], 2, "--time is a number of seconds above 0"),
        (["noughts", "--moves", "0 3 1 4 2"], 1, "the game is over"),
        (["noughts", "--time", "0.000001"], 1, "too little time to find any move"),
    ],
)
def test_mistakes_are_told(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, words: str
) -> None:
    assert main(["perfect", *arguments]) == code
    assert words in capsys.readouterr().err
