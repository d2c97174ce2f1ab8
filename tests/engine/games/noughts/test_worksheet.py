"""Boards in the text form of the worksheet, with its examples."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.games.errors import FormatError
from boxroom_engine.games.noughts.worksheet import format_cells, parse_cells, position_of
from boxroom_engine.games.protocol import Move, Seat

PRINTED = [" | | \n | | \n | | ", "o|x|x\n |x|o\no|x| ", "o|o|o\nx|x|x\n | | "]

SCORED = {
    " | | \n | | \n | | ": None,
    "o| |o\nx|x|x\n | | ": 1,
    "o|x|x\n |x|o\no|x| ": 1,
    "o|x|x\n |x|o\nx|o| ": 1,
    "o|x|x\n |x|o\no|o|o": -1,
    "o|x| \no|x| \no| |x": -1,
    " |x|o\n |o|x\no| |x": -1,
    "o|x|o\nx|x|o\no|o|x": 0,
}
"""Value of each board for x; None while the game goes on."""


@each("text", PRINTED)
def test_boards_read_as_they_are_printed(text: str) -> None:
    assert format_cells(parse_cells(text)) == text
    at_ends_cut = "\n".join(row.rstrip() for row in text.splitlines())
    assert parse_cells(at_ends_cut) == parse_cells(text)


@given(st.lists(st.sampled_from((None, Seat(0), Seat(1))), min_size=9, max_size=9))
def test_any_cells_read_as_they_are_written(cells: list[Seat | None]) -> None:
    assert parse_cells(format_cells(cells)) == tuple(cells)


@each("text, value", SCORED.items())
def test_the_ends_of_games_score_as_the_worksheet_says(text: str, value: int | None) -> None:
    position = position_of(parse_cells(text))
    assert position.is_over == (value is not None)
    assert position.evaluate(Seat(0)) == (value or 0)
    assert position.evaluate(Seat(1)) == -(value or 0)


def test_the_worksheets_game() -> None:
    shown = []
    position = position_of((None,) * 9)
    for row, col in (1, 1), (1, 2), (0, 2), (2, 0), (0, 1), (0, 0), (2, 1):
        position = position.play(position.game.parse_move(f"{row},{col}"))
        shown.append(format_cells(position.cells))
    assert shown[-1] == "o|x|x\n |x|o\no|x| "
    assert position.outcome is not None
    assert position.outcome.winners == (0,)


def test_the_seat_to_move_follows_from_the_marks_unless_given() -> None:
    cells = parse_cells("x| | \n |x|o\n | | ")
    assert position_of(cells).to_move == 1
    assert position_of(cells, Seat(0)).to_move == 0
    assert position_of(parse_cells("x| | \n | |o\n | | ")).to_move == 0
    assert Move(1) in position_of(cells).legal_moves()


@each("text", ["", "x|o", "x|o|x\n | | ", "x|o|y\n | | \n | | ", "x|o|xo\n||\n||"])
def test_what_is_no_board(text: str) -> None:
    with pytest.raises(FormatError, match="a board is three lines such as"):
        parse_cells(text)


def test_a_board_that_both_have_won_can_be_printed_but_not_played() -> None:
    with pytest.raises(FormatError, match="two seats have three in a row"):
        position_of(parse_cells(PRINTED[2]))
