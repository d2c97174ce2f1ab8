"""A bot that plays as a learner does."""

import random
from dataclasses import dataclass

from boxroom_engine.bots.person import Person
from boxroom_engine.bots.protocol import BotBase
from boxroom_engine.games.protocol import GameKind, Move, State
from boxroom_engine.stopping import Limit


@dataclass(frozen=True, slots=True)
class Learner(BotBase):
    """A person who plays some of the moves at random."""

    name: str
    person: Person
    at_random: float = 0.0
    """Share of the moves that are any, as when lines are drawn for the fun of it."""

    strength = 0

    def supports(self, kind: GameKind) -> bool:
        """Games of captures: their learners are known."""
        return kind.abilities.captures is not None

    def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
        if rng.random() < self.at_random:
            return rng.choice(state.legal_moves())
        return self.person.choose(state, limit, rng)
