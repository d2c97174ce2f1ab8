"""Time as the server sees it; tests bring their own."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Cancellable(Protocol):
    """A call that was put off."""

    def cancel(self) -> None:
        """Don't make it after all."""


class Clock(Protocol):
    """Tells the time and makes calls later."""

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
