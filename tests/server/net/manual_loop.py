"""An event loop whose timers tests run, one round after the other."""

from collections.abc import Callable


class ManualLoop:
    """Makes the scheduled calls when a test runs a round; its time stands still."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.ready: list[Callable[[], object]] = []
        self.timers: list[Callable[[], object]] = []

    def call_soon(self, callback: Callable[[], object], /) -> None:
        self.ready.append(callback)

    def call_later(self, delay_s: float, callback: Callable[[], object], /) -> None:
        self.timers.append(callback)

    def time(self) -> float:
        return self.now_s

    def run_round(self) -> None:
        """Make the calls of timers that were set before the round, then all others."""
        timers, self.timers = self.timers, []
        for callback in timers:
            callback()
        while self.ready:
            self.run_tick()

    def run_tick(self) -> None:
        """Make the calls that were to be made soon before the tick."""
        ready, self.ready = self.ready, []
        for callback in ready:
            callback()
