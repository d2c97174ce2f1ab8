"""`mcts`: Monte-Carlo tree search at any game and for any number of players."""

import random
from dataclasses import dataclass
from typing import ClassVar

from boxroom_engine.bots.exhaustive import TIME, part_of
from boxroom_engine.bots.greedy import GreedyBot
from boxroom_engine.bots.options import BotOption
from boxroom_engine.bots.protocol import BotBase
from boxroom_engine.games.protocol import Move, State
from boxroom_engine.search.max_n import MaxNSearch, best_moves
from boxroom_engine.search.mcts import uct_search
from boxroom_engine.search.random_replies import most_promising_moves
from boxroom_engine.stopping import Limit


@dataclass(frozen=True, slots=True)
class MctsBot(BotBase):
    """`mcts`: needs no knowledge of the game; good where random games are informative."""

    time: float = TIME.default

    name = "mcts"
    strength = 1
    options: ClassVar[tuple[BotOption, ...]] = (TIME,)

    def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
        """The best move in its time, or that of `greedy` if not even one game got to its end."""
        moves = state.legal_moves()
        if len(moves) == 1:
            return moves[0]
        stop = part_of(limit, self.time).expired
        found = uct_search(state, rng, stop=stop)
        if found.is_exact:
            reached = {each.move: each.scores for each in found.root_moves if each.scores}
            values = best_moves(state, reached)
            return rng.choice(most_promising_moves(state, values, MaxNSearch(stop).value, stop))
        return GreedyBot().choose(state, limit, rng) if found.best is None else found.best.move
