"""`expert`: the strongest bot, by the best move that the game can find (`Abilities.best_move`).

In games that can't find one by themselves it searches.
"""

import random
from dataclasses import dataclass
from typing import ClassVar

from boxroom_engine.bots.alphabeta import AlphaBetaBot
from boxroom_engine.bots.greedy import GreedyBot
from boxroom_engine.bots.minimax import MOST_MOVES_FOR_MAX_N, MinimaxBot
from boxroom_engine.bots.options import BotOption, DecimalOption
from boxroom_engine.bots.protocol import Bot, BotBase
from boxroom_engine.games.protocol import Move, State
from boxroom_engine.stopping import Limit

_TIME = DecimalOption("bot.expert.time", default=0.5, least=0.01, most=3600)


@dataclass(frozen=True, slots=True)
class ExpertBot(BotBase):
    """`expert`: the strongest bot."""

    time: float = _TIME.default

    name = "expert"
    strength = 16
    options: ClassVar[tuple[BotOption, ...]] = (_TIME,)

    def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
        """The best move that it finds in its time, or before `limit` expires."""
        best_move = state.game.kind.abilities.best_move
        if best_move is None:
            return _elsewhere(state, self.time).choose(state, limit, rng)
        if state.game.seats == 1:  # whatever it plays, it gets all that can be won
            return GreedyBot().choose(state, limit, rng)
        return best_move(state, self.time, limit, rng)


def _elsewhere(state: State, time_s: float) -> Bot:
    """The bot for a game that finds no best move: `minimax` where it is perfect."""
    is_near_end = state.game.longest - state.ply <= MOST_MOVES_FOR_MAX_N
    return MinimaxBot() if is_near_end else AlphaBetaBot(time=time_s)
