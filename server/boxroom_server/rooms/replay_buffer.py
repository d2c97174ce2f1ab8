"""The latest entries of a room, for members who reconnect and have missed some."""

from collections import deque
from collections.abc import Callable, Iterable

from boxroom_engine.room.events import Entry
from boxroom_engine.wire.messages import Events

CAPACITY = 250
"""Entries in a buffer; a member who has missed more gets a snapshot instead of a replay."""


class ReplayBuffer:
    """The last `CAPACITY` entries of a log."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._entries: deque[Entry] = deque(entries, maxlen=CAPACITY)
        self.add: Callable[[Entry], None] = self._entries.append
        """Add the next entry."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The buffered entries, in order."""
        return tuple(self._entries)

    def after(self, seq: int, last_seq: int) -> list[Events] | None:
        """Return the events after number `seq` up to the last one, without a gap.

        None if some of them aren't buffered any more, or if `seq` is above `last_seq`.
        """
        oldest = self._entries[0].seq if self._entries else last_seq + 1
        if not oldest - 1 <= seq <= last_seq:
            return None
        missed = []
        for entry in self._entries:
            seen = max(0, seq + 1 - entry.seq)
            if seen < len(entry.events):
                missed.append(Events(entry.seq + seen, entry.at_ms, entry.events[seen:]))
        return missed
