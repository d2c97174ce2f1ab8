"""The result that a position of noughts and crosses lets a seat expect, by its open lines."""

from boxroom_engine.games.noughts.forced import open_lines
from boxroom_engine.games.noughts.state import Position
from boxroom_engine.games.protocol import Seat

_MARK = 10
"""Factor by which each mark in a line makes it weigh more."""


def expected(position: Position, seat: Seat) -> float:
    """Return how likely `seat` seems to win, above -1 and below 1.

    A line counts for a seat if it has marks there and no other seat has, ten times as much for each
    further mark. The result is the lead of `seat` over the best other seat in play, as a share of
    what both have.
    """
    weights = dict.fromkeys(range(position.game.seats), 0)
    for line in open_lines(position.game.board, position.cells):
        if line.owner is not None:
            weights[line.owner] += _MARK**line.marks
    own = weights[seat]
    others = weights.keys() - {seat} - position.withdrawn
    best = max((weights[other] for other in others), default=0)
    return (own - best) / (1 + own + best)
