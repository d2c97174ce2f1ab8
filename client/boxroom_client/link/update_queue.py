"""The bounded queue of updates between the connection and the shell."""

import asyncio
from collections import deque
from collections.abc import Callable

from boxroom_client.link.updates import EnteredRoom, EventApplied, SessionEnded, Update

MOST_BEHIND = 1_000
"""Updates that wait for the shell at most."""


class UpdateQueue:
    """A bounded queue that never makes its writer wait.

    A writer that waited for the shell would deadlock with a shell that waits for an answer.
    Instead, a shell that is too far behind gets a `snapshot` of the room in place of all updates
    that wait.
    """

    def __init__(self, snapshot: Callable[[], EnteredRoom], most: int = MOST_BEHIND) -> None:
        self._snapshot = snapshot
        self._most = most
        self._waiting: deque[Update] = deque()
        # Set when an update is added.
        self._changed = asyncio.Event()
        # Whether `SessionEnded` was added: nothing follows it.
        self._ended = False

    def put(self, update: Update) -> None:
        """Add `update`, unless `SessionEnded` was added before."""
        if self._ended:
            return
        self._ended = isinstance(update, SessionEnded)
        if len(self._waiting) >= self._most and not self._ended:
            self._waiting.clear()
            self._waiting.append(self._snapshot())
            if isinstance(update, EventApplied | EnteredRoom):
                return  # the snapshot contains it already
        self._waiting.append(update)
        self._changed.set()

    async def get(self) -> Update | None:
        """Wait for the next update and return it; None after `SessionEnded`."""
        while not self._waiting:
            if self._ended:
                return None
            self._changed.clear()
            await self._changed.wait()
        return self._waiting.popleft()
