"""`chain`: a bot that plays for the parity of long chains, and declines boxes to keep control.

While two are in play it asks the game for the move (`Abilities.long_chain_move`).

With three or more in play no player is in control: a player that declines boxes leaves them to the
next one, and it is a third who has to move on. Then it plays as `greedy` does.
"""

import random
from dataclasses import dataclass
from typing import ClassVar

from boxroom_engine.bots.greedy import GreedyBot
from boxroom_engine.bots.options import BotOption
from boxroom_engine.bots.protocol import BotBase
from boxroom_engine.games.protocol import GameKind, Move, Option, State
from boxroom_engine.stopping import Limit

_MAX_PLY = Option("bot.chain.max_ply", default=6, least=1, most=12)


@dataclass(frozen=True, slots=True)
class ChainBot(BotBase):
    """`chain`: beats bots that never decline a box, and loses to those that look further ahead."""

    max_ply: int = int(_MAX_PLY.default)

    name = "chain"
    strength = 13
    options: ClassVar[tuple[BotOption, ...]] = (_MAX_PLY,)

    def supports(self, kind: GameKind) -> bool:
        """Games with long chains: Dots and Boxes alone."""
        return kind.abilities.long_chain_move is not None

    def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
        """A move that is best for control, equals at random; in `limit`, the best so far."""
        long_chain_move = state.game.kind.abilities.long_chain_move
        assert long_chain_move is not None, "a game that it supports"
        if state.game.seats - len(state.withdrawn) != 2:
            return GreedyBot().choose(state, limit, rng)
        return long_chain_move(state, self.max_ply, limit, rng)
