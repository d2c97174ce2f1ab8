"""Notation of boards and moves; moves on 3×3 are tested with the game."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.games.errors import MalformedMove, MoveOutOfRange, OptionError
from boxroom_engine.games.noughts import notation
from boxroom_engine.games.noughts.board import Board, board_of
from boxroom_engine.games.noughts.notation import format_place, parse_dims, parse_move

CUBE, FLAT, ROW = board_of((3, 3, 3), 3), board_of((3, 5), 4), board_of((7,), 3)


@given(st.lists(st.integers(0, 9999), min_size=1).map(tuple))
def test_dimensions_read_as_they_are_written(dims: tuple[int, ...]) -> None:
    assert parse_dims(format_place(dims)) == dims


@each("text", ["", "3,", "3x3", "3, 3", "-3,3", "٣,٣", "99999"])
def test_no_dimensions(text: str) -> None:
    with pytest.raises(OptionError, match="dims is the cells in each dimension, such as 3,3 or"):
        parse_dims(text)


def test_cells_are_typed_by_number_or_by_place() -> None:
    for cell, place in enumerate(CUBE.places):
        for text in str(cell), format_place(place), " , ".join(map(str, place)):
            assert notation.looks_like_move(text)
            assert parse_move(CUBE, text) == cell


@each(
    "text, sentence",
    [
        ("27", "27 is not on a 3×3×3 board: cells are 0 to 26"),
        ("0,0,3", "0,0,3 is not on a 3×3×3 board: the last place is 2,2,2"),
        ("9" * 5000 + ",0,0", "999999999999999… is not on a 3×3×3 board: the last place is 2,2,2"),
    ],
)
def test_out_of_range(text: str, sentence: str) -> None:
    with pytest.raises(MoveOutOfRange) as caught:
        parse_move(CUBE, text)
    assert str(caught.value) == sentence


def test_a_flat_board_that_is_no_square() -> None:
    with pytest.raises(MoveOutOfRange, match="3,0 is not on a 3×5 board: the last place is 2,4"):
        parse_move(FLAT, "3,0")


@each(
    "board, text, right",
    [
        (CUBE, "1,2", "a cell, 0 to 26, or its place, such as 1,2,0"),
        (FLAT, "1,2,3", "a cell, 0 to 14, or its row and column, such as 1,3"),
        (ROW, "0,1", "a cell, 0 to 6"),
    ],
)
def test_malformed(board: Board, text: str, right: str) -> None:
    with pytest.raises(MalformedMove) as caught:
        parse_move(board, text)
    assert str(caught.value) == f"{text!r} is no move: type {right}"


def test_how_to_move() -> None:
    assert str(notation.how_to_move(CUBE)) == (
        "To mark a cell, type its number: 0 to 26, row by row and slice by slice. Its place, row"
        " and column last, does as well: 1,2,0 is cell 15."
    )
    assert str(notation.how_to_move(FLAT)) == (
        "To mark a cell, type its number: 0 to 14, row by row from the top left. Its row and"
        " column, counted from 0, do as well: 1,3 is cell 8."
    )
    said = notation.how_to_move(ROW)
    assert str(said) == "To mark a cell, type its number: 0 to 6, from the left."


def test_small_numbers_are_words() -> None:
    assert [notation.in_words(number) for number in (3, 10, 11)] == ["three", "ten", "11"]
