"""What has happened and the shell hasn't taken yet: in order, and never without bound."""

import asyncio
from collections import deque
from collections.abc import Callable

from boxroom_client.link.updates import Entered, Finished, Happened, Happening

MOST_BEHIND = 1_000
"""Happenings that a shell may be behind."""


class Backlog:
    """A queue that never makes its writer wait.

    A writer that waited for the shell would deadlock with a shell that waits for an answer.
    So a shell that is too far behind is told where things stand now, instead of how they
    came to.
    """

    def __init__(self, where_we_are: Callable[[], Entered], most: int = MOST_BEHIND) -> None:
        self._where_we_are = where_we_are
        self._most = most
        self._waiting: deque[Happening] = deque()
        self._changed = asyncio.Event()
        self._finished = False

    def put(self, happening: Happening) -> None:
        """Add `happening`; nothing comes after `Finished`."""
        if self._finished:
            return
        self._finished = isinstance(happening, Finished)
        if len(self._waiting) >= self._most and not self._finished:
            self._waiting.clear()
            self._waiting.append(self._where_we_are())
            if isinstance(happening, Happened | Entered):
                return  # that is in it already
        self._waiting.append(happening)
        self._changed.set()

    async def take(self) -> Happening | None:
        """The next happening, as soon as there is one; None when `Finished` was taken."""
        while not self._waiting:
            if self._finished:
                return None
            self._changed.clear()
            await self._changed.wait()
        return self._waiting.popleft()
