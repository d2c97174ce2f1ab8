"""Boards: every step down and up by shifts leads where the places say."""

from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.games.draughts.board import SIZES, board_of


@each("size", SIZES)
def test_a_shift_is_a_step_and_none_leads_over_the_edge(size: int) -> None:
    board = board_of(size)
    number_at = {board.place(number): number for number in range(1, board.count + 1)}
    assert len(number_at) == size * size // 2
    left, right = board.down
    steps = {left: (-1, 1), right: (1, 1), -left: (1, -1), -right: (-1, -1)}
    for number in range(1, board.count + 1):
        x, y = board.place(number)
        for shift, (dx, dy) in steps.items():
            bit = board.bits[number - 1]
            moved = (bit << shift if shift > 0 else bit >> -shift) & board.all
            assert board.number.get(moved) == number_at.get((x + dx, y + dy))


def test_squares_are_numbered_from_the_top_left() -> None:
    board = board_of(10)
    assert [board.place(number) for number in (1, 5, 6, 46, 50)] == [
        (1, 0),
        (9, 0),
        (0, 1),
        (0, 9),
        (8, 9),
    ]


@given(st.sets(st.integers(1, 32)))
def test_sets_of_squares(numbers: set[int]) -> None:
    board = board_of(8)
    assert board.numbers(board.squares(sorted(numbers))) == sorted(numbers)


def test_lines_and_distances() -> None:
    board = board_of(8)
    assert board.are_in_line(4, 29)
    assert board.are_in_line(11, 15)
    assert not board.are_in_line(11, 14)
    assert not board.are_in_line(11, 11)
    assert board.distance(4, 29) == 7
