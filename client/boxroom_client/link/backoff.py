"""How long and how often a lost connection is tried again.

Exponential backoff with full jitter: each delay is drawn evenly between nothing and a ceiling
that doubles, so that the clients of a server that restarts don't come back all at once.
Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """Times in seconds, and where time and chance come from."""

    first_s: float = 0.25
    """The ceiling of the first delay."""
    most_s: float = 10.0
    """The ceiling that no delay exceeds."""
    give_up_s: float = 600.0
    """How long a trouble may last."""
    settled_s: float = 5.0
    """A connection that holds for so long ends the trouble: delays begin small again."""
    attempt_s: float = 10.0
    """How long connecting, greeting and entering may take together."""
    leave_s: float = 2.0
    """How long the server has to answer a good-bye."""
    slow_down_s: float = 0.5
    """The pause after the server found that we ask too fast."""
    pulse_s: float = 4.0
    """How often the server is asked whether it is there."""
    silence_s: float = 2.0
    """How long it may take with the answer before we say so."""
    rng: random.Random = field(default_factory=random.Random)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    rest: Callable[[float], Awaitable[None]] = asyncio.sleep
    """The same as `sleep`, for `pulse_s` and `silence_s`."""
    now: Callable[[], float] = time.monotonic

    def ceiling_s(self, attempt: int) -> float:
        """The longest delay before attempt number `attempt`, from 0."""
        doublings = min(attempt, 64)  # beyond that a float would overflow, and most_s is passed
        return min(self.most_s, self.first_s * 2.0**doublings)

    def delay_s(self, attempt: int) -> float:
        """A delay before attempt number `attempt`, from 0."""
        return self.rng.uniform(0.0, self.ceiling_s(attempt))


class RetrySchedule:
    """A time in which the connection is lost, or holds only for moments."""

    def __init__(self, backoff: Backoff) -> None:
        self._backoff = backoff
        self._began_s = backoff.now()
        self._attempts = 0

    def next_delay_s(self) -> float | None:
        """How long to wait before the next attempt, or None if it is time to give up."""
        if self._backoff.now() - self._began_s >= self._backoff.give_up_s:
            return None
        delay_s = self._backoff.delay_s(self._attempts)
        self._attempts += 1
        return delay_s
