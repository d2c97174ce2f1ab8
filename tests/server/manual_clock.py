"""A clock that stands still until a test moves it."""

import asyncio
import heapq
from collections.abc import Callable
from itertools import count

NOON_MS = 1_700_000_000_000


class Alarm:
    """A call that was put off, until it is made or cancelled."""

    def __init__(self, callback: Callable[[], None]) -> None:
        self.callback: Callable[[], None] | None = callback

    def cancel(self) -> None:
        self.callback = None


class ManualClock:
    """A `boxroom_server.clock.Clock` whose time passes in `advance` only."""

    def __init__(self) -> None:
        self._now_s = 0.0
        self.behind_s = 0.0
        """By how much the time of day was set back, which doesn't move the calls."""
        self._order = count()
        self._alarms: list[tuple[float, int, Alarm]] = []

    def now_ms(self) -> int:
        return NOON_MS + round((self._now_s - self.behind_s) * 1000)

    def call_later(self, delay_s: float, callback: Callable[[], None]) -> Alarm:
        alarm = Alarm(callback)
        heapq.heappush(self._alarms, (self._now_s + max(0.0, delay_s), next(self._order), alarm))
        if delay_s <= 0:
            asyncio.get_running_loop().call_soon(self.advance, 0.0)
        return alarm

    async def sleep(self, delay_s: float) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        alarm = self.call_later(delay_s, lambda: done.set_result(None))
        try:
            await done
        finally:
            alarm.cancel()

    def advance(self, seconds: float) -> None:
        """Let time pass, and make the calls that fall due, each at its own time."""
        until_s = self._now_s + seconds
        while self._alarms and self._alarms[0][0] <= until_s:
            at_s, _, alarm = heapq.heappop(self._alarms)
            self._now_s = max(self._now_s, at_s)
            if alarm.callback is not None:
                alarm.callback()
        self._now_s = until_s

    @property
    def waiting(self) -> int:
        """How many calls are still to be made."""
        return sum(alarm.callback is not None for _, _, alarm in self._alarms)
