"""Exponential backoff for lost connections, and the other timeouts of a connection.

The backoff has full jitter: each delay is drawn evenly between 0 and a ceiling that doubles, so
that the clients of a server that restarts don't return all at once.
Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """Timeouts and delays in seconds, with the clock and the random numbers they use."""

    first_s: float = 0.25
    """Ceiling of the first delay."""
    most_s: float = 10.0
    """Limit of all ceilings."""
    give_up_s: float = 600.0
    """Time after which an outage ends the session."""
    settled_s: float = 5.0
    """Time that a connection must hold to end an outage: delays then begin small again."""
    attempt_s: float = 10.0
    """Timeout of one attempt to connect, say hello and enter the room."""
    leave_s: float = 2.0
    """Timeout for the server's answer to `Leave`."""
    slow_down_s: float = 0.5
    """Pause after the server refused a command as too fast."""
    pulse_s: float = 4.0
    """Interval between pings."""
    silence_s: float = 2.0
    """Time without an answer to a ping after which the server counts as silent."""
    answer_s: float = 5.0
    """Time without an answer to a command after which a second connection is opened."""
    rng: random.Random = field(default_factory=random.Random)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    rest: Callable[[float], Awaitable[None]] = asyncio.sleep
    """Sleep for `pulse_s` and `silence_s`, apart from `sleep` so that tests can replace one."""
    wait: Callable[[float], Awaitable[None]] = asyncio.sleep
    """Sleep until an answer is overdue, apart from the others for the same reason."""
    now: Callable[[], float] = time.monotonic

    def ceiling_s(self, attempt: int) -> float:
        """Return the longest delay before attempt number `attempt`, from 0."""
        doublings = min(attempt, 64)  # beyond that a float would overflow, and most_s is passed
        return min(self.most_s, self.first_s * 2.0**doublings)

    def delay_s(self, attempt: int) -> float:
        """Draw the delay before attempt number `attempt`, from 0."""
        return self.rng.uniform(0.0, self.ceiling_s(attempt))


class RetrySchedule:
    """Delays between the attempts of one outage.

    An outage also includes connections that hold for less than `settled_s`.
    """

    def __init__(self, backoff: Backoff) -> None:
        self._backoff = backoff
        # Time at which the outage began.
        self._began_s = backoff.now()
        # Delays drawn so far.
        self._attempts = 0

    def next_delay_s(self) -> float | None:
        """Draw the delay before the next attempt, or return None when it is time to give up."""
        if self._backoff.now() - self._began_s >= self._backoff.give_up_s:
            return None
        delay_s = self._backoff.delay_s(self._attempts)
        self._attempts += 1
        return delay_s
