"""Equivalence of positions under symmetries, for the tables of searches.

Two are the same if the board can be turned or mirrored so that one becomes the other. So they
are if they differ only in which border sides of a box are undrawn, but not in how many: each
of those sides borders on this box and nothing else (parallel edges of the Nimstring graph:
Berlekamp, Conway & Guy, Winning Ways, chapter 16). A game that starts in the one is a game that
starts in the other with its edges named anew, for any players and any aims.

A position is the set of its undrawn edges, numbered as in `games.dots.grid`.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product

from boxroom_engine.games.dots.rules.grid import Grid, select

Dot = tuple[int, int]
"""Row and column of a dot, from the top left."""


class Symmetry:
    """The equivalence of positions on one board.

    Args:
        grid: the board; its border plays no part.
        turned: whether turned and mirrored positions are the same.
        same_sides: whether the border sides of one box are.
    """

    def __init__(self, grid: Grid, *, turned: bool = True, same_sides: bool = True) -> None:
        groups = [_border_sides(grid, box) for box in range(grid.boxes)] if same_sides else []
        self._grid = grid
        # For each symmetry the bit to which each edge goes.
        self._images = tuple(_images(grid, groups)) if turned else (grid.bits,)
        # Pairs of border sides of one box which, exchanged where needed, come into order.
        self._exchanges = tuple(_exchanges(grid, groups))

    def canonical(self, undrawn: int) -> int:
        """The representative of all positions that are equivalent to this one."""
        edges = select(self._grid.moves, self._in_order(undrawn))
        return min(sum(map(image.__getitem__, edges)) for image in self._images)

    def one_of_each(self, edges: int, undrawn: int) -> int:
        """`edges`, some of the undrawn ones, less those which do the same as another of them."""
        for first, second in self._exchanges:
            if first & undrawn:
                edges &= ~second
        return edges

    def _in_order(self, undrawn: int) -> int:
        """The position with the border sides of each box drawn in their order."""
        for first, second in self._exchanges:
            if first & undrawn and not second & undrawn:
                undrawn ^= first | second
        return undrawn


@lru_cache(maxsize=4)
def symmetry_of(grid: Grid) -> Symmetry:
    """The cached symmetry of a board; 100×100 boxes take half a second."""
    return Symmetry(grid)


def _border_sides(grid: Grid, box: int) -> list[int]:
    """The sides of `box` with nothing beyond them, ascending."""
    return sorted(edge for edge in grid.edges_of[box] if len(grid.boxes_beside[edge]) == 1)


def _exchanges(grid: Grid, groups: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
    """Pairs in each group which, exchanged one after another where needed, bring it in order."""
    for sides in groups:
        bits = [grid.bits[edge] for edge in sides]
        for unordered in range(len(bits), 1, -1):
            yield from pairwise(bits[:unordered])


def _images(grid: Grid, groups: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """For each way to turn and mirror the board, the bit to which each edge goes.

    The sides of a group keep their order, whichever way they are turned, so what is in order
    stays so.
    """
    ends = tuple(_ends(grid.rows, grid.cols))
    number = {frozenset(dots): edge for edge, dots in enumerate(ends)}
    for way in range(8 if grid.rows == grid.cols else 4):
        image = [number[frozenset(_turned(grid, dot, way) for dot in dots)] for dots in ends]
        for sides in groups:
            for edge, target in zip(sides, sorted(image[edge] for edge in sides), strict=True):
                image[edge] = target
        yield tuple(grid.bits[edge] for edge in image)


def _ends(rows: int, cols: int) -> Iterator[tuple[Dot, Dot]]:
    """For each edge the two dots that it joins."""
    for row, col in product(range(rows + 1), range(cols)):
        yield (row, col), (row, col + 1)
    for row, col in product(range(rows), range(cols + 1)):
        yield (row, col), (row + 1, col)


def _turned(grid: Grid, dot: Dot, way: int) -> Dot:
    """The image of `dot`: up for down, left for right, rows for columns, for each bit of `way`."""
    row = grid.rows - dot[0] if way & 1 else dot[0]
    col = grid.cols - dot[1] if way & 2 else dot[1]
    return (col, row) if way & 4 else (row, col)
