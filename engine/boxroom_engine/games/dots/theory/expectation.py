"""The result that a position lets a seat expect, by what can be counted in it without search.

The seat to move is assumed to take all that is on offer. While neutral moves are left, nothing is
said about the boxes after that. Once only chains and loops are left, the value for two is exact
(`endgame`), and for more, or where joints are left, it is the estimate of `forecast`. Of a player
alone nothing more is said: every move leads to the same result.
"""

from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.theory.captures import after_taking_all
from boxroom_engine.games.dots.theory.endgame import endgame_value, is_endgame
from boxroom_engine.games.dots.theory.facts import seats_in_play
from boxroom_engine.games.dots.theory.forecast import forecast_shares
from boxroom_engine.games.dots.theory.strings import StringGraph, parts_of
from boxroom_engine.games.protocol import Seat
from boxroom_engine.games.turn_order import seat_after


def expected(position: Position, seat: Seat) -> float:
    """Return the lead to be expected of `seat` over the best other, as a share of all boxes.

    It is above -1 and below 1. The position mustn't be over.
    """
    grid, scores = position.game.grid, _expected_scores(position)
    others = (
        scores[other]
        for other in range(position.game.seats)
        if other != seat and other not in position.withdrawn
    )
    return (scores[seat] - max(others, default=0)) / (1 + grid.rows * grid.cols)


def _expected_scores(position: Position) -> tuple[float, ...]:
    """Return the boxes of each seat at the end, as far as they can be told."""
    seats = seats_in_play(position)
    if seats == 2 and is_endgame(position):
        return _scores_after_endgame(position)
    after = after_taking_all(position)
    parts = parts_of(after)
    if after.to_move is None or parts.neutral or seats == 1:
        return after.scores
    scores, seat = list(after.scores), after.to_move
    for share in forecast_shares(StringGraph.of(parts), seats):
        scores[seat] += share
        seat = seat_after(seat, position.game.seats, position.withdrawn)
    return tuple(scores)


def _scores_after_endgame(position: Position) -> tuple[float, ...]:
    """Return the boxes of both seats in play if they play perfectly."""
    mover = position.to_move
    assert mover is not None
    other = seat_after(mover, position.game.seats, position.withdrawn)
    grid, scores = position.game.grid, list(map(float, position.scores))
    to_come, margin = grid.rows * grid.cols - sum(position.scores), endgame_value(position)
    scores[mover] += (to_come + margin) / 2
    scores[other] += (to_come - margin) / 2
    return tuple(scores)
