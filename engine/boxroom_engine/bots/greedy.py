"""`greedy`: a bot that takes what it can and looks no further than the next move.

In a game of captures (`Abilities.captures`), such as Dots and Boxes, it is the flow chart of
Piggy.py, the opponent that the student's project began with (https://github.com/ArthurConmy/EPQ),
for any number of players::

    can a box be taken?      yes: take it, two at once before one
           no
    is there a neutral edge? yes: draw one at random
           no
    draw the edge whose sacrifice lets the next player take the fewest boxes in a row

So it never gives up control with a double-dealing move, and that is how to beat it.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from boxroom_engine.bots.protocol import BotBase
from boxroom_engine.games.abilities import CaptureTheory
from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.stopping import Limit


class GreedyBot(BotBase):
    """`greedy`: beats random play, and loses to bots that count chains."""

    name = "greedy"
    strength = 7

    def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
        """The move that looks best at once, equals at random."""
        captures = state.game.kind.abilities.captures
        if captures is not None:
            return rng.choice(flow_chart(state, captures, captures.takes(state)))
        return rng.choice(best_at_once(state, state.legal_moves(), limit))


def flow_chart(
    state: State,
    captures: CaptureTheory[Any],
    takes: Mapping[Move, int],
    counted: Callable[[int], float] = float,
) -> Sequence[Move]:
    """The moves among which the flow chart has no preference.

    Args:
        state: a position.
        captures: what moves take and give away in this game.
        takes: the moves that take something, as far as the player sees them; see `CaptureTheory`.
        counted: returns the number of things that a sacrifice seems to give away, by the true one.

    Returns:
        The moves; none if the only moves take something, and are overlooked.
    """
    if takes:
        most = max(takes.values())
        return [move for move, things in takes.items() if things == most]
    if moves := captures.quiet(state):
        return moves
    costs = {move: counted(things) for move, things in captures.sacrifices(state).items()}
    least = min(costs.values(), default=0)
    return [move for move, cost in costs.items() if cost == least]


def best_at_once(
    state: State, moves: Sequence[Move], limit: Limit, *, sees_replies: bool = True
) -> Sequence[Move]:
    """Those of `moves` with the best value one move on that don't lose to the next move.

    A win at once comes before everything. When `limit` expires, moves that weren't looked at
    count as losing. Without `sees_replies` none is looked at.
    """
    seat = state.to_move
    assert seat is not None
    moves_of_value: dict[float, list[Move]] = defaultdict(list)
    wins: list[Move] = []
    for move in moves:
        after = state.play(move)
        moves_of_value[after.evaluate(seat)].append(move)
        if _has_won(after, seat):
            wins.append(move)
    if wins:
        return wins
    if not sees_replies:
        return moves_of_value[max(moves_of_value)]
    best_first = [moves_of_value[value] for value in sorted(moves_of_value, reverse=True)]
    for equals in best_first:
        sound = [move for move in equals if not limit.expired() and not _hands_win(state, move)]
        if sound:
            return sound
    return best_first[0]


def _hands_win(state: State, move: Move) -> bool:
    """Whether after `move` another seat is to move and can win at once."""
    after = state.play(move)
    following = after.to_move
    if following is None or following == state.to_move:
        return False
    return any(_has_won(after.play(reply), following) for reply in after.legal_moves())


def _has_won(state: State, seat: Seat) -> bool:
    """Whether the game is over and `seat` its only winner."""
    outcome = state.outcome
    return outcome is not None and outcome.winners == (seat,)
