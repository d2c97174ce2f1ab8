"""Batching by event-loop tick: work of many connections is collected and done at the tick's end.

Interleaved with system calls, reading, deciding and sending each find the processor's caches and
branch predictors cold, which doubles the time that they take (see docs/benchmarks.md).
"""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class TickBatch(Generic[T]):
    """Items that wait for the end of this tick of the event loop, when `process` gets each of them.

    `process` mustn't raise.
    """

    def __init__(self, process: Callable[[T], None]) -> None:
        self._process = process
        self._items: list[T] = []  # in the order of `add`

    def add(self, item: T) -> None:
        """Have `item` processed at the end of the tick, after all items added before."""
        if not self._items:
            asyncio.get_running_loop().call_soon(self.run)
        self._items.append(item)

    def run(self) -> None:
        """Process all items now."""
        items, self._items = self._items, []
        process = self._process
        for item in items:
            process(item)
