"""Boards of noughts and crosses: cells in any number of dimensions, and all lines through them.

A *place* has one coordinate for each dimension, from 0, the row and the column last. Cells are
numbered in the order of their places, so on a flat board row by row. A *line* is `length`
consecutive cells in one direction, in which each coordinate grows, shrinks or stays.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from math import prod
from operator import itemgetter

from boxroom_engine.games.symmetries import symmetries

Place = tuple[int, ...]
Line = tuple[int, ...]
"""The cells of a line, from one end to the other."""


@dataclass(frozen=True)  # without slots, for the cached properties
class Board:
    """A board with the length of its lines; call `board_of`, which caches boards."""

    dims: tuple[int, ...]
    """Number of cells in each dimension."""
    length: int

    @cached_property
    def cells(self) -> int:
        """Number of cells."""
        return prod(self.dims)

    @property
    def slice_shape(self) -> tuple[int, int]:
        """Rows and columns of one slice: the last two dimensions."""
        return (1, *self.dims)[-2], self.dims[-1]

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Place of each cell."""
        return tuple(product(*map(range, self.dims)))

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """All lines, direction by direction, each line once."""
        directions = product((-1, 0, 1), repeat=len(self.dims))
        ahead = (direction for direction in directions if direction > (0,) * len(self.dims))
        return tuple(line for direction in ahead for line in self._lines_in(direction))

    @cached_property
    def lines_of(self) -> tuple[tuple[Line, ...], ...]:
        """Lines through each cell."""
        through: list[list[Line]] = [[] for _ in range(self.cells)]
        for line in self.lines:
            for cell in line:
                through[cell].append(line)
        return tuple(map(tuple, through))

    @cached_property
    def symmetries(self) -> tuple[Callable[[Sequence[int]], tuple[int, ...]], ...]:
        """Functions that permute the values of all cells, one for each symmetry of the board."""
        return tuple(itemgetter(*cells) for cells in symmetries(self.dims))

    @cached_property
    def _strides(self) -> tuple[int, ...]:
        """Difference of the numbers of neighbouring cells in each dimension."""
        return tuple(prod(self.dims[axis + 1 :]) for axis in range(len(self.dims)))

    def cell_at(self, place: Place) -> int:
        """Return the number of the cell at `place`, which must be on the board."""
        return sum(x * stride for x, stride in zip(place, self._strides, strict=True))

    def _lines_in(self, direction: Place) -> Iterator[Line]:
        """Yield the lines whose step in each dimension is -1, 0 or 1, as in `direction`."""
        steps = self.length - 1
        starts = (
            range(steps if step < 0 else 0, size - steps if step > 0 else size)
            for size, step in zip(self.dims, direction, strict=True)
        )
        offset = self.cell_at(direction)
        for start in map(self.cell_at, product(*starts)):
            yield tuple(range(start, start + offset * self.length, offset))


@lru_cache(maxsize=32)
def board_of(dims: tuple[int, ...], length: int) -> Board:
    """Return the board with these `dims` on which `length` cells in a row are a line."""
    return Board(dims, length)
