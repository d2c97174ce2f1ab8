"""A room log in memory that a test can read."""

from collections import defaultdict

from boxroom_engine.room import events as ev
from boxroom_server.storage.memory.room_log import MemoryLog
from boxroom_server.storage.room_log import SaveCallback


class ReadableLog(MemoryLog):
    """A log that saves the entries of each room in order; rooms of a test have different codes."""

    def __init__(self) -> None:
        super().__init__()
        self._entries: defaultdict[str, list[ev.Entry]] = defaultdict(list)  # by log
        self._log_of: dict[str, str] = {}  # by the room's code

    def append(self, log: str, entry: ev.Entry, text: bytes, on_saved: SaveCallback) -> None:
        """See `RoomLog.append`."""

        def record(error: Exception | None) -> None:
            if error is None:
                self._entries[log].append(entry)
                first = entry.events[0]
                if isinstance(first, ev.Created):
                    self._log_of[first.room] = log
            on_saved(error)

        super().append(log, entry, text, record)

    def entries_of(self, room: str) -> list[ev.Entry]:
        """Return all entries of `room` so far."""
        return self._entries[self._log_of[room]]
