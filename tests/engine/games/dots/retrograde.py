"""The value of every position of a board, from the last edge back to the first: no search.

Retrograde analysis as plain as it can be: positions in ascending order of the number that their
undrawn edges make, so that whatever a move leads to is known already. Nothing is left out, no
position is another's image, and no end is worth a formula. It knows the rules and no theory.

Time and memory double with each free edge: 24 edges (3×3 boxes) are 17 million positions, which
take a minute or two, and 2 bytes each.
"""

import random
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from boxroom_engine.games.dots import Grid


@dataclass(frozen=True, slots=True)
class Margins:
    """The margin to come of every position of one board.

    Positions are numbered by their undrawn edges, bit `n` for the `n`th of the edges that the
    border doesn't draw.
    """

    grid: Grid
    free: tuple[int, ...]
    """The edges that the border doesn't draw, ascending."""
    left: bytearray
    """For each position the boxes without an owner."""
    margins: Sequence[int]
    """For each position the boxes to come of who is to move, less those of the other."""

    def undrawn(self, number: int) -> int:
        """The set of undrawn edges of a position, numbered as those of the grid are."""
        return sum(self.grid.bits[edge] for n, edge in enumerate(self.free) if number >> n & 1)

    def solved(self, number: int) -> tuple[int, tuple[int, ...]]:
        """The value of a position, and all its best moves, ascending."""
        margin = self.margins[number]
        moves = (n for n in range(len(self.free)) if number >> n & 1)
        best = (n for n in moves if self._margin_by(number, 1 << n) == margin)
        return margin, tuple(self.free[n] for n in best)

    def any_of(self, seed: int, count: int) -> Iterator[int]:
        """The numbers of so many positions: first how many edges are undrawn, then which."""
        rng = random.Random(seed)
        for _ in range(count):
            edges = rng.sample(range(len(self.free)), rng.randint(0, len(self.free)))
            yield sum(1 << n for n in edges)

    def _margin_by(self, number: int, bit: int) -> int:
        after = number ^ bit
        won = self.left[number] - self.left[after]
        return won + self.margins[after] if won else -self.margins[after]


def name_of(grid: Grid) -> str:
    """A name for a test with `grid`."""
    return f"{grid.rows}x{grid.cols}-{grid.border}"


def margins_of(grid: Grid) -> Margins:
    """The margins of every position of `grid`."""
    free = tuple(edge for edge in range(grid.edges) if not grid.start >> edge & 1)
    left = _boxes_left(grid, free)
    margins = array("b", bytes(1 << len(free)))
    for number in range(1, len(margins)):
        boxes, best, bits = left[number], -128, number
        while bits:
            bit = bits & -bits
            bits ^= bit
            after = number ^ bit
            won = boxes - left[after]
            margin = won + margins[after] if won else -margins[after]
            if margin > best:  # noqa: PLR1730  (`max` is slower)
                best = margin
        margins[number] = best
    return Margins(grid, free, left, margins)


def _boxes_left(grid: Grid, free: tuple[int, ...]) -> bytearray:
    """For each position how many boxes have an undrawn side."""
    left = bytearray(1 << len(free))
    for n, edge in enumerate(free):
        bit = 1 << n
        beside = [
            sum(1 << free.index(side) for side in grid.edges_of[box] if side in free)
            for box, _ in grid.boxes_beside[edge]
        ]
        for number in range(bit):
            left[bit | number] = left[number] + sum(not sides & number for sides in beside)
    return left
