"""An event loop of which tests run one tick after the other."""

from collections.abc import Callable


class ManualLoop:
    """Runs what `call_soon` was given when a test runs a tick; its time stands still."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.ready: list[Callable[[], object]] = []

    def call_soon(self, callback: Callable[[], object]) -> None:
        self.ready.append(callback)

    def time(self) -> float:
        return self.now_s

    def run_tick(self) -> None:
        """Run what was ready before the tick."""
        ready, self.ready = self.ready, []
        for callback in ready:
            callback()
