"""An event loop whose time passes only while it has nothing to do, and in hold-ups."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any


class _Selector(selectors.SelectSelector):
    """A selector that doesn't wait: instead of that time passes."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 1_000.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout:
            self.now_s += timeout
        return ready


class SimulatedLoop(asyncio.SelectorEventLoop):
    """An event loop for coroutines that wait for time only."""

    def __init__(self) -> None:
        self._simulated = _Selector()
        super().__init__(self._simulated)

    def time(self) -> float:
        return self._simulated.now_s

    def monotonic_ms(self) -> int:
        """Time in milliseconds, for a `SystemClock`."""
        return round(self._simulated.now_s * 1000)

    def hold_up(self, seconds: float) -> None:
        """Let time pass in which the loop does nothing, such as that of a SIGSTOP."""
        self._simulated.now_s += seconds


def simulate(work: Coroutine[Any, Any, None]) -> None:
    """Run `work` on a `SimulatedLoop`."""
    with asyncio.Runner(loop_factory=SimulatedLoop) as runner:
        runner.run(work)
