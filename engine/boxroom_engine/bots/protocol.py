"""The interface of a bot, and the time limit for its moves."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from boxroom_engine.bots.options import BotOption, Value
from boxroom_engine.games.dots.solve.stop_token import StopToken
from boxroom_engine.games.protocol import GameKind, Move, State


def ignore_remark(text: str) -> None:
    """Ignore a bot's remark."""


@dataclass(frozen=True, slots=True)
class Limit:
    """The time for one move, running from when the limit is made."""

    budget_s: float
    clock: Callable[[], float]
    """A clock in seconds that never goes back, such as `time.monotonic`."""
    remark: Callable[[str], None] = ignore_remark
    """Takes a sentence without a full stop, for the table, about how the bot came to its move."""
    began_s: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "began_s", self.clock())

    def left_s(self) -> float:
        """The seconds that are left; negative when the time is up."""
        return self.began_s + self.budget_s - self.clock()

    def expired(self) -> bool:
        """Whether the time is up: the bot gives the best move that it has."""
        return self.left_s() <= 0

    @property
    def stop(self) -> StopToken:
        """A token that ends a solver's search when the time is up."""
        return StopToken(self.left_s)


class Bot(Protocol):
    """A player that computes. Stateless: all that it knows is in the arguments of `choose`."""

    @property
    def name(self) -> str:
        """The one word by which people seat it."""

    @property
    def strength(self) -> int:
        """Its place among the bots by how strong it is at Dots and Boxes 5×5, from 0. No unit."""

    @property
    def description(self) -> str:
        """Its style of play, in a few words for players who look for an opponent."""

    @property
    def options(self) -> tuple[BotOption, ...]:
        """Its options, as in `name:option=value`. See `WithoutOptions`."""

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
