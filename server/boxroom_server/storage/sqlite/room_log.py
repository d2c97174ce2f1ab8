"""The logs of rooms on disk."""

import asyncio
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import msgspec

from boxroom_engine.room.checkpoint import Checkpoint, checkpoint
from boxroom_engine.room.events import Entry
from boxroom_engine.room.room import Room
from boxroom_server.storage.room_log import (
    CannotSave,
    Conflict,
    Damaged,
    Deliver,
    Kept,
    RoomRecord,
    StoredLog,
)
from boxroom_server.storage.sqlite.filing import Line, entries_after
from boxroom_server.storage.sqlite.schema import connect
from boxroom_server.storage.sqlite.writer import Writer

_encode: Callable[[str], bytes] = msgspec.json.Encoder().encode


def _with_command(entry: Entry, text: bytes) -> bytes:
    """`entry` as JSON, made of the message that tells of it: all but which command it was."""
    if entry.member is None:
        return text
    command = (text[:-1], _encode(entry.member), entry.command_id)
    return b'%b,"member":%b,"command_id":%d}' % command


class _Tail:
    """Where a log goes on, and who follows it."""

    __slots__ = ("followers", "next_seq", "number")

    def __init__(self, number: int, next_seq: int = 1) -> None:
        self.number = number
        self.next_seq = next_seq
        self.followers: list[Deliver] = []


def read_room_records(connection: sqlite3.Connection) -> dict[int, RoomRecord]:
    """The rooms that there are, the oldest first, by the numbers of their logs.

    Raises:
        msgspec.MsgspecError: what stands there isn't what was written.
    """
    rows = connection.execute("SELECT id, lodging FROM rooms ORDER BY id")
    return {
        number: msgspec.json.decode(room_record, type=RoomRecord) for number, room_record in rows
    }


class DiskLog:
    """See `boxroom_server.storage.room_log.RoomLog`."""

    def __init__(self, path: Path, writer: Writer, room_records: Mapping[int, RoomRecord]) -> None:
        self._path = path
        self._writer = writer
        self._lodgings = tuple(room_records.values())
        self._tails = {
            room_record.log: _Tail(number) for number, room_record in room_records.items()
        }
        self._last_number = max(room_records, default=0)

    def begin(self, room_record: RoomRecord) -> None:
        """See `RoomLog.begin`."""
        self._last_number += 1
        self._tails[room_record.log] = _Tail(self._last_number)
        self._writer.change(
            "INSERT OR REPLACE INTO rooms VALUES (?, ?, ?)",
            self._last_number,
            room_record.log,
            msgspec.json.encode(room_record).decode(),
        )

    def append(self, log: str, entry: Entry, text: bytes, kept: Kept) -> None:
        """See `RoomLog.append`."""
        tail = self._tails[log]
        if entry.seq != tail.next_seq:
            kept(Conflict(log))
            return
        tail.next_seq += len(entry.events)
        line = Line(tail.number, entry.seq, _with_command(entry, text))
        self._writer.add(line, partial(self._written, tail, entry, kept))

    def _written(self, tail: _Tail, entry: Entry, kept: Kept, error: Exception | None) -> None:
        if error is None:
            for deliver in tail.followers:
                deliver(entry)
        else:
            tail.next_seq = entry.seq
        kept(error)

    def follow(self, log: str, deliver: Deliver) -> Callable[[], None]:
        """See `RoomLog.follow`."""
        followers = self._tails[log].followers
        followers.append(deliver)
        return lambda: followers.remove(deliver)

    def keep_checkpoint(self, log: str, room: Room) -> None:
        """See `RoomLog.keep_checkpoint`."""
        self._writer.change(
            "INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?)",
            self._tails[log].number,
            room.seq,
            msgspec.json.encode(checkpoint(room)),
        )

    async def forget(self, log: str) -> None:
        """See `RoomLog.forget`."""
        tail = self._tails.pop(log)
        self._writer.change("DELETE FROM rooms WHERE id = ?", tail.number)
        self._writer.change("DELETE FROM entries WHERE room = ?", tail.number)
        self._writer.change("DELETE FROM checkpoints WHERE room = ?", tail.number)

    def room_records(self) -> Sequence[RoomRecord]:
        """See `RoomLog.lodgings`."""
        return self._lodgings

    async def read(self, log: str) -> StoredLog:
        """See `RoomLog.read`."""
        tail = self._tails[log]
        story = await asyncio.to_thread(_read, self._path, tail.number)
        if story.entries:
            tail.next_seq = story.entries[-1].last_seq + 1
        elif story.checkpoint is not None:
            tail.next_seq = story.checkpoint.seen.seq + 1
        return story


def _read(path: Path, number: int) -> StoredLog:
    try:
        with closing(connect(path)) as connection:
            row = connection.execute(
                "SELECT checkpoint FROM checkpoints WHERE room = ?", (number,)
            ).fetchone()
            kept = msgspec.json.decode(row[0], type=Checkpoint) if row else None
            seq = kept.seen.seq if kept is not None else 0
            return StoredLog(kept, tuple(entries_after(connection, number, seq)))
    except sqlite3.OperationalError as error:  # what is on the disk may be all right
        raise CannotSave(f"the disk fails ({error})") from error
    except (msgspec.MsgspecError, UnicodeDecodeError, sqlite3.DatabaseError) as error:
        raise Damaged(f"a log can't be read: {error}") from error
