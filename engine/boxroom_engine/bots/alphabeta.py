"""`alphabeta`: a bot that looks as far ahead as its time allows, at any game.

It is alpha-beta search that evaluates positions by `State.evaluate`, the points so far. So it sees
what can be won within its depth, and nothing of what decides later.
"""

import random
from dataclasses import dataclass
from typing import ClassVar

from boxroom_engine.bots.exhaustive import TIME, part_of
from boxroom_engine.bots.greedy import GreedyBot
from boxroom_engine.bots.options import BotOption
from boxroom_engine.bots.protocol import BotBase
from boxroom_engine.games.protocol import Move, Option, State
from boxroom_engine.search.alphabeta import MOST_MOVES_AHEAD, alpha_beta_search
from boxroom_engine.stopping import Limit

_DEPTH = Option("bot.alphabeta.depth", default=MOST_MOVES_AHEAD, least=1, most=MOST_MOVES_AHEAD)


@dataclass(frozen=True, slots=True)
class AlphaBetaBot(BotBase):
    """`alphabeta`: perfect where it sees to the end, before that as good as its evaluation."""

    time: float = TIME.default
    depth: int = int(_DEPTH.default)

    name = "alphabeta"
    strength = 6
    options: ClassVar[tuple[BotOption, ...]] = (TIME, _DEPTH)

    def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
        """The best move as far as it sees, or what `greedy` plays if it sees nothing in time."""
        moves = state.legal_moves()
        if len(moves) == 1:
            return moves[0]
        stop = part_of(limit, self.time).expired
        found = alpha_beta_search(state, rng, stop=stop, most_moves_ahead=self.depth)
        return GreedyBot().choose(state, limit, rng) if found is None else found.move
