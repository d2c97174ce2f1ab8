"""The bot that plays any legal move, all with the same probability."""

import random

from boxroom_engine.bots.protocol import BotBase
from boxroom_engine.games.protocol import Move, State
from boxroom_engine.stopping import Limit


class UniformBot(BotBase):
    """`random`: the weakest opponent there is, and the measure for all others."""

    name = "random"
    strength = 0

    def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
        """Any legal move."""
        return rng.choice(state.legal_moves())
