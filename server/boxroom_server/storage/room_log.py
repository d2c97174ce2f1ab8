"""Where rooms' logs are kept: the protocol, and the log in memory.

A room is its log. Its host appends to it and follows it, and so learns its own entries in
the same way as those of any other writer: nothing is delivered twice, or before it is kept.

A log is called by the random name in its first event, not by the room's code: a code may be
used again, and what is left of the old room is never taken for the new one.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct

from boxroom_engine.room.checkpoint import Checkpoint
from boxroom_engine.room.events import Entry
from boxroom_engine.room.room import Room

Deliver = Callable[[Entry], None]

Kept = Callable[[Exception | None], None]
"""Told that something is kept, or why it isn't: `Conflict`, `CannotSave`."""


class Conflict(Exception):
    """Somebody else appended first; followers have been given what they appended."""


class CannotSave(Exception):
    """Nothing can be kept now, and this wasn't; the reason is a sentence for people."""


class RoomRecord(Struct, frozen=True):
    """What is kept of a room beside its log."""

    log: str
    code: str
    creator: str
    token: str
    """The creator's own: asking for a room with it again makes no second one."""
    password_hash: str | None
    made_ms: int


class StoredLog(NamedTuple):
    """A room's log as far as it is needed: the room at some time, and what happened since."""

    checkpoint: Checkpoint | None
    """None for the room before its first event."""
    entries: Sequence[Entry]


class RoomLog(Protocol):
    """The logs of all rooms of a server."""

    def begin(self, room_record: RoomRecord) -> None:
        """A new log, kept together with its first entry."""

    def append(self, log: str, entry: Entry, text: bytes, kept: Kept) -> None:
        """Keep `entry` as the next one of `log`; `text` is the `Events` message that tells of it.

        `kept` is called once: when every follower in this process has been given the entry,
        which may be before this returns, or with why it isn't kept: `Conflict` if `entry.seq`
        isn't the next number of that log.
        """

    def follow(self, log: str, deliver: Deliver) -> Callable[[], None]:
        """Have `deliver` called with each entry of `log` from now on, in order.

        The call is made on the event loop. The function that is returned ends it.
        """

    def keep_checkpoint(self, log: str, room: Room) -> None:
        """Keep `room`, the fold of its entries so far, so that they needn't be read."""

    async def forget(self, log: str) -> None:
        """Delete `log`."""

    def room_records(self) -> Sequence[RoomRecord]:
        """The rooms that there were when the server started, the oldest first."""

    async def read(self, log: str) -> StoredLog:
        """What there was of `log` when the server started.

        Raises:
            Damaged: it can't be read.
            CannotSave: it can't be read now.
        """


class Damaged(Exception):
    """What was kept can't be read; the reason is a sentence for people."""


class MemoryLog:
    """Logs that end with the process. It keeps no entries: a room's host has what it needs."""

    def __init__(self) -> None:
        self._next_seq: dict[str, int] = {}
        self._followers: dict[str, list[Deliver]] = {}

    def begin(self, room_record: RoomRecord) -> None:
        """See `RoomLog.begin`."""

    def append(self, log: str, entry: Entry, text: bytes, kept: Kept) -> None:
        """Number the entry and hand it on at once; see `RoomLog.append`."""
        if entry.seq != self._next_seq.get(log, 1):
            kept(Conflict(log))
            return
        self._next_seq[log] = entry.seq + len(entry.events)
        for deliver in self._followers.get(log, ()):
            deliver(entry)
        kept(None)

    def follow(self, log: str, deliver: Deliver) -> Callable[[], None]:
        """See `RoomLog.follow`."""
        followers = self._followers.setdefault(log, [])
        followers.append(deliver)
        return lambda: followers.remove(deliver)

    def keep_checkpoint(self, log: str, room: Room) -> None:
        """See `RoomLog.keep_checkpoint`; there is nothing to read again."""

    async def forget(self, log: str) -> None:
        """Forget the numbering and the followers of `log`."""
        self._next_seq.pop(log, None)
        self._followers.pop(log, None)

    def room_records(self) -> Sequence[RoomRecord]:
        """None: a new process has no rooms."""
        return ()

    async def read(self, log: str) -> StoredLog:
        """See `RoomLog.read`; never asked for, as there are no lodgings."""
        raise Damaged(f"the log {log} was in memory, and is gone")
