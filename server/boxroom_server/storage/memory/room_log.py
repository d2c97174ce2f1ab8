"""Room logs in memory."""

from collections.abc import Callable, Sequence

from boxroom_engine.room.events import Entry
from boxroom_engine.room.room import Room
from boxroom_server.storage.room_log import (
    Conflict,
    Damaged,
    Follower,
    RoomRecord,
    SaveCallback,
    StoredLog,
)


class MemoryLog:
    """Room logs that end with the process.

    They number and deliver entries without storing them: a room's host has what it needs.
    """

    def __init__(self) -> None:
        self._next_seq: dict[str, int] = {}  # by log; missing before the first entry
        self._followers: dict[str, list[Follower]] = {}  # by log

    def create(self, room_record: RoomRecord) -> None:
        """See `RoomLog.create`."""

    def append(self, log: str, entry: Entry, text: bytes, on_saved: SaveCallback) -> None:
        """Check the entry's number and deliver it at once; see `RoomLog.append`."""
        if entry.seq != self._next_seq.get(log, 1):
            on_saved(Conflict(log))
            return
        self._next_seq[log] = entry.seq + len(entry.events)
        for follower in self._followers.get(log, ()):
            follower(entry)
        on_saved(None)

    def follow(self, log: str, follower: Follower) -> Callable[[], None]:
        """See `RoomLog.follow`."""
        followers = self._followers.setdefault(log, [])
        followers.append(follower)
        return lambda: followers.remove(follower)

    def save_checkpoint(self, log: str, room: Room) -> None:
        """See `RoomLog.save_checkpoint`; without effect, as nothing can be read again."""

    async def delete(self, log: str) -> None:
        """Delete the numbering and the followers of `log`."""
        self._next_seq.pop(log, None)
        self._followers.pop(log, None)

    def room_records(self) -> Sequence[RoomRecord]:
        """Return none: a new process has no rooms."""
        return ()

    async def read(self, log: str) -> StoredLog:
        """Raise `Damaged`; a server has no reason to call this, as there are no records."""
        raise Damaged(f"the log {log} was in memory, and is gone")
