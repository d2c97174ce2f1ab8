"""The clock and timers of a server; tests bring their own.

The time of day jumps: people and NTP set it, and a machine without a battery for its clock starts
with a wrong one. So a running server reads it only once, and doesn't follow jumps until it is
started again.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol

logger = logging.getLogger(__name__)

DAY_MS = 86_400_000

CHECK_EVERY_S = 60.0
"""Time between two comparisons with the time of day."""

MIN_JUMP_MS = 2_000
"""Least change of the time of day, compared with the server's, that is logged."""


class Cancellable(Protocol):
    """A scheduled call."""

    def cancel(self) -> None:
        """Don't make the call."""


class Clock(Protocol):
    """The server's time, and calls scheduled for later."""

    def now_ms(self) -> int:
        """Milliseconds since the Unix epoch; never goes back, and passes as in `call_later`."""

    def call_later(self, delay_s: float, callback: Callable[[], None]) -> Cancellable:
        """Call `callback` on the event loop in `delay_s` seconds."""

    async def sleep(self, delay_s: float) -> None:
        """Return in `delay_s` seconds."""


def time_of_day_ms() -> int:
    """Return the machine's time of day, in milliseconds since the Unix epoch."""
    return time.time_ns() // 1_000_000


def _monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class SystemClock:
    """The running event loop, and the time of day when this was made, counted on from there.

    It counts by the monotonic clock, as the event loop does. On Linux and macOS that one stands
    still while the machine is suspended, so that no player's clock runs out meanwhile.
    """

    def __init__(
        self,
        time_of_day_ms: Callable[[], int] = time_of_day_ms,
        monotonic_ms: Callable[[], int] = _monotonic_ms,
    ) -> None:
        self._monotonic_ms = monotonic_ms
        self._offset_ms = time_of_day_ms() - monotonic_ms()

    def now_ms(self) -> int:
        return self._offset_ms + self._monotonic_ms()

    def call_later(self, delay_s: float, callback: Callable[[], None]) -> Cancellable:
        return asyncio.get_running_loop().call_later(delay_s, callback)

    async def sleep(self, delay_s: float) -> None:
        await asyncio.sleep(delay_s)


async def log_jumps_forever(
    clock: Clock, time_of_day_ms: Callable[[], int] = time_of_day_ms
) -> None:
    """Log each jump of the time of day once, with both times, until cancelled."""
    ahead_ms = time_of_day_ms() - clock.now_ms()
    while True:
        await clock.sleep(CHECK_EVERY_S)
        before_ms, ahead_ms = ahead_ms, time_of_day_ms() - clock.now_ms()
        jump_ms = ahead_ms - before_ms
        if abs(jump_ms) >= MIN_JUMP_MS:
            now_ms = clock.now_ms()
            logger.warning(
                "the time of day has jumped %s %s, to %s: this server goes on from %s until it"
                " is started again",
                span_text(jump_ms / 1000),
                "ahead" if jump_ms > 0 else "back",
                utc_text(now_ms + ahead_ms),
                utc_text(now_ms),
            )


def span_text(seconds: float) -> str:
    """Return a span of time for people, without its sign: `12 s`, `3 min`, `5 h`, `9 days`."""
    span_s = round(abs(seconds))
    for unit, size in (("days", 86_400), ("h", 3_600), ("min", 60)):
        if span_s >= 2 * size:
            return f"{span_s // size} {unit}"
    return f"{span_s} s"


def utc_text(at_ms: int) -> str:
    """Return a time for people who read the log: `2026-03-01 12:00:00 UTC`."""
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"
