"""`careless`: a bot that takes what it can and ignores what it gives away.

In a game of captures, such as Dots and Boxes, it is the student's greedy opponent as it was at
first, before its sacrifices were counted (Piggy.py in https://github.com/ArthurConmy/EPQ)::

    can a box be taken?      yes: take any
           no
    is there a neutral edge? yes: draw one at random
           no
    draw any edge at random

Where chains are long, a sacrifice at random is mostly a large one, so it suits beginners.
"""

import random
from collections.abc import Sequence

from boxroom_engine.bots.protocol import BotBase
from boxroom_engine.games.protocol import Move, State
from boxroom_engine.stopping import Limit


class CarelessBot(BotBase):
    """`careless`: between `random` and `greedy`."""

    name = "careless"
    strength = 4

    def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
        """A move that takes something, or one that seems to cost nothing, or any."""
        captures = state.game.kind.abilities.captures
        if captures is not None:
            preferred: Sequence[Move] = tuple(captures.takes(state)) or captures.quiet(state)
        else:
            preferred = _wins(state, limit)
        return rng.choice(preferred or state.legal_moves())


def _wins(state: State, limit: Limit) -> list[Move]:
    """The moves that win at once, of those that there was time to look at."""
    seat = state.to_move
    wins: list[Move] = []
    for move in state.legal_moves():
        if limit.expired():
            break
        outcome = state.play(move).outcome
        if outcome is not None and outcome.winners == (seat,):
            wins.append(move)
    return wins
