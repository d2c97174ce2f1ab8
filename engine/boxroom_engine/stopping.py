"""The end of a search, which its caller sets: a stop condition, a token, or the time for a move.

The engine has no clock, so each is made with a function that tells the time. The kernel looks at
deadline and flag of a token while it runs without the interpreter, so they aren't a function.
"""

import math
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

from boxroom_engine.errors import BoxroomError
from boxroom_engine.phrases import Phrase

Stop = Callable[[], bool]
"""Returns True to end a search, such as `Limit.expired`; called every few positions."""

_POSITIONS_BETWEEN_CHECKS = 32


class SearchStopped(BoxroomError):
    """The search was told to give up before it had a result."""


def never() -> bool:
    """Return False: the stop condition of a search without a limit."""
    return False


class PositionCounter:
    """The number of positions that a search has visited, and its check of the stop condition."""

    def __init__(self, stop: Stop) -> None:
        self._stop = stop
        self.positions = 0
        """Number of positions so far."""

    def count(self) -> None:
        """Count one more position.

        Raises:
            SearchStopped: it is time to give up. The stop condition is checked at the first
                position, and then at every 32nd, because reading a clock takes about as long as
                playing a move.
        """
        if self.positions % _POSITIONS_BETWEEN_CHECKS == 0 and self._stop():
            raise SearchStopped
        self.positions += 1


def _forever() -> float:
    return math.inf


class StopToken:
    """Ends a search when its time is up, or once `set` was called, also by another thread.

    Called as a function it is a `Stop`.
    """

    def __init__(self, left_s: Callable[[], float] = _forever) -> None:
        self.left_s = left_s
        """Returns the seconds until the search has to end, by the clock of the caller.

        The kernel asks once, when it begins.
        """
        self.signals = array("q", (0, 0))
        """The flag, which isn't 0 once it is set, and `nodes`."""

    def __call__(self) -> bool:
        """Return whether to end the search."""
        return self.signals[0] != 0 or self.left_s() <= 0

    @property
    def nodes(self) -> int:
        """Number of positions, or playouts, of the search that ran last, or is running."""
        return self.signals[1]

    def is_met(self, nodes: int) -> bool:
        """Note the number of positions so far, and return whether to end the search."""
        self.signals[1] = nodes
        return self()

    def set(self) -> None:
        """End the search as soon as possible."""
        self.signals[0] = 1

    def within(self, left_s: Callable[[], float]) -> Self:
        """A token with the same flag that also ends a search when `left_s` returns 0 or less."""
        sooner = type(self)(lambda: min(left_s(), self.left_s()))
        sooner.signals = self.signals
        return sooner


def ignore_remark(said: Phrase) -> None:
    """Ignore a bot's remark."""


@dataclass(frozen=True, slots=True)
class Limit:
    """The time for one move, running from when the limit is made."""

    budget_s: float
    clock: Callable[[], float]
    """A clock in seconds that never goes back, such as `time.monotonic`."""
    remark: Callable[[Phrase], None] = ignore_remark
    """Takes a phrase without a full stop, for the table, about how the bot came to its move."""
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
