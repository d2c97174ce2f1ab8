"""Room logs in SQLite."""

import asyncio
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from boxroom_engine.room.accepted import AcceptedCommands, Checkpoint, checkpoint
from boxroom_engine.room.events import Entry
from boxroom_engine.room.room import Room
from boxroom_server.storage.room_log import (
    CannotSave,
    Conflict,
    Damaged,
    LogFollower,
    OpenLog,
    RoomRecord,
    StoredLog,
    entry_as_json,
)
from boxroom_server.storage.sqlite.checksums import (
    check_blob,
    checksum_of_blob,
    with_checksum,
)
from boxroom_server.storage.sqlite.compaction import (
    DELETE_OLD_ENTRIES,
    encode_line,
    entries_after,
)
from boxroom_server.storage.sqlite.ledger import Change
from boxroom_server.storage.sqlite.schema import connect, is_of_disk
from boxroom_server.storage.sqlite.writer import Writer


def read_room_records(connection: sqlite3.Connection) -> dict[int, RoomRecord]:
    """Return the rooms by the numbers of their logs, the oldest first.

    Raises:
        msgspec.MsgspecError: a record is damaged.
    """
    rows = connection.execute("SELECT id, lodging FROM rooms ORDER BY id")
    return {
        number: msgspec.json.decode(room_record, type=RoomRecord) for number, room_record in rows
    }


def saving_record(number: int, room_record: RoomRecord) -> Change:
    """Return the change that saves the record of the room whose log gets that number."""
    text = msgspec.json.encode(room_record).decode()
    row = with_checksum(number, room_record.log, text)
    return "INSERT OR REPLACE INTO rooms VALUES (?, ?, ?, ?)", row


def saving_checkpoint(number: int, newest: Checkpoint) -> Change:
    """Return the change that saves the newest checkpoint of the log with that number."""
    text, seq = msgspec.json.encode(newest), newest.seen.seq
    row = (number, seq, text, checksum_of_blob(number, seq, text))
    return "INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?, ?)", row


class SqliteTail:
    """Append position and followers of one log: an `OpenLog`, and an `Appender`."""

    __slots__ = ("_log", "_writer", "followers", "next_seq", "number")

    def __init__(self, log: str, number: int, writer: Writer) -> None:
        self._log = log
        self._writer = writer
        self.number = number
        """Number of the log in the table `rooms`."""
        self.next_seq = 1
        """Number of the next event, saved or not."""
        self.followers: list[LogFollower] = []
        """Its followers, in the order of their calls."""

    def append(self, entry: Entry, text: bytes) -> None:
        if entry.seq != self.next_seq:
            self._report(entry, Conflict(self._log))
            return
        self.next_seq += len(entry.events)
        line = encode_line(self.number, entry_as_json(entry, text))
        self._writer.add(line, self, entry)

    def commit_finished(self, entry: Entry, error: CannotSave | None) -> None:
        if error is None:
            for follower in self.followers:
                follower.entry_saved(entry)
            return
        self.next_seq = entry.seq
        self._report(entry, error)

    def _report(self, entry: Entry, error: Conflict | CannotSave) -> None:
        for follower in self.followers:
            follower.append_failed(entry, error)

    def check(self, checked: Callable[[], None]) -> None:
        """Call `checked` at once: there is no other writer."""
        checked()

    def save_checkpoint(self, room: Room, accepted: AcceptedCommands) -> None:
        statement, row = saving_checkpoint(self.number, checkpoint(room, accepted))
        self._writer.change(statement, *row)
        self._writer.change(DELETE_OLD_ENTRIES, self.number, self.number, room.seq)

    def close(self, follower: LogFollower) -> None:
        if follower in self.followers:
            self.followers.remove(follower)


class SqliteLog:
    """A `boxroom_server.storage.room_log.RoomLog` in SQLite."""

    def __init__(self, path: Path, writer: Writer, room_records: Mapping[int, RoomRecord]) -> None:
        self._path = path
        self._writer = writer
        self._room_records = tuple(room_records.values())  # as of the start
        # Of each log that exists, by name.
        self._tails = {
            room_record.log: SqliteTail(room_record.log, number, writer)
            for number, room_record in room_records.items()
        }
        self._last_number = max(room_records, default=0)  # of a log

    def create(self, room_record: RoomRecord) -> None:
        self._last_number += 1
        self._tails[room_record.log] = SqliteTail(room_record.log, self._last_number, self._writer)
        statement, row = saving_record(self._last_number, room_record)
        self._writer.change(statement, *row)

    def open(self, log: str, follower: LogFollower) -> OpenLog:
        tail = self._tails[log]
        tail.followers.append(follower)
        return tail

    async def delete(self, log: str, last_seq: int | None = None) -> bool:
        """Delete the log whatever `last_seq` is: there is no other writer."""
        tail = self._tails.pop(log)
        self._writer.change("DELETE FROM rooms WHERE id = ?", tail.number)
        self._writer.change("DELETE FROM entries WHERE room = ?", tail.number)
        self._writer.change("DELETE FROM checkpoints WHERE room = ?", tail.number)
        return True

    def room_records(self) -> Sequence[RoomRecord]:
        return self._room_records

    async def read(self, log: str) -> StoredLog:
        tail = self._tails[log]
        stored = await asyncio.to_thread(_read, self._path, tail.number)
        tail.next_seq = stored.next_seq
        return stored


def _read(path: Path, number: int) -> StoredLog:
    try:
        with closing(connect(path)) as connection:
            return read_stored_log(connection, number)
    except (msgspec.MsgspecError, ValueError, sqlite3.DatabaseError) as error:
        if isinstance(error, sqlite3.OperationalError) and is_of_disk(error):
            raise CannotSave(f"the disk fails ({error})") from error
        raise Damaged(f"a log can't be read: {error}") from error


def read_stored_log(connection: sqlite3.Connection, number: int) -> StoredLog:
    """Return the log with that number in the table `rooms`.

    Raises:
        Damaged: events are missing.
        msgspec.MsgspecError, ValueError: a row is damaged.
        sqlite3.DatabaseError: the database is damaged, or the disk fails.
    """
    newest = _read_checkpoint(connection, number)
    seq = newest.seen.seq if newest is not None else 0
    entries = tuple(entries_after(connection, number, seq))
    for entry in entries:
        if entry.seq != seq + 1:
            raise Damaged(f"a log can't be read: it lacks the events from {seq + 1} on")
        seq = entry.last_seq
    return StoredLog(newest, entries)


def _read_checkpoint(connection: sqlite3.Connection, number: int) -> Checkpoint | None:
    row = connection.execute(
        "SELECT seq, checkpoint, checksum FROM checkpoints WHERE room = ?", (number,)
    ).fetchone()
    if row is None:
        return None
    seq, text, checksum = row
    check_blob("the checkpoint", number, seq, text, checksum)
    return msgspec.json.decode(text, type=Checkpoint)
