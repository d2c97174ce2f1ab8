"""Cells and ley-lines of Stonehenge, compared with pictures and text of the assignment."""

from tests.cases import each
from tests.engine.games.stonehenge.pictures import PICTURES, ley_lines_in

from boxroom_engine.games.drawing import Look
from boxroom_engine.games.stonehenge import Stonehenge
from boxroom_engine.games.stonehenge.grid import MOST_SIZE, grid_of

SIZES = range(1, MOST_SIZE + 1)


def row_lengths(size: int) -> list[int]:
    """The assignment says: 2 cells, then one more in each row, `size` in the last row."""
    lengths = [2]
    while lengths[-1] < size + 1:
        lengths.append(lengths[-1] + 1)
    return [*lengths, size]


def letters(size: int) -> list[str]:
    """Return the letters of each ley-line, in the order of their numbers."""
    grid = grid_of(size)
    return ["".join(grid.names[cell] for cell in line.cells) for line in grid.lines]


@each("size", SIZES)
def test_rows(size: int) -> None:
    grid = grid_of(size)
    rows = grid.lines[: size + 1]
    assert [len(row.cells) for row in rows] == row_lengths(size)
    assert [cell for row in rows for cell in row.cells] == list(range(len(grid.places)))


def test_the_largest_size_has_a_letter_for_every_cell() -> None:
    assert [len(grid_of(size).places) for size in SIZES] == [3, 7, 12, 18, 25]
    assert grid_of(5).names == "ABCDEFGHIJKLMNOPQRSTUVWXY"


def test_an_example() -> None:
    assert letters(2) == ["AB", "CDE", "FG", "AC", "BDF", "EG", "CF", "ADG", "BE"]


@each("size", PICTURES)
def test_ley_lines_are_those_of_the_pictures(size: int) -> None:
    followed = ley_lines_in(PICTURES[size])
    assert sorted(map(sorted, letters(size))) == sorted(map(sorted, followed))


@each("size", SIZES)
def test_ley_lines_are_those_that_players_see(size: int) -> None:
    look = Look(("A", "B"), ascii_only=True)
    followed = ley_lines_in(Stonehenge(size).initial().draw(look).plain())
    assert sorted(map(sorted, letters(size))) == sorted(map(sorted, followed))


@each("size", SIZES)
def test_every_cell_is_on_a_row_and_two_diagonals(size: int) -> None:
    grid = grid_of(size)
    assert len(grid.lines) == 3 * (size + 1)
    for cell, numbers in enumerate(grid.lines_of):
        assert [number // (size + 1) for number in numbers] == [0, 1, 2]
        assert all(cell in grid.lines[number].cells for number in numbers)


@each("size", SIZES)
def test_no_two_things_stand_in_one_place(size: int) -> None:
    grid = grid_of(size)
    everything = [*grid.places, *(line.marker for line in grid.lines)]
    assert len(set(everything)) == len(everything)
