"""The entries of a room that happened last, for whoever comes back and has missed some."""

from collections import deque
from collections.abc import Callable, Iterable

from boxroom_engine.room.events import Entry
from boxroom_engine.wire.messages import Events

MOST = 250
"""Entries that are remembered; who missed more gets a snapshot instead of a replay."""


class ReplayBuffer:
    """The last `MOST` entries of a log."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._entries: deque[Entry] = deque(entries, maxlen=MOST)
        self.add: Callable[[Entry], None] = self._entries.append
        """Say that this entry has happened."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All that is remembered."""
        return tuple(self._entries)

    def after(self, seq: int, last_seq: int) -> list[Events] | None:
        """What happened after event number `seq` up to the last one, without a gap.

        None if that isn't known here any more, or hasn't happened.
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
