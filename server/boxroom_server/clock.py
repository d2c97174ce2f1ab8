"""The clock and timers of a server; tests bring their own."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

DAY_MS = 86_400_000


class Cancellable(Protocol):
    """A scheduled call."""

    def cancel(self) -> None:
        """Don't make the call."""


class Clock(Protocol):
    """The time of day, and calls scheduled for later."""

    def now_ms(self) -> int:
        """Milliseconds since the Unix epoch."""

    def call_later(self, delay_s: float, callback: Callable[[], None]) -> Cancellable:
        """Call `callback` on the event loop in `delay_s` seconds."""

    async def sleep(self, delay_s: float) -> None:
        """Return in `delay_s` seconds."""


class SystemClock:
    """The machine's clock and the running event loop."""

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def call_later(self, delay_s: float, callback: Callable[[], None]) -> Cancellable:
        return asyncio.get_running_loop().call_later(delay_s, callback)

    async def sleep(self, delay_s: float) -> None:
        await asyncio.sleep(delay_s)
