"""Geometry of noughts and crosses: a square for each cell, slice by slice."""

from collections.abc import Iterator
from itertools import product

from boxroom_engine.games.geometry import UNIT, BoardShape, Geometry, Point, square, text
from boxroom_engine.games.noughts.board import Board
from boxroom_engine.games.noughts.layout import bands, title

_SIDE = 92
"""Side of a cell, which leaves a gap to the next one."""

_MARGIN = 20
_TITLE = 60
"""Height of the line above a slice that has a title."""

_BETWEEN_SLICES = 60
_USUAL_CELLS = 12
"""Cells side by side that phones show large enough for a finger."""


def geometry_of(board: Board) -> Geometry:
    """Return the geometry of `board`, with slices side by side as in a drawing."""
    return Geometry.around(_shapes(board), margin=_MARGIN, row=board.length)


def _shapes(board: Board) -> Iterator[BoardShape]:
    rows, cols = board.slice_shape
    height = (_TITLE if title(board, 0) else 0) + rows * UNIT
    for down, band in enumerate(bands(board, _USUAL_CELLS * UNIT, cols * UNIT, _BETWEEN_SLICES)):
        for across, first in enumerate(band):
            x = _MARGIN + across * (cols * UNIT + _BETWEEN_SLICES)
            y = _MARGIN + down * (height + _BETWEEN_SLICES // 2)
            yield from _slice(board, first, (x, y))


def _slice(board: Board, first: int, corner: Point) -> Iterator[BoardShape]:
    """Yield the title and the cells of the slice that begins with cell `first`."""
    (x, y), (rows, cols), name = corner, board.slice_shape, title(board, first)
    if name:
        yield text((x + cols * UNIT // 2, y + _TITLE // 2), name)
        y += _TITLE
    for cell, (row, col) in enumerate(product(range(rows), range(cols)), first):
        at, number = (x + col * UNIT, y + row * UNIT), str(cell)
        yield square(at, _SIDE, label=number, move=number, place=board.places[cell])
