"""`rough`: a bot that makes the move after which the opponent's prospects look worst.

It is a strategy of the Stonehenge assignment, for every game: it looks at the position after each
of its moves, and guesses the result there (`search.rough`). With more than two in play it looks at
the opponent with the best guess, and makes that one as bad as it can; of equal moves it plays one
with the best guess for itself.

In Dots and Boxes the guess counts what is on offer, and chains once nothing else is left; in
noughts and crosses it counts open lines. Other games have their own evaluation.
"""

import random

from boxroom_engine.bots.exhaustive import part_of
from boxroom_engine.bots.protocol import BotBase
from boxroom_engine.games.protocol import Move, State
from boxroom_engine.search.pruned import moves_to_search
from boxroom_engine.search.rough import rough_outcomes
from boxroom_engine.stopping import Limit, SearchStopped, Stop


class RoughBot(BotBase):
    """`rough`: sees two moves ahead, and guesses the rest."""

    name = "rough"
    strength = 11

    def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
        """A move with the worst guess for the others, of those looked at in time; else any."""
        moves = state.legal_moves()
        if len(moves) == 1:
            return moves[0]
        return rng.choice(
            _best_looking(state, part_of(limit, limit.budget_s).expired, rng) or moves
        )


def _best_looking(state: State, stop: Stop, rng: random.Random) -> list[Move]:
    """The moves that look best, of those that there was time to look at."""
    best: list[Move] = []
    most = (-1.0, -1.0)
    candidates = moves_to_search(state)
    try:
        for move in rng.sample(candidates, len(candidates)):
            worth = _worth(state, move, stop)
            if worth > most:
                best, most = [], worth
            if worth == most:
                best.append(move)
    except SearchStopped:
        pass
    return best


def _worth(state: State, move: Move, stop: Stop) -> tuple[float, float]:
    """The guess after `move` for the best opponent in play, negated, and that for the own seat.

    Raises:
        SearchStopped: the stop condition was met.
    """
    seat = state.to_move
    assert seat is not None
    if stop():
        raise SearchStopped
    guesses = list(rough_outcomes(state.play(move), stop))
    own = guesses.pop(seat)
    return -max(guesses, default=-own), own
