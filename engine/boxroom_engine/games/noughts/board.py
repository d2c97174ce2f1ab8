"""Boards of noughts and crosses: cells in any number of dimensions, and all lines through them.

A *place* has one coordinate for each dimension, from 0, the row and the column last. Cells are
numbered in the order of their places, so on a flat board row by row. A *line* is `length`
consecutive cells in one direction, in which each coordinate grows, shrinks or stays.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from operator import itemgetter

from boxroom_engine.games.noughts.symmetries import symmetries
from boxroom_engine.shared_tables import share

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

    @property
    def number_of_lines(self) -> int:
        """Number of lines, counted without making them.

        On an axis of n cells there are n places for a line that stays, and n - length + 1 for one
        that grows or shrinks. The product over all axes has every line twice, once from each end,
        and the cells, which are the lines that stay on all axes.
        """
        ways = prod(size + 2 * max(0, size - self.length + 1) for size in self.dims)
        return (ways - self.cells) // 2

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """All lines, direction by direction, each line once."""
        directions = product((-1, 0, 1), repeat=len(self.dims))
        ahead = (direction for direction in directions if direction > (0,) * len(self.dims))
        return tuple(line for direction in ahead for line in self._lines_in(direction))

    def lines_through(self, cell: int) -> tuple[Line, ...]:
        """Return the lines through `cell`; they are made when they are asked for first."""
        lines = self._lines_through.get(cell)
        if lines is None:
            lines = self._lines_through[cell] = tuple(self._make_lines_through(cell))
        return lines

    @cached_property
    def _lines_through(self) -> dict[int, tuple[Line, ...]]:
        """Lines through each cell that has been asked for."""
        return {}

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

    def _make_lines_through(self, cell: int) -> Iterator[Line]:
        """Yield the lines through `cell`.

        Directions are extended axis by axis, and only those that have a line: there are few on
        boards of many short axes, where most directions leave the board at once.
        """
        length = self.length
        # Of each direction the difference of neighbouring cells, and how many cells of the longest
        # line are behind `cell` and ahead of it. As a line has two ends, the first step that isn't
        # 0 is 1.
        directions = [(0, length - 1, length - 1)]
        axes = zip(self.places[cell], self.dims, self._strides, strict=True)
        for x, size, stride in axes:
            for offset, behind, ahead in directions[:]:
                after = size - 1 - x
                forward = offset + stride, min(behind, x), min(ahead, after)
                backward = offset - stride, min(behind, after), min(ahead, x)
                directions += [
                    direction
                    for direction in ((forward, backward) if offset else (forward,))
                    if direction[1] + direction[2] + 1 >= length
                ]
        for offset, behind, ahead in directions[1:]:
            for first in range(-behind, ahead - length + 2):
                start = cell + first * offset
                yield tuple(range(start, start + offset * length, offset))

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


@share(recent=32)
def board_of(dims: tuple[int, ...], length: int) -> Board:
    """Return the board with these `dims` on which `length` cells in a row are a line."""
    return Board(dims, length)
