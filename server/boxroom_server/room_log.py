"""Where rooms' logs are kept: the protocol, and the log in memory.

A room is its log. Its host appends to it and follows it, and so learns its own entries in
the same way as those of any other writer: nothing is delivered twice, or before it is kept.
"""

from collections.abc import Callable
from typing import Protocol

from boxroom_engine.room.events import Entry

Deliver = Callable[[Entry], None]


class Conflict(Exception):
    """Somebody else appended first; followers have been given what they appended."""


class RoomLog(Protocol):
    """The logs of all rooms of a server."""

    async def append(self, room: str, entry: Entry) -> None:
        """Keep `entry` as the next one of `room`.

        Returns once it is kept and every follower in this process has been given it.

        Raises:
            Conflict: `entry.seq` isn't the next number of that log.
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

    async def append(self, room: str, entry: Entry) -> None:
        """Number the entry and hand it on, without ever suspending."""
        if entry.seq != self._next_seq.get(room, 1):
            raise Conflict(room)
        self._next_seq[room] = entry.last_seq + 1
        for deliver in self._followers.get(room, ()):
            deliver(entry)

    def follow(self, room: str, deliver: Deliver) -> Callable[[], None]:
        """See `RoomLog.follow`."""
        followers = self._followers.setdefault(room, [])
        followers.append(deliver)
        return lambda: followers.remove(deliver)

    async def forget(self, room: str) -> None:
        """Forget the numbering and the followers of `room`."""
        self._next_seq.pop(room, None)
        self._followers.pop(room, None)
