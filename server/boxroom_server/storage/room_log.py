"""The protocol of room logs: append entries, follow them, read them again.

A room is its log. Its host appends to the log and follows it, and so receives its own entries in
the same way as those of any other writer: no entry is delivered twice, or before it is saved.

A log is identified by the random name in its first event, not by the room's code: a code may be
used again, and the log of an old room must never be taken for that of the new one.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import msgspec
from msgspec import Struct

from boxroom_engine.errors import BoxroomError
from boxroom_engine.games.errors import GameError
from boxroom_engine.room.accepted import AcceptedCommands, Checkpoint, from_checkpoint
from boxroom_engine.room.events import Entry
from boxroom_engine.room.evolve import evolve_entry
from boxroom_engine.room.room import Room


class Conflict(BoxroomError):
    """Another writer appended first; followers have received its entry."""


class CannotSave(BoxroomError):
    """Nothing can be saved at the moment; the reason is a sentence for people."""


class CodeTaken(CannotSave):
    """A room wasn't made, because another server has made one with the same code, `args[0]`."""


class Damaged(BoxroomError):
    """A saved log can't be read; the reason is a sentence for people."""


class RoomRecord(Struct, frozen=True):
    """Properties of a room that are saved beside its log."""

    log: str
    code: str
    creator: str
    token: str
    """The creator's request token: a repeated request with it creates no second room."""
    password_hash: str | None
    """None: the room has no password."""
    made_ms: int


class StoredLog(NamedTuple):
    """A room's log as far as it is needed: its newest checkpoint, and the entries after that."""

    checkpoint: Checkpoint | None
    """None for the room before its first event."""
    entries: Sequence[Entry]

    @property
    def next_seq(self) -> int:
        """The number of its next event."""
        if self.entries:
            return self.entries[-1].last_seq + 1
        return 1 if self.checkpoint is None else self.checkpoint.seen.seq + 1


def fold_log(stored: StoredLog, room_record: RoomRecord) -> tuple[Room, AcceptedCommands]:
    """Return the room, and its accepted commands, that `stored` folds into.

    Raises:
        Damaged: the log is inconsistent.
    """
    try:
        room, accepted = (
            (Room(room_record.code), AcceptedCommands())
            if stored.checkpoint is None
            else from_checkpoint(stored.checkpoint)
        )
        for entry in stored.entries:
            room = evolve_entry(room, entry)
            accepted.add(entry, room)
    except (GameError, ValueError, LookupError, AssertionError) as error:
        raise Damaged(f"its log is inconsistent: {error!r}") from error
    if room.log != room_record.log:
        raise Damaged("its log lacks its first event")
    return room, accepted


class LogFollower(Protocol):
    """The receiver of one log's saved entries, and of the appends in this process that failed.

    Its methods are called on the event loop and don't raise.
    """

    def entry_saved(self, entry: Entry) -> None:
        """Receive the log's next entry, of this or any other writer; it is saved."""

    def append_failed(self, entry: Entry, error: "Conflict | CannotSave") -> None:
        """Receive the reason why `entry` isn't saved; ignore it if another follower's it is."""

    def log_lost(self) -> None:
        """Give the room up: entries that this follower lacks can't be read any more."""


class OpenLog(Protocol):
    """One log, which its followers append to."""

    def append(self, entry: Entry, text: bytes) -> None:
        """Save `entry` as the next one of the log; `text` is the same as an `Events` message.

        There is one outcome, which may come before this returns: every follower of the log in this
        process, the appender among them, receives this very object, either in `entry_saved` or in
        `append_failed`. It is a `Conflict` if `entry.seq` isn't the next number of the log.
        """

    def check(self, checked: Callable[[], None]) -> None:
        """Call `checked` after all entries were delivered that any writer has appended by now.

        It is called as well when nothing can be saved, or no follower is left.
        """

    def save_checkpoint(self, room: Room, accepted: AcceptedCommands) -> None:
        """Save the fold of the entries so far, which are never read again and may be deleted."""

    def close(self, follower: LogFollower) -> None:
        """End the calls of `follower`, for good; again, it has no effect.

        An append without an outcome may still be saved.
        """


class RoomLog(Protocol):
    """The logs of all rooms of a server."""

    def create(self, room_record: RoomRecord) -> None:
        """Start a new log; the record is saved together with the log's first entry."""

    def open(self, log: str, follower: LogFollower) -> OpenLog:
        """Open `log` for `follower`, which receives every entry from now on, in order."""

    async def delete(self, log: str, last_seq: int | None = None) -> bool:
        """Delete `log`, if the number of its last event is `last_seq` or that is None.

        Return whether it is gone; if not, another writer has appended to it.
        """

    def room_records(self) -> Sequence[RoomRecord]:
        """Return the rooms that existed when the storage was opened, the oldest first."""

    async def read(self, log: str) -> StoredLog:
        """Return `log` as it is saved, before it is opened here.

        Raises:
            Damaged: it can't be read.
            CannotSave: it can't be read at the moment.
        """


_encode_name: Callable[[str], bytes] = msgspec.json.Encoder().encode


def entry_as_json(entry: Entry, text: bytes) -> bytes:
    """Return `entry` as JSON: `text`, its `Events` message, with the command that led to it."""
    if entry.member is None:
        return text
    command = (text[:-1], _encode_name(entry.member), entry.command_id)
    return b'%b,"member":%b,"command_id":%d}' % command
