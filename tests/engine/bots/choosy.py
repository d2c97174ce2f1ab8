"""A bot with an option of every kind, for tests: there is nothing else to it."""

import random
from collections.abc import Mapping
from dataclasses import dataclass

from boxroom_engine.bots.options import BotOption, DecimalOption, Value
from boxroom_engine.bots.protocol import Bot
from boxroom_engine.games.protocol import GameKind, Move, Option, State
from boxroom_engine.stopping import Limit


@dataclass(frozen=True)
class Choosy:
    """Plays the move whose place among the legal ones is its `ply`, as far as there are so many."""

    ply: int = 0
    time: float = 0.3
    style: str = "calm"

    name = "choosy"
    strength = 1000
    options: tuple[BotOption, ...] = (
        Option("choosy.ply", default=0, most=50),
        DecimalOption("choosy.time", default=0.3, least=0.01, most=60),
        Option("choosy.style", default="calm", choices=("calm", "wild")),
    )

    def supports(self, kind: GameKind) -> bool:
        return kind.name == "dots"

    def with_options(self, chosen: Mapping[str, Value]) -> Bot:
        return Choosy(int(chosen["ply"]), float(chosen["time"]), str(chosen["style"]))

    def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
        moves = state.legal_moves()
        return moves[min(self.ply, len(moves) - 1)]
