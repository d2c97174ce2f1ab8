"""Work that arrives all at once and is done a little in each tick of the event loop."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

logger = logging.getLogger(__name__)

ItemT = TypeVar("ItemT")


class WorkQueue(Generic[ItemT]):
    """Items that wait to be handled, at most `at_once` in one tick, in the order of `add`.

    Between two ticks the event loop reads from its sockets, so however many items there are, a
    message waits for one portion of them. An error is logged, and the next item handled.
    """

    def __init__(self, handle: Callable[[ItemT], None], at_once: int) -> None:
        self._handle = handle
        self._at_once = at_once
        self._waiting: deque[ItemT] = deque()

    def add(self, item: ItemT) -> None:
        """Handle `item` in the next tick that has time for it."""
        if not self._waiting:
            self._continue_later()
        self._waiting.append(item)

    def handle_all(self) -> None:
        """Handle all items now, as at the end of the server."""
        while self._waiting:
            self._handle_some()

    def _continue_later(self) -> None:
        asyncio.get_running_loop().call_soon(self._handle_some)

    def _handle_some(self) -> None:
        for _ in range(min(self._at_once, len(self._waiting))):
            try:
                self._handle(self._waiting.popleft())
            except Exception:
                logger.exception("an item of work couldn't be handled")
        if self._waiting:
            self._continue_later()
