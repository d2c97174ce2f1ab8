"""The interface of a bot."""

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Protocol, Self

from boxroom_engine.bots.options import BotOption, Value
from boxroom_engine.games.protocol import GameKind, Move, State
from boxroom_engine.stopping import Limit


class Bot(Protocol):
    """A player that computes. Stateless: all that it knows is in the arguments of `choose`."""

    @property
    def name(self) -> str:
        """The one word by which people seat it; the phrase `style.<name>` says how it plays."""

    @property
    def strength(self) -> int:
        """Its place among the bots by how strong it is at Dots and Boxes 5×5, from 0. No unit."""

    @property
    def options(self) -> tuple[BotOption, ...]:
        """Its options, which stand behind its name and a colon."""

    def with_options(self, chosen: Mapping[str, Value]) -> "Bot":
        """The same bot with `chosen`, which has a parsed value for each of `options`."""

    def supports(self, kind: GameKind) -> bool:
        """Whether it can play games of this kind."""

    def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
        """A legal move for the seat to move.

        The game must be of a kind that the bot supports, and not be over. The same state and
        the same state of `rng` give the same move, as long as neither `limit` expires nor a time
        that the bot sets itself.
        """


class BotBase:
    """The part of a `Bot` that most have in common: it plays any game, and an option is a field.

    A bot with options is a dataclass. The fields have the names of the options, and their units.
    """

    options: ClassVar[tuple[BotOption, ...]] = ()

    def with_options(self, chosen: Mapping[str, Value]) -> Self:
        return replace(self, **chosen) if chosen else self  # type: ignore[type-var]

    def supports(self, kind: GameKind) -> bool:
        return True
