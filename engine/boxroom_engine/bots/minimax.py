"""`minimax`: a bot that plays perfectly as soon as it can search to the end.

Two in play: the game's own solver (`Abilities.perfect_moves`), if it has one, for all that this can
search in its time. Else: max^n to the end of the game, when few moves are left, or the game has few
positions.

Where neither gets to the end, it plays as `chain:max_ply=10` does, or as `greedy` in games that
have no chains.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from boxroom_engine.bots.chain import ChainBot
from boxroom_engine.bots.exhaustive import part_of
from boxroom_engine.bots.greedy import GreedyBot
from boxroom_engine.bots.options import BotOption, DecimalOption
from boxroom_engine.bots.protocol import Bot, BotBase
from boxroom_engine.games.abilities import PerfectMoves
from boxroom_engine.games.protocol import Move, State
from boxroom_engine.search.max_n import MaxNSearch, best_moves
from boxroom_engine.search.random_replies import most_promising_moves
from boxroom_engine.stopping import Limit, SearchStopped

_TIME = DecimalOption("bot.minimax.time", default=0.5, least=0.01, most=60)
_CHAIN = ChainBot(max_ply=10)
"""The bot that plays otherwise: where the solver fails the end isn't far, so it looks ahead."""

MOST_MOVES_FOR_MAX_N = 9
"""Noughts and crosses 3×3 has no more, and Dots and Boxes for three takes half a second with them;
with two more, ten times that."""

_MOST_MOVES_TRIED = 100
"""With more of them no search to the end is tried, nor in a game that needs a solver of its own."""

_FEW_PLAYS = 20_000
"""A search that is only tried plays about so many moves, which takes a tenth of a second. That is
enough for a game with few positions however long it is, such as Subtract Square."""


@dataclass(frozen=True, slots=True)
class MinimaxBot(BotBase):
    """`minimax`: can't be beaten once it sees to the end."""

    time: float = _TIME.default

    name = "minimax"
    strength = 15
    options: ClassVar[tuple[BotOption, ...]] = (_TIME,)

    def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
        """A perfect move if one is found in time, of several the best against replies at random."""
        moves = state.legal_moves()
        if len(moves) == 1:
            return moves[0]
        search_limit = part_of(limit, self.time)
        perfect_moves = state.game.kind.abilities.perfect_moves
        if perfect_moves is not None and state.game.seats - len(state.withdrawn) == 2:
            perfect = _perfect_for_two(perfect_moves(state, search_limit), state, search_limit)
        else:
            perfect = _perfect_for_each(state, search_limit)
        return rng.choice(perfect) if perfect else _otherwise(state).choose(state, limit, rng)


def _perfect_for_two(found: PerfectMoves[Any], state: State, limit: Limit) -> Sequence[Move]:
    """Those of the perfect moves after which a reply at random gives most away, if it is known."""
    if found.margin is None:
        return found.moves
    values = dict.fromkeys(found.moves, 0.0)
    return most_promising_moves(state, values, found.margin, limit.expired, most_replies=1)


def _perfect_for_each(state: State, limit: Limit) -> Sequence[Move]:
    """The moves with which the seat to move ends best; none if there is no time."""
    left, most_positions = state.game.longest - state.ply, math.inf
    if left > MOST_MOVES_FOR_MAX_N:
        has_solver = state.game.kind.abilities.perfect_moves is not None
        if has_solver or left > _MOST_MOVES_TRIED:
            return []
        most_positions = _FEW_PLAYS / len(state.legal_moves())
    search = MaxNSearch(lambda: limit.expired() or search.positions > most_positions)
    try:
        values = best_moves(state, search.scores_of_moves(state))
        return most_promising_moves(state, values, search.value, limit.expired)
    except (SearchStopped, RecursionError):
        return []


def _otherwise(state: State) -> Bot:
    """The bot that plays where nothing perfect is found."""
    return _CHAIN if _CHAIN.supports(state.game.kind) else GreedyBot()
