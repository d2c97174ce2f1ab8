"""Where rooms' logs are kept: the protocol, and the log in memory.

A room is its log. Its host appends to it and follows it, and so learns its own entries in
the same way as those of any other writer: nothing is delivered twice, or before it is kept.
"""

import asyncio
from collections.abc import Callable
from typing import Protocol

from boxroom_engine.room.events import Entry

Deliver = Callable[[Entry], None]


class Conflict(Exception):
    """Somebody else appended first; followers have been given what they appended."""


class RoomLog(Protocol):
    """The logs of all rooms of a server."""

    def append(self, room: str, entry: Entry) -> asyncio.Future[None]:
        """Keep `entry` as the next one of `room`.

        The future is done once it is kept and every follower in this process has been given
        it, which may be so at once. Its exception is `Conflict` if `entry.seq` isn't the next
        number of that log.
        """

    def follow(self, room: str, deliver: Deliver) -> Callable[[], None]:
        """Have `deliver` called with each entry of `room` from now on, in order.

        The call is made on the event loop. The function that is returned ends it.
        """

    async def forget(self, room: str) -> None:
        """Delete the log of `room`."""


class MemoryLog:
    """Logs that end with the process. It keeps no entries: a room's host has what it needs."""

    def __init__(self) -> None:
        self._next_seq: dict[str, int] = {}
        self._followers: dict[str, list[Deliver]] = {}
        self._kept = asyncio.get_running_loop().create_future()
        self._kept.set_result(None)

    def append(self, room: str, entry: Entry) -> asyncio.Future[None]:
        """Number the entry and hand it on at once; see `RoomLog.append`."""
        if entry.seq != self._next_seq.get(room, 1):
            refused: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            refused.set_exception(Conflict(room))
            return refused
        self._next_seq[room] = entry.seq + len(entry.events)
        for deliver in self._followers.get(room, ()):
            deliver(entry)
        return self._kept

    def follow(self, room: str, deliver: Deliver) -> Callable[[], None]:
        """See `RoomLog.follow`."""
        followers = self._followers.setdefault(room, [])
        followers.append(deliver)
        return lambda: followers.remove(deliver)

    async def forget(self, room: str) -> None:
        """Forget the numbering and the followers of `room`."""
        self._next_seq.pop(room, None)
        self._followers.pop(room, None)
