"""Geometry of draughts: the squares, and the men that stand on them at the start."""

from collections.abc import Callable, Iterator

from boxroom_engine.games.draughts.board import Board, Squares
from boxroom_engine.games.draughts.pieces import Pieces
from boxroom_engine.games.geometry import UNIT, BoardShape, Geometry, Men, square

_MARGIN = 10


def geometry_of(board: Board, pieces: Pieces, crowning: Callable[[int], Squares]) -> Geometry:
    """Return the squares of `board`, with the men of `pieces`; square 1 is the thing 0."""
    men = tuple(
        Men(_things(board, pieces.men[seat]), _things(board, crowning(seat))) for seat in (0, 1)
    )
    return Geometry.around(_squares(board), margin=_MARGIN, men=men)


def _squares(board: Board) -> Iterator[BoardShape]:
    for thing in range(board.count):
        column, row = board.place(thing + 1)
        corner = _MARGIN + column * UNIT, _MARGIN + row * UNIT
        yield square(corner, UNIT, label=str(thing + 1), thing=thing)


def _things(board: Board, squares: Squares) -> tuple[int, ...]:
    return tuple(number - 1 for number in board.numbers(squares))
