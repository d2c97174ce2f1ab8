"""A clock that stands still until a test moves it."""

import asyncio
import heapq
from collections.abc import Callable
from itertools import count

NOON_MS = 1_700_000_000_000


class ScheduledCall:
    """A scheduled call."""

    def __init__(self, callback: Callable[[], None]) -> None:
        self.callback: Callable[[], None] | None = callback

    def cancel(self) -> None:
        self.callback = None


class ManualClock:
    """A `boxroom_server.clock.Clock` whose time passes in `advance` only."""

    def __init__(self) -> None:
        self._now_s = 0.0
        self.behind_s = 0.0
        """Seconds by which the time of day was set back; scheduled calls don't move."""
        self._order = count()  # breaks ties between calls of the same time
        self._calls: list[tuple[float, int, ScheduledCall]] = []

    def start(self) -> None:
        """Nothing holds it up: its time passes in `advance` only."""

    def stop(self) -> None:
        pass

    def now_ms(self) -> int:
        return NOON_MS + round((self._now_s - self.behind_s) * 1000)

    def call_later(self, delay_s: float, callback: Callable[[], None]) -> ScheduledCall:
        call = ScheduledCall(callback)
        heapq.heappush(self._calls, (self._now_s + max(0.0, delay_s), next(self._order), call))
        if delay_s <= 0:
            asyncio.get_running_loop().call_soon(self.advance, 0.0)
        return call

    async def sleep(self, delay_s: float) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        call = self.call_later(delay_s, lambda: None if done.done() else done.set_result(None))
        try:
            await done
        finally:
            call.cancel()

    def advance(self, seconds: float) -> None:
        """Let time pass, and make the calls that fall due, each at its time."""
        until_s = self._now_s + seconds
        while self._calls and self._calls[0][0] <= until_s:
            at_s, _, call = heapq.heappop(self._calls)
            self._now_s = max(self._now_s, at_s)
            if call.callback is not None:
                call.callback()
        self._now_s = until_s

    @property
    def waiting(self) -> int:
        """How many scheduled calls are left."""
        return sum(call.callback is not None for _, _, call in self._calls)
