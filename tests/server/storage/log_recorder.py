"""A follower of a log that keeps what it receives."""

import asyncio

from tests.server.talk import LIMIT_S

from boxroom_engine.room.events import Entry
from boxroom_engine.wire.codec import encode
from boxroom_engine.wire.messages import Events
from boxroom_server.storage.room_log import CannotSave, Conflict, RoomLog

Error = Conflict | CannotSave


class LogRecorder:
    """A follower of the log called `name`, with its entries and the outcomes of its appends."""

    def __init__(self, log: RoomLog, name: str) -> None:
        self.entries: list[Entry] = []
        """The entries so far."""
        self.is_lost = False
        """Whether the log has reported that entries are missing for good."""
        self._outcomes: list[tuple[Entry, Error | None]] = []  # of own appends, and other entries
        self._changed = asyncio.Event()
        self.opened = log.open(name, self)

    def entry_saved(self, entry: Entry) -> None:
        self.entries.append(entry)
        self._add(entry, None)

    def append_failed(self, entry: Entry, error: Error) -> None:
        self._add(entry, error)

    def log_lost(self) -> None:
        self.is_lost = True

    def close(self) -> None:
        """Receive nothing more."""
        self.opened.close(self)

    def _add(self, entry: Entry, error: Error | None) -> None:
        assert not any(entry is known for known, _ in self._outcomes), "a second outcome"
        self._outcomes.append((entry, error))
        self._changed.set()

    def is_known(self, entry: Entry) -> bool:
        """Return whether the append of this very object has an outcome."""
        return any(entry is known for known, _ in self._outcomes)

    def append(self, entry: Entry) -> Entry:
        """Append a copy of `entry`, which stands for this append, and return it."""
        copy = Entry(entry.seq, entry.at_ms, entry.events, entry.member, entry.command_id)
        text = encode(Events(entry.seq, entry.at_ms, entry.events))
        self.opened.append(copy, text)
        return copy

    async def outcome(self, appended: Entry) -> Error | None:
        """Wait for the outcome of an append: None, or why it isn't saved."""
        async with asyncio.timeout(LIMIT_S):
            while not self.is_known(appended):
                self._changed.clear()
                await self._changed.wait()
        return next(error for known, error in self._outcomes if known is appended)

    async def save(self, entry: Entry) -> None:
        """Append, and wait until the entry is saved.

        Raises:
            Conflict, CannotSave: it isn't saved.
        """
        error = await self.outcome(self.append(entry))
        if error is not None:
            raise error
