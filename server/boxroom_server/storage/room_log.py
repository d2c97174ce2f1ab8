"""The protocol of room logs: append entries, follow them, read them again.

A room is its log. Its host appends to the log and follows it, and so receives its own entries in
the same way as those of any other writer: no entry is delivered twice, or before it is saved.

A log is identified by the random name in its first event, not by the room's code: a code may be
used again, and the log of an old room must never be taken for that of the new one.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct

from boxroom_engine.room.checkpoint import Checkpoint
from boxroom_engine.room.events import Entry
from boxroom_engine.room.room import Room

Follower = Callable[[Entry], None]
"""Receives each saved entry of a log, in order."""

SaveCallback = Callable[[Exception | None], None]
"""Receives None once an entry is saved, or the reason why it isn't: `Conflict`, `CannotSave`."""


class Conflict(Exception):
    """Another writer appended first; followers have received its entry."""


class CannotSave(Exception):
    """Nothing can be saved at the moment; the reason is a sentence for people."""


class Damaged(Exception):
    """A saved log can't be read; the reason is a sentence for people."""


class RoomRecord(Struct, frozen=True):
    """Properties of a room that are saved beside its log."""

    log: str
    code: str
    creator: str
    token: str
    """The creator's request token: a repeated request with it creates no second room."""
    password_hash: str | None
    made_ms: int


class StoredLog(NamedTuple):
    """A room's log as far as it is needed: its newest checkpoint, and the entries after that."""

    checkpoint: Checkpoint | None
    """None for the room before its first event."""
    entries: Sequence[Entry]


class RoomLog(Protocol):
    """The logs of all rooms of a server."""

    def create(self, room_record: RoomRecord) -> None:
        """Start a new log; the record is saved together with the log's first entry."""

    def append(self, log: str, entry: Entry, text: bytes, on_saved: SaveCallback) -> None:
        """Save `entry` as the next one of `log`; `text` is the same as an `Events` message.

        `on_saved` is called exactly once: after every follower in this process has received the
        entry, which may be before this returns; or with the error, which is `Conflict` if
        `entry.seq` isn't the next number of that log.
        """

    def follow(self, log: str, follower: Follower) -> Callable[[], None]:
        """Call `follower` with each entry of `log` from now on, in order, on the event loop.

        The returned function ends that.
        """

    def save_checkpoint(self, log: str, room: Room) -> None:
        """Save `room`, the fold of the entries so far, so that they needn't be read again."""

    async def delete(self, log: str) -> None:
        """Delete `log`."""

    def room_records(self) -> Sequence[RoomRecord]:
        """Return the rooms that existed when the server started, the oldest first."""

    async def read(self, log: str) -> StoredLog:
        """Return `log` as it was when the server started.

        Raises:
            Damaged: it can't be read.
            CannotSave: it can't be read at the moment.
        """
