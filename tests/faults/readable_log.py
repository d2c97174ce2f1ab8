"""A room log in memory that a test can read."""

from boxroom_engine.room import events as ev
from boxroom_server.storage.memory.room_log import MemoryLog
from boxroom_server.storage.room_log import LogFollower, OpenLog


class _Reader:
    """A follower that keeps the entries of one log, and the code of its room."""

    def __init__(self) -> None:
        self.entries: list[ev.Entry] = []
        self.room = ""  # "" before the first entry

    def entry_saved(self, entry: ev.Entry) -> None:
        self.entries.append(entry)
        first = entry.events[0]
        if isinstance(first, ev.Created):
            self.room = first.room

    def append_failed(self, entry: ev.Entry, error: Exception) -> None:
        raise error

    def log_lost(self) -> None:
        raise AssertionError("no entries get lost in these tests")


class ReadableLog(MemoryLog):
    """A log that keeps the entries of each room in order."""

    def __init__(self) -> None:
        super().__init__()
        self._readers: dict[str, _Reader] = {}  # by log

    def open(self, log: str, follower: LogFollower) -> OpenLog:
        if log not in self._readers:
            self._readers[log] = _Reader()
            super().open(log, self._readers[log])
        return super().open(log, follower)

    def entries_of(self, room: str) -> list[ev.Entry]:
        """Return all entries so far of the newest room that is called `room`."""
        readers = reversed(self._readers.values())
        return next(each.entries for each in readers if each.room == room)
