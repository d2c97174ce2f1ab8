"""Layout of the slices of a board, the same in drawings and in its geometry.

Slices that differ only in the last coordinate of those that their cells share stand beside each
other, in a *band*, as many as fit; other slices stand below.
"""

from collections.abc import Iterator
from math import ceil

from boxroom_engine.games.noughts.board import Board
from boxroom_engine.games.noughts.notation import format_place


def bands(board: Board, width: int, slice_width: int, between: int) -> Iterator[range]:
    """Yield the first cells of the slices in each band, from the top.

    As many slices are beside each other as fit in `width`, with `between` between two.
    """
    rows, cols = board.slice_shape
    size = rows * cols
    related = (1, 1, *board.dims)[-3]  # slices that would all be beside each other, if they fitted
    fitting = max(1, (width + between) // (slice_width + between))
    beside = ceil(related / ceil(related / fitting))  # in each band, so that none is much shorter
    for first in range(0, board.cells // size, related):
        for at in range(first, first + related, beside):
            yield range(at * size, min(at + beside, first + related) * size, size)


def title(board: Board, first: int, any_place: str = "·") -> str:
    """Return the coordinates that all cells of the slice from cell `first` share.

    It is "" on a flat board. `any_place` stands for each of the two others.
    """
    begin = board.places[first][:-2]
    return f"{format_place(begin)},{any_place},{any_place}" if begin else ""
