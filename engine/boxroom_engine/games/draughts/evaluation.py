"""Evaluation of positions of draughts: the result to be expected."""

from typing import Protocol

from boxroom_engine.games.draughts.pieces import Pieces
from boxroom_engine.games.protocol import Seat

_KING = 2


class Evaluated(Protocol):
    """The part of `state.Position` that is evaluated."""

    @property
    def pieces(self) -> Pieces: ...


def expected(position: Evaluated, seat: Seat) -> float:
    """Return the lead of `seat` in men and kings, as a share of all."""
    own, other = (_material(position.pieces, each) for each in (seat, 1 - seat))
    return (own - other) / (own + other)


def _material(pieces: Pieces, seat: int) -> int:
    return pieces.men[seat].bit_count() + _KING * pieces.kings[seat].bit_count()
