"""Geometry of Dots and Boxes: boxes, lines between dots, and the dots over them.

Lines of the border that are drawn at the start belong to no move.
"""

from collections.abc import Iterator
from itertools import product

from boxroom_engine.games.dots.rules.grid import Grid
from boxroom_engine.games.geometry import UNIT, BoardShape, Geometry, Point, circle, line, square

_MARGIN = 30
_DOT = 9
"""Radius of a dot."""


def geometry_of(grid: Grid) -> Geometry:
    """Return the geometry of the board `grid`; box `n` is the thing `n`."""
    shapes = (*_boxes(grid), *_lines(grid), *_dots(grid))
    return Geometry.around(shapes, margin=_MARGIN)


def _boxes(grid: Grid) -> Iterator[BoardShape]:
    for row, col in product(range(grid.rows), range(grid.cols)):
        yield square(_dot(row, col), UNIT, thing=row * grid.cols + col)


def _lines(grid: Grid) -> Iterator[BoardShape]:
    """Yield the edges in the order of their numbers."""
    across = (
        (_dot(row, col), _dot(row, col + 1))
        for row, col in product(range(grid.rows + 1), range(grid.cols))
    )
    down = (
        (_dot(row, col), _dot(row + 1, col))
        for row, col in product(range(grid.rows), range(grid.cols + 1))
    )
    for edge, ends in enumerate((*across, *down)):
        is_drawn = bool(grid.start & grid.bits[edge])
        yield line(*ends, move=None if is_drawn else grid.names[edge])


def _dots(grid: Grid) -> Iterator[BoardShape]:
    for row, col in product(range(grid.rows + 1), range(grid.cols + 1)):
        yield circle(_dot(row, col), _DOT)


def _dot(row: int, col: int) -> Point:
    return _MARGIN + UNIT * col, _MARGIN + UNIT * row
