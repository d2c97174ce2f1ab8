"""Positions that are the same, against what the words say: turn the drawing, count the sides."""

import itertools
import random
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.engine.games.dots.boards import positions

from boxroom_engine.games.dots import Border, Grid, Position, grid_of
from boxroom_engine.games.dots.rules.symmetry import Symmetry

Midpoint = tuple[int, int]


def midpoints(grid: Grid) -> list[Midpoint]:
    """For each edge its middle, in halves of the side of a box, from the middle of the board."""
    middles = [(2 * row, 2 * col + 1) for row in range(grid.rows + 1) for col in range(grid.cols)]
    middles += [(2 * row + 1, 2 * col) for row in range(grid.rows) for col in range(grid.cols + 1)]
    return [(row - grid.rows, col - grid.cols) for row, col in middles]


def turned(grid: Grid, undrawn: int, down: int, across: int, *, transposed: bool) -> int:
    """The set of edges mirrored where `down` and `across` are −1, rows for columns then."""
    number = {middle: edge for edge, middle in enumerate(midpoints(grid))}
    image = 0
    for row, col in midpoints(grid):
        if undrawn >> number[row, col] & 1:
            there = (row * down, col * across)
            image |= 1 << number[there[::-1] if transposed else there]
    return image


@pytest.mark.parametrize("same_sides", [True, False])
@given(positions(), st.sampled_from([1, -1]), st.sampled_from([1, -1]), st.booleans())
def test_turned_and_mirrored_positions_are_the_same(
    same_sides: bool, position: Position, down: int, across: int, transposed: bool
) -> None:
    grid = position.game.grid
    undrawn = grid.all_drawn & ~position.edges
    is_square = grid.rows == grid.cols
    image = turned(grid, undrawn, down, across, transposed=transposed and is_square)
    same = Symmetry(grid, same_sides=same_sides)
    assert same.canonical(image) == same.canonical(undrawn)


@given(positions(), st.randoms(use_true_random=False))
def test_which_border_sides_of_a_box_are_undrawn_makes_no_difference(
    position: Position, rng: random.Random
) -> None:
    grid = position.game.grid
    undrawn = other = grid.all_drawn & ~position.edges
    for around in grid.edges_of:
        sides = [edge for edge in around if len(grid.boxes_beside[edge]) == 1]
        left = [edge for edge in sides if undrawn >> edge & 1]
        other &= ~sum(grid.bits[edge] for edge in sides)
        other |= sum(grid.bits[edge] for edge in rng.sample(sides, len(left)))
    for turns in (False, True):
        same = Symmetry(grid, turned=turns)
        assert same.canonical(undrawn) == same.canonical(other)


@given(positions())
def test_the_canonical_position_is_one_of_those_that_are_the_same(position: Position) -> None:
    same = Symmetry(position.game.grid)
    undrawn = position.game.grid.all_drawn & ~position.edges
    canonical = same.canonical(undrawn)
    assert same.canonical(canonical) == canonical
    assert canonical.bit_count() == undrawn.bit_count()


@each(
    "rows, cols, turned_too, kinds",
    [
        (1, 1, True, 5),  # by the number of undrawn sides
        (1, 1, False, 5),
        (1, 2, True, 20),  # the middle edge, and 0 to 3 sides of each box, whichever is left
        (1, 2, False, 32),
    ],
)
def test_nothing_else_is_the_same(rows: int, cols: int, turned_too: bool, kinds: int) -> None:
    grid = grid_of(rows, cols, Border.NONE)
    same = Symmetry(grid, turned=turned_too)
    assert len({same.canonical(undrawn) for undrawn in range(1 << grid.edges)}) == kinds


def burnside(grid: Grid) -> list[int]:
    """How many positions with 0, 1, 2 … undrawn edges there are, turned and mirrored ones the same.

    By Burnside's lemma it is the mean, over all ways to turn the board, of the positions that stay
    as they are: those in which each cycle of edges is drawn as a whole or not at all.
    """
    transposed = [False, True] if grid.rows == grid.cols else [False]
    ways = list(itertools.product([1, -1], [1, -1], transposed))
    fixed = [0] * (grid.edges + 1)
    for down, across, transposes in ways:
        image = [turned(grid, bit, down, across, transposed=transposes) for bit in grid.bits]
        for undrawn, count in enumerate(unions([len(cycle) for cycle in cycles(grid, image)])):
            fixed[undrawn] += count
    return [count // len(ways) for count in fixed]


def cycles(grid: Grid, image: list[int]) -> Iterator[set[int]]:
    """The sets of edges that go round among themselves, for the image of each edge, as a set."""
    left = set(grid.bits)
    while left:
        cycle, bit = set(), left.pop()
        while bit not in cycle:
            cycle.add(bit)
            bit = image[bit.bit_length() - 1]
        left -= cycle
        yield cycle


def unions(sizes: list[int]) -> list[int]:
    """How many unions there are of disjoint sets of these `sizes`, by how large they are."""
    of_size = [1] + [0] * sum(sizes)
    for size in sizes:
        of_size = [n + (of_size[i - size] if i >= size else 0) for i, n in enumerate(of_size)]
    return of_size


@each("rows, cols", [(1, 1), (1, 2), (1, 3), (2, 2)])
def test_there_are_as_many_kinds_as_burnsides_lemma_counts(rows: int, cols: int) -> None:
    grid = grid_of(rows, cols, Border.NONE)
    same = Symmetry(grid, same_sides=False)
    kinds = {same.canonical(undrawn) for undrawn in range(1 << grid.edges)}
    of_size = Counter(kind.bit_count() for kind in kinds)
    assert [of_size[undrawn] for undrawn in range(grid.edges + 1)] == burnside(grid)


def test_without_either_every_position_is_itself() -> None:
    grid = grid_of(1, 2, Border.NONE)
    same = Symmetry(grid, turned=False, same_sides=False)
    assert [same.canonical(undrawn) for undrawn in range(1 << 7)] == list(range(1 << 7))
    assert same.one_of_each(grid.all_drawn, grid.all_drawn) == grid.all_drawn


def test_of_edges_that_do_the_same_one_is_kept() -> None:
    grid = grid_of(2, 2, Border.NONE)
    kept = Symmetry(grid).one_of_each(grid.all_drawn, grid.all_drawn)
    assert kept.bit_count() == 4 + 4  # one in each corner, and the four between boxes
    assert all((sides & kept).bit_count() == 3 for sides in grid.sides)
