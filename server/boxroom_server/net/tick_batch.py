"""A round: what comes up in one turn of the event loop for many connections, done in one go.

Reading, deciding and sending take turns with system calls otherwise, and each of them finds
the processor's caches and branch predictors as the other one has left them, which doubles the
time that they take (see docs/benchmarks.md).
"""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class TickBatch(Generic[T]):
    """Things that wait for the end of this turn of the event loop, each for its `work`.

    `work` mustn't raise.
    """

    def __init__(self, work: Callable[[T], None]) -> None:
        self._work = work
        self._waiting: list[T] = []

    def add(self, thing: T) -> None:
        """Let the work be done on `thing`, after all that were added before."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self.go)
        self._waiting.append(thing)

    def go(self) -> None:
        """Do the work now."""
        waiting, self._waiting = self._waiting, []
        work = self._work
        for thing in waiting:
            work(thing)
