"""The clock and timers of a server; tests bring their own.

The time of day jumps: people and NTP set it, and a machine without a battery for its clock starts
with a wrong one. So a running server reads it only once, and doesn't follow jumps until it is
started again.

A process stands still at times: it is stopped by a signal, a debugger or a busy machine, or its
event loop by a collection of garbage. Meanwhile no player can move, and what people send waits in
the sockets. So the server's time doesn't pass during such a *hold-up*, nor until what has waited
was read: each clock and each time limit goes on with what it had left.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol

logger = logging.getLogger(__name__)

DAY_MS = 86_400_000

BEAT_S = 0.1
"""Time between two calls by which a clock sees that the event loop runs."""

MOST_LATE_MS = 250
"""Time that may pass since the last beat; more is a hold-up."""

MOST_EARLY_MS = 5
"""How much too early a timer of the event loop may come: its resolution, and rounding."""

CHECK_EVERY_S = 60.0
"""Time between two comparisons with the time of day."""

MIN_JUMP_MS = 2_000
"""Least change of the time of day, compared with the server's, that is logged."""


_ALWAYS = 2**63


class Cancellable(Protocol):
    """A scheduled call."""

    def cancel(self) -> None:
        """Don't make the call."""


class Clock(Protocol):
    """The server's time, and calls scheduled for later."""

    def start(self) -> None:
        """Let no time pass while the running event loop is held up, until `stop`."""

    def stop(self) -> None:
        """End what `start` has begun."""

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
    still while the machine is suspended, so that no player's clock runs out meanwhile. From `start`
    to `stop` it stands still during hold-ups as well.
    """

    def __init__(
        self,
        time_of_day_ms: Callable[[], int] = time_of_day_ms,
        monotonic_ms: Callable[[], int] = _monotonic_ms,
    ) -> None:
        self._monotonic_ms = monotonic_ms
        self._offset_ms = time_of_day_ms() - monotonic_ms()
        self._until_ms = _ALWAYS  # monotonic time up to which time passes without another beat
        self._beat_ms = 0  # monotonic time of the last beat
        self._is_catching_up = False  # since the last beat, which came after a hold-up
        self._beat_timer: asyncio.TimerHandle | None = None  # from `start` to `stop`

    def now_ms(self) -> int:
        now_ms = self._monotonic_ms()
        # Asked for each command; `min` takes four times as long.
        return self._offset_ms + (now_ms if now_ms < self._until_ms else self._until_ms)  # noqa: FURB136

    def call_later(self, delay_s: float, callback: Callable[[], None]) -> Cancellable:
        return _ScheduledCall(self, delay_s, callback)

    async def sleep(self, delay_s: float) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        call = self.call_later(delay_s, lambda: done.set_result(None))
        try:
            await done
        finally:
            call.cancel()

    # Hold-ups

    @property
    def is_held_up(self) -> bool:
        """Whether time stands still now."""
        return self._monotonic_ms() >= self._until_ms

    def start(self) -> None:
        self._beat_ms = self._monotonic_ms()
        self._until_ms = self._beat_ms + MOST_LATE_MS
        self._beat_later()

    def stop(self) -> None:
        self._until_ms = _ALWAYS
        if self._beat_timer is not None:
            self._beat_timer.cancel()

    def _beat_later(self) -> None:
        self._beat_timer = asyncio.get_running_loop().call_later(BEAT_S, self._beat)

    def _beat(self) -> None:
        """Leave out a hold-up since the last beat, and the time to the next one after it.

        In that time the event loop reads what has waited in the sockets.
        """
        now_ms, before_ms = self._monotonic_ms(), self._beat_ms
        self._offset_ms -= max(0, now_ms - self._until_ms)
        is_late = now_ms - before_ms > MOST_LATE_MS
        self._is_catching_up = is_late and not self._is_catching_up
        self._beat_ms = now_ms
        self._until_ms = now_ms if self._is_catching_up else now_ms + MOST_LATE_MS
        self._beat_later()


class _ScheduledCall:
    """A call that `clock` makes when its own time has come, after hold-ups that is later."""

    __slots__ = ("_callback", "_clock", "_due_ms", "_is_put_off", "_timer")

    def __init__(self, clock: SystemClock, delay_s: float, callback: Callable[[], None]) -> None:
        self._clock = clock
        self._callback = callback
        self._due_ms = clock.now_ms() + delay_s * 1000
        self._is_put_off = False  # once, until sockets were read
        self._set(delay_s)

    def _set(self, delay_s: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(delay_s, self._run)

    def _run(self) -> None:
        left_ms = self._due_ms - self._clock.now_ms()
        if left_ms > MOST_EARLY_MS:
            self._set(left_ms / 1000)
        elif self._clock.is_held_up and not self._is_put_off:
            # uvloop makes late calls before it reads from sockets
            self._is_put_off = True
            self._set(BEAT_S)
        else:
            self._callback()

    def cancel(self) -> None:
        self._timer.cancel()


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
