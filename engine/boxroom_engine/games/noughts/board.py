"""The board of noughts and crosses: cells in any number of dimensions, and every line on it.

A *place* is one coordinate for each dimension, from 0, the row and the column last. Cells are
numbered in the order of their places, so on a flat board row by row. A *line* is `length` cells
one after the other in one direction, in which each coordinate grows, shrinks or stays. Nothing
here knows of players.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from math import prod
from operator import itemgetter

from boxroom_engine.games import turning

Place = tuple[int, ...]
Line = tuple[int, ...]
"""The cells of a line, from one end to the other."""


@dataclass(frozen=True)  # without slots, for the cached properties
class Board:
    """A board and what counts as a line on it; made by `board_of`, which keeps its tables."""

    dims: tuple[int, ...]
    """How many cells there are in each dimension."""
    length: int

    @cached_property
    def cells(self) -> int:
        """How many cells there are."""
        return prod(self.dims)

    @property
    def slice_shape(self) -> tuple[int, int]:
        """The rows and the columns of what can be drawn flat: the last two dimensions."""
        return (1, *self.dims)[-2], self.dims[-1]

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The place of each cell."""
        return tuple(product(*map(range, self.dims)))

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Every line once, direction by direction."""
        directions = product((-1, 0, 1), repeat=len(self.dims))
        ahead = (direction for direction in directions if direction > (0,) * len(self.dims))
        return tuple(line for direction in ahead for line in self._lines_in(direction))

    @cached_property
    def lines_of(self) -> tuple[tuple[Line, ...], ...]:
        """For each cell the lines through it."""
        through: list[list[Line]] = [[] for _ in range(self.cells)]
        for line in self.lines:
            for cell in line:
                through[cell].append(line)
        return tuple(map(tuple, through))

    @cached_property
    def images(self) -> tuple[Callable[[Sequence[int]], tuple[int, ...]], ...]:
        """Each takes the cells in the order in which they lie when the board is put on itself."""
        return tuple(itemgetter(*image) for image in turning.images(self.dims))

    @cached_property
    def _strides(self) -> tuple[int, ...]:
        """How much farther in the numbering the next cell is, in each dimension."""
        return tuple(prod(self.dims[axis + 1 :]) for axis in range(len(self.dims)))

    def cell_at(self, place: Place) -> int:
        """The number of the cell at `place`, which must be on the board."""
        return sum(x * stride for x, stride in zip(place, self._strides, strict=True))

    def _lines_in(self, direction: Place) -> Iterator[Line]:
        """The lines that go one step in each dimension as `direction` says: -1, 0 or 1."""
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
    """The board with these `dims` on which `length` cells in a row are a line."""
    return Board(dims, length)
