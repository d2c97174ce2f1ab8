"""Room logs in memory."""

from collections.abc import Callable, Sequence

from boxroom_engine.room.accepted import AcceptedCommands
from boxroom_engine.room.events import Entry
from boxroom_engine.room.room import Room
from boxroom_server.storage.room_log import (
    Conflict,
    Damaged,
    LogFollower,
    OpenLog,
    RoomRecord,
    StoredLog,
)


class MemoryTail:
    """Append position and followers of one log: an `OpenLog`."""

    __slots__ = ("_log", "followers", "next_seq")

    def __init__(self, log: str) -> None:
        self._log = log
        self.next_seq = 1
        """Number of the next event."""
        self.followers: list[LogFollower] = []
        """Its followers, in the order of their calls."""

    def append(self, entry: Entry, text: bytes) -> None:
        """Check the entry's number and deliver it at once."""
        if entry.seq != self.next_seq:
            for follower in self.followers:
                follower.append_failed(entry, Conflict(self._log))
            return
        self.next_seq += len(entry.events)
        for follower in self.followers:
            follower.entry_saved(entry)

    def check(self, checked: Callable[[], None]) -> None:
        """Call `checked` at once: there is no other writer."""
        checked()

    def save_checkpoint(self, room: Room, accepted: AcceptedCommands) -> None:
        pass  # nothing can be read again

    def close(self, follower: LogFollower) -> None:
        if follower in self.followers:
            self.followers.remove(follower)


class MemoryLog:
    """Room logs that end with the process.

    They number and deliver entries without storing them: a room's host has what it needs.
    """

    def __init__(self) -> None:
        self._tails: dict[str, MemoryTail] = {}  # of each log that was opened, by name

    def create(self, room_record: RoomRecord) -> None:
        pass

    def open(self, log: str, follower: LogFollower) -> OpenLog:
        tail = self._tails.setdefault(log, MemoryTail(log))
        tail.followers.append(follower)
        return tail

    async def delete(self, log: str, last_seq: int | None = None) -> bool:
        """Delete the numbering of `log`."""
        self._tails.pop(log, None)
        return True

    def room_records(self) -> Sequence[RoomRecord]:
        return ()  # a new process has no rooms

    async def read(self, log: str) -> StoredLog:
        """Raise `Damaged`; a server has no reason to call this, as there are no records."""
        raise Damaged(f"the log {log} was in memory, and is gone")
