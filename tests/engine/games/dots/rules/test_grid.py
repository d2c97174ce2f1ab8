"""A board's numbering and tables, against the formulas written out naively."""

import copy
import pickle

from hypothesis import given
from hypothesis import strategies as st

from boxroom_engine.games.dots.rules.grid import Border, Grid, grid_of, select

grids = st.builds(grid_of, st.integers(1, 7), st.integers(1, 7), st.sampled_from(Border))


def h(grid: Grid, row: int, col: int) -> int:
    return row * grid.cols + col


def v(grid: Grid, row: int, col: int) -> int:
    return (grid.rows + 1) * grid.cols + row * (grid.cols + 1) + col


def members(chosen: int) -> set[int]:
    return {n for n in range(chosen.bit_length()) if chosen >> n & 1}


def test_the_numbering_of_a_small_board() -> None:
    grid = grid_of(1, 2, Border.NONE)
    assert grid.names == ("h0", "h1", "h2", "h3", "v0", "v1", "v2")
    assert grid.edges_of == ((0, 2, 4, 5), (1, 3, 5, 6))
    assert [box for box, _ in grid.boxes_beside[5]] == [0, 1]
    assert [box for box, _ in grid.boxes_beside[6]] == [1]


@given(grids)
def test_counts(grid: Grid) -> None:
    assert grid.boxes == grid.rows * grid.cols
    assert grid.horizontals == (grid.rows + 1) * grid.cols
    assert grid.edges == grid.horizontals + grid.rows * (grid.cols + 1)
    assert members(grid.all_drawn) == set(grid.moves) == set(range(grid.edges))


@given(grids)
def test_names_count_each_direction_from_0(grid: Grid) -> None:
    verticals = grid.edges - grid.horizontals
    expected = [f"h{n}" for n in range(grid.horizontals)] + [f"v{n}" for n in range(verticals)]
    assert list(grid.names) == expected
    assert grid.by_name == {name: edge for edge, name in enumerate(expected)}


@given(grids)
def test_each_box_has_its_four_sides(grid: Grid) -> None:
    for row in range(grid.rows):
        for col in range(grid.cols):
            box = row * grid.cols + col
            around = (
                h(grid, row, col),
                h(grid, row + 1, col),
                v(grid, row, col),
                v(grid, row, col + 1),
            )
            assert grid.edges_of[box] == around
            assert members(grid.sides[box]) == set(around)


@given(grids)
def test_boxes_beside_is_the_inverse_of_sides(grid: Grid) -> None:
    for edge in range(grid.edges):
        assert grid.bits[edge] == 1 << edge
        expected = [(box, sides) for box, sides in enumerate(grid.sides) if edge in members(sides)]
        assert list(grid.boxes_beside[edge]) == expected
        assert len(expected) in (1, 2)


@given(grids)
def test_the_border_is_drawn_at_the_start(grid: Grid) -> None:
    rows, cols = range(grid.rows), range(grid.cols)
    left_and_bottom = {v(grid, row, 0) for row in rows} | {h(grid, grid.rows, col) for col in cols}
    right_and_top = {v(grid, row, grid.cols) for row in rows} | {h(grid, 0, col) for col in cols}
    expected = {
        Border.NONE: set(),
        Border.HALF: left_and_bottom,
        Border.FULL: left_and_bottom | right_and_top,
    }
    assert members(grid.start) == expected[grid.border]


@given(grids)
def test_a_grid_travels_as_its_size(grid: Grid) -> None:
    assert pickle.loads(pickle.dumps(grid)) is grid
    assert copy.deepcopy(grid) is grid
    assert len(pickle.dumps(grid)) < 150


def test_a_grid_in_use_is_never_made_again() -> None:
    grid = grid_of(2, 3, Border.HALF)
    for rows in range(1, 100):
        grid_of(rows, 1, Border.NONE)
    assert grid_of(2, 3, Border.HALF) is grid
    assert grid_of(3, 2, Border.HALF) != grid


def test_repr_is_short() -> None:
    assert repr(grid_of(2, 3, Border.FULL)) == "grid_of(2, 3, <Border.FULL: 'full'>)"


@given(st.sets(st.integers(0, 99)))
def test_select(chosen: set[int]) -> None:
    mask = sum(1 << n for n in chosen)
    assert select(range(100), mask) == tuple(sorted(chosen))


def test_long_boards() -> None:
    assert grid_of(1, 1000, Border.NONE).edges == 3001
