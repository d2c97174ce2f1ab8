"""What has happened and the shell hasn't taken yet: in order, and never without bound."""

import asyncio
from collections import deque
from collections.abc import Callable

from boxroom_client.link.updates import EnteredRoom, EventApplied, SessionEnded, Update

MOST_BEHIND = 1_000
"""Happenings that a shell may be behind."""


class Backlog:
    """A queue that never makes its writer wait.

    A writer that waited for the shell would deadlock with a shell that waits for an answer.
    So a shell that is too far behind is told where things stand now, instead of how they
    came to.
    """

    def __init__(self, snapshot: Callable[[], EnteredRoom], most: int = MOST_BEHIND) -> None:
        self._snapshot = snapshot
        self._most = most
        self._waiting: deque[Update] = deque()
        self._changed = asyncio.Event()
        self._finished = False

    def put(self, update: Update) -> None:
        """Add `update`; nothing comes after `SessionEnded`."""
        if self._finished:
            return
        self._finished = isinstance(update, SessionEnded)
        if len(self._waiting) >= self._most and not self._finished:
            self._waiting.clear()
            self._waiting.append(self._snapshot())
            if isinstance(update, EventApplied | EnteredRoom):
                return  # that is in it already
        self._waiting.append(update)
        self._changed.set()

    async def take(self) -> Update | None:
        """The next happening, as soon as there is one; None when `SessionEnded` was taken."""
        while not self._waiting:
            if self._finished:
                return None
            self._changed.clear()
            await self._changed.wait()
        return self._waiting.popleft()
