"""Grids of Stonehenge: the cells, the ley-lines, and their places on the board.

With side length `size` the rows have 2, 3, … `size` + 1 cells, and the last one `size`. Each cell
is on three ley-lines: its row and two diagonals. The unit of x is half the distance of neighbours
in a row, so that one step down a diagonal changes x by one::

    level                                size 2, with the x of the places
      -1              @   @                           4   6
       0        @ - A - B   @                   1   3   5   7
       1      @ - C - D - E                   0   2   4   6
       2        @ - F - G   @                   1   3   5   7
       3              @   @                           4   6

Ley-lines are numbered: the rows from the top, then the diagonals down to the left and those down
to the right, each from left to right.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from string import ascii_uppercase
from typing import NamedTuple

MOST_SIZE = 5
"""The largest size: it has 25 cells, and every cell has a letter."""


class Place(NamedTuple):
    """Place of a cell or a marker: its row, from 0, and half steps from the left."""

    level: int
    x: int


@dataclass(frozen=True, slots=True)
class LeyLine:
    """One ley-line."""

    cells: tuple[int, ...]
    marker: Place
    """Place of the mark of its owner."""
    path: tuple[Place, ...]
    """All its places from one end to the other, with the marker's."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Tables of one size; call `grid_of`, which caches them."""

    size: int
    places: tuple[Place, ...]
    """Place of each cell; cells are numbered row by row."""
    lines: tuple[LeyLine, ...]
    lines_of: tuple[tuple[int, ...], ...]
    """Numbers of the three ley-lines of each cell."""

    @property
    def names(self) -> str:
        """Letters of all cells, in order."""
        return ascii_uppercase[: len(self.places)]


@cache
def grid_of(size: int) -> Grid:
    """Return the grid with side length `size`, 1 to `MOST_SIZE`."""
    places = _places(size)
    rows = (_line(cells, places, 0, (0, -2)) for cells in _groups(places, _row))
    down_left = (_line(cells, places, 0, (-1, 1)) for cells in _groups(places, _down_left))
    down_right = (_line(cells, places, -1, (1, 1)) for cells in _groups(places, _down_right))
    lines = (*rows, *down_left, *down_right)
    lines_of = (
        tuple(number for number, line in enumerate(lines) if cell in line.cells)
        for cell in range(len(places))
    )
    return Grid(size, places, lines, tuple(lines_of))


def _places(size: int) -> tuple[Place, ...]:
    """Return the places of the cells, each row after two places for its marker."""
    lengths = (*range(2, size + 2), size)
    indents = (*range(size - 1, -1, -1), 1)
    return tuple(
        Place(level, indent + 2 + 2 * number)
        for level, (length, indent) in enumerate(zip(lengths, indents, strict=True))
        for number in range(length)
    )


def _row(place: Place) -> int:
    return place.level


def _down_left(place: Place) -> int:
    """Return a number that all places on one diagonal down to the left share."""
    return place.x + place.level


def _down_right(place: Place) -> int:
    """Return a number that all places on one diagonal down to the right share."""
    return place.x - place.level


def _groups(places: Sequence[Place], key: Callable[[Place], int]) -> list[tuple[int, ...]]:
    """Return the cells grouped by `key`, in ascending order."""
    values = sorted({key(place) for place in places})
    return [
        tuple(cell for cell, place in enumerate(places) if key(place) == value) for value in values
    ]


def _line(
    cells: tuple[int, ...], places: Sequence[Place], end: int, step: tuple[int, int]
) -> LeyLine:
    """Return the ley-line through `cells`, with its marker one `step` from the cell at `end`."""
    level, x = places[cells[end]]
    marker = Place(level + step[0], x + step[1])
    path = [places[cell] for cell in cells]
    path.insert(len(path) if end else 0, marker)
    return LeyLine(cells, marker, tuple(path))
