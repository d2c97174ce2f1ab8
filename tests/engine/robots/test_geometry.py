"""Conversion of positions into boards for robots, and of lines into moves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.games.dots import Border, Dots, Position, grid_of
from boxroom_engine.games.errors import OptionError
from boxroom_engine.robots import get_all_lines, getboxes
from boxroom_engine.robots.geometry import board_of, box_of, line_of, move_of


@st.composite
def positions(draw: st.DrawFn) -> Position:
    size = draw(st.integers(1, 4))
    border = draw(st.sampled_from([b for b in Border if size > 1 or b is not Border.FULL]))
    position = Dots(size, size, border, 2).initial()
    for _ in range(draw(st.integers(0, 2 * size * (size + 1)))):
        if position.is_over:
            break
        position = position.play(draw(st.sampled_from(position.legal_moves())))
    return position


def test_the_smallest_board() -> None:
    grid = grid_of(1, 1, Border.NONE)
    lines = {grid.names[move]: line_of(grid, move) for move in grid.moves}
    assert lines == {"h0": (0, 1, 1, 1), "h1": (0, 0, 1, 0), "v0": (0, 0, 0, 1), "v1": (1, 0, 1, 1)}


@given(st.integers(1, 6))
def test_lines_are_the_edges_by_another_name(size: int) -> None:
    grid = grid_of(size, size, Border.NONE)
    lines = [line_of(grid, move) for move in grid.moves]
    assert sorted(lines) == sorted(get_all_lines(size))
    assert [move_of(grid, line) for line in lines] == list(grid.moves)


@given(positions())
def test_a_board_has_the_lines_and_boxes_of_the_position(position: Position) -> None:
    board, grid = board_of(position), position.game.grid
    assert sum(1 << move_of(grid, line) for line in board.lines) == position.edges
    owned = [board.red_boxes, board.blue_boxes]
    for boxes, members in zip(owned, position.boxes_of, strict=True):
        assert len(boxes) == members.bit_count()
        assert all(members >> box & 1 for box in range(grid.boxes) if box_of(grid, box) in boxes)
    assert sorted([*board.red_boxes, *board.blue_boxes]) == sorted(getboxes(board))


@each("game", [Dots(2, 3, Border.NONE, 2), Dots(2, 2, Border.NONE, 3)])
def test_boards_are_square_and_for_two(game: Dots) -> None:
    with pytest.raises(OptionError, match="one that takes a state"):
        board_of(game.initial())
