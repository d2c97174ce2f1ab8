"""A player that errs as people do: it overlooks, doesn't look, miscounts, and tires of counting.

In a game of captures (`Abilities.captures`), such as Dots and Boxes, it plays this flow chart::

    sees no box to take, and doesn't look what it gives away?     yes: draw any line
           no
    sees all that can be taken, and isn't tired of counting?      yes: think
           no
    go through the flow chart of `greedy` with the boxes that it sees, and the chains as it counts

So its errors are those of people: a box at the other end of the board stays where it is, a line is
drawn as a third side, the wrong chain is given away, and the last two boxes of a chain are taken
where declining them is worth more. The eye is already where boxes were taken: those beside them
aren't overlooked, but a small child forgets to go on.

In other games it sees only some of the moves, and doesn't always look at the replies.
"""

import random
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from boxroom_engine.bots.greedy import best_at_once, flow_chart
from boxroom_engine.bots.protocol import Bot
from boxroom_engine.games.abilities import CaptureTheory
from boxroom_engine.games.protocol import Move, State
from boxroom_engine.stopping import Limit

_WRONG_BY = 0.5
"""The share by which a miscounted chain seems longer or shorter at most."""


@dataclass(frozen=True, slots=True)
class Person:
    """A player by its errors, each as the chance that it happens, 0 to 1."""

    overlooks: float = 0.0
    """For each move that takes something; in games without captures for each move."""
    breaks_off: float = 0.0
    """For each move that goes on where it has just taken something: it forgets to go on."""
    careless: float = 0.0
    """For each turn in which it sees nothing to take: it doesn't look what it gives away. In games
    without captures for each turn: it doesn't look at the replies."""
    miscounts: float = 0.0
    """For each length of chains: they seem longer or shorter than they are."""
    tires: float = 0.0
    """For each line, or other move, that can be made: so a full board tires most."""
    thinks: Bot | None = None
    """The bot as which it plays as long as it isn't tired; None: it doesn't look ahead."""
    tired: Bot | None = None
    """The bot as which it plays when it is; None: by the flow chart alone."""

    def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
        """A legal move, by the promises of `Bot.choose`."""
        captures = state.game.kind.abilities.captures
        if captures is None:
            return self._by_value(state, limit, rng)
        return self._by_captures(state, captures, limit, rng)

    def _by_captures(
        self, state: State, captures: CaptureTheory[Any], limit: Limit, rng: random.Random
    ) -> Move:
        takes = captures.takes(state)
        seen = self._seen(takes, captures.at_hand(state), rng)
        if not seen and rng.random() < self.careless:
            moves = state.legal_moves()
            return rng.choice([move for move in moves if move not in takes] or moves)
        bot = self._bot(state, rng)
        if bot is not None and len(seen) == len(takes):
            return bot.choose(state, limit, rng)
        found = flow_chart(state, captures, seen, self._counter(rng))
        return rng.choice(found or state.legal_moves())

    def _by_value(self, state: State, limit: Limit, rng: random.Random) -> Move:
        bot = self._bot(state, rng)
        if bot is not None:
            return bot.choose(state, limit, rng)
        moves = state.legal_moves()
        seen = [move for move in moves if rng.random() >= self.overlooks] or moves
        sees_replies = rng.random() >= self.careless
        return rng.choice(best_at_once(state, seen, limit, sees_replies=sees_replies))

    def _seen(
        self, takes: Mapping[Move, int], at_hand: Container[Move], rng: random.Random
    ) -> dict[Move, int]:
        """Those of `takes` that it doesn't overlook."""
        return {
            move: things
            for move, things in takes.items()
            if rng.random() >= (self.breaks_off if move in at_hand else self.overlooks)
        }

    def _bot(self, state: State, rng: random.Random) -> Bot | None:
        patience = (1 - self.tires) ** len(state.legal_moves())
        return self.thinks if rng.random() < patience else self.tired

    def _counter(self, rng: random.Random) -> Callable[[int], float]:
        """A function that counts a chain, equal ones alike."""

        @cache
        def counted(length: int) -> float:
            if rng.random() >= self.miscounts:
                return length
            return length * rng.uniform(1 - _WRONG_BY, 1 + _WRONG_BY)

        return counted
