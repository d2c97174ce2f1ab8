"""Compaction of commits, a piece at a time, interrupted at any statement and after any commit."""

import shutil
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from boxroom_engine.room.events import Entry, Left
from boxroom_server.storage.room_log import RoomRecord
from boxroom_server.storage.sqlite import compaction
from boxroom_server.storage.sqlite.backup import back_up
from boxroom_server.storage.sqlite.checksums import checksum_of_blob, with_checksum
from boxroom_server.storage.sqlite.compaction import (
    MAX_PIECES,
    PIECE_BYTES,
    ROWS_AT_ONCE,
    Backlog,
    compact_all,
    decode_commit,
    encode_line,
    entries_after,
)
from boxroom_server.storage.sqlite.schema import connect, prepare

EXISTING = (1, 2, 3)
"""Rooms of the shared database."""

DELETED = 4
"""A room that it doesn't have any more."""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    path = tmp_path_factory.mktemp("compaction") / "boxroom.db"
    prepare(path)
    with closing(connect_without_syncing(path)) as connection:
        yield connection


def connect_without_syncing(path: Path) -> sqlite3.Connection:
    connection = connect(path)
    connection.execute("PRAGMA synchronous = OFF")
    return connection


def empty(database: sqlite3.Connection) -> None:
    """Delete everything but the existing rooms."""
    for table in ("commits", "rooms", "entries"):
        database.execute(f"DELETE FROM {table}")
    for room in EXISTING:
        make_room(database, room)


def make_room(database: sqlite3.Connection, room: int) -> None:
    record = msgspec.json.encode(RoomRecord(f"log {room}", "attic", "Ada", "token", None, 0))
    row = with_checksum(room, f"log {room}", record.decode())
    database.execute("INSERT INTO rooms VALUES (?, ?, ?, ?)", row)


def commit(database: sqlite3.Connection, number: int, lines: list[bytes]) -> int:
    """Commit `lines`, and return their size."""
    blob = b"".join(lines)
    row = (number, number, blob, checksum_of_blob(number, number, blob))
    database.execute("INSERT INTO commits VALUES (?, ?, ?, ?)", row)
    return len(blob)


def entry(seq: int, events: int = 1) -> Entry:
    return Entry(seq, 0, (Left(f"a\u2028b\r\n {seq}"),) * events)


def line_of(room: int, entry: Entry) -> bytes:
    return encode_line(room, msgspec.json.encode(entry))


def compacted(database: sqlite3.Connection, room: int, after: int = 0) -> list[Entry]:
    return list(entries_after(database, room, after))


def waiting(database: sqlite3.Connection) -> dict[int, list[Entry]]:
    """Return the entries that aren't compacted, by room."""
    entries = defaultdict(list)
    for (blob,) in database.execute("SELECT lines FROM commits ORDER BY id"):
        for room, text in decode_commit(blob):
            entries[room].append(msgspec.json.decode(text, type=Entry))
    return entries


@contextmanager
def failing_after(database: sqlite3.Connection, statements: int) -> Iterator[None]:
    """Have SQLite fail when it has prepared so many steps of statements in the context."""
    budget = statements

    def authorize(*_: object) -> int:
        nonlocal budget
        budget -= 1
        return sqlite3.SQLITE_OK if budget > 0 else sqlite3.SQLITE_DENY

    database.set_authorizer(authorize)
    with suppress(sqlite3.Error):
        yield
    database.set_authorizer(None)
    if database.in_transaction:  # rolling back was denied, too
        database.execute("ROLLBACK")


class AnyOrder(RuleBasedStateMachine):
    """Servers, one after the other, that commit, compact, make rooms, delete them, and crash.

    Beside the database stands what it should hold: the entries of each room that exists.
    """

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="boxroom-"))
        self.path = self.folder / "boxroom.db"
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(compaction, "PIECE_BYTES", 300)
        self.patch.setattr(compaction, "ROWS_AT_ONCE", 2)
        prepare(self.path)
        self.database = connect_without_syncing(self.path)
        self.entries: dict[int, list[Entry]] = {}
        self.begin()

    def teardown(self) -> None:
        self.patch.undo()
        self.database.close()
        shutil.rmtree(self.folder)

    def begin(self) -> None:
        """Go on as a server that has just started."""
        self.backlog = Backlog()
        self.commits = 0
        self.last_room = max(self.entries, default=0)  # the number of a deleted room is used again

    @rule(draw=st.data(), events=st.lists(st.integers(1, 3), max_size=5))
    def commit(self, draw: st.DataObject, events: list[int]) -> None:
        lines = []
        for count in events if self.entries else ():
            room = draw.draw(st.sampled_from(sorted(self.entries)))
            entries = self.entries[room]
            entries.append(entry(entries[-1].last_seq + 1 if entries else 1, count))
            lines.append(line_of(room, entries[-1]))
        self.commits += 1
        self.backlog.add(self.commits, commit(self.database, self.commits, lines))

    @rule()
    def make_room(self) -> None:
        self.last_room += 1
        make_room(self.database, self.last_room)
        self.entries[self.last_room] = []

    @precondition(lambda self: self.entries)
    @rule(draw=st.data())
    def delete_room(self, draw: st.DataObject) -> None:
        room = draw.draw(st.sampled_from(sorted(self.entries)))
        del self.entries[room]
        self.database.execute("DELETE FROM rooms WHERE id = ?", (room,))
        self.database.execute("DELETE FROM entries WHERE room = ?", (room,))

    @precondition(lambda self: self.backlog)
    @rule()
    def compact_some(self) -> None:
        self.backlog.compact_some(self.database)

    @precondition(lambda self: self.backlog)
    @rule(statements=st.integers(0, 25))
    def fail_to_compact(self, statements: int) -> None:
        with failing_after(self.database, statements):
            self.backlog.compact_some(self.database)

    @rule(interrupted_after=st.none() | st.integers(0, 40), as_backup=st.booleans())
    def crash_and_start(self, interrupted_after: int | None, as_backup: bool) -> None:
        """Go on with a copy of the database, by a server whose first start may fail as well."""
        self.copy(as_backup)
        if interrupted_after is not None:
            with failing_after(self.database, interrupted_after):
                compact_all(self.database)
            self.copy(as_backup=False)
        compact_all(self.database)
        assert not waiting(self.database)
        self.begin()

    def copy(self, as_backup: bool) -> None:
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        copy = folder / self.path.name
        if as_backup:
            back_up(self.path, copy)
        else:
            for file in self.path.parent.glob("boxroom.db*"):
                shutil.copy(file, folder)
        self.database.close()
        self.path, self.database = copy, connect_without_syncing(copy)

    @invariant()
    def every_entry_is_there_once_and_in_order(self) -> None:
        rest = waiting(self.database)
        for room, entries in self.entries.items():
            assert compacted(self.database, room) + rest[room] == entries
        rooms = {room for (room,) in self.database.execute("SELECT room FROM entries")}
        assert rooms <= self.entries.keys()

    @invariant()
    def the_backlog_knows_what_waits(self) -> None:
        assert self.backlog.has_lines == any(waiting(self.database).values())


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(stateful_step_count=30, max_examples=30)


some_rooms = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 3)), max_size=6)
texts = st.binary().map(lambda text: text.translate(None, b"\r\n"))


@given(st.lists(st.tuples(st.integers(0, 2**40), texts)))
def test_lines_come_back_from_a_blob(lines: list[tuple[int, bytes]]) -> None:
    assert list(decode_commit(b"".join(encode_line(*line) for line in lines))) == lines


def test_a_busy_room_is_compacted_into_one_row(database: sqlite3.Connection) -> None:
    empty(database)
    backlog = Backlog()
    for seq in range(1, 51):
        backlog.add(seq, commit(database, seq, [line_of(1, entry(seq))]))
    backlog.compact_some(database)
    assert database.execute("SELECT count(*) FROM entries").fetchone() == (1,)
    assert not backlog


def test_any_number_of_rooms_is_compacted_together(database: sqlite3.Connection) -> None:
    empty(database)
    rooms = range(5, 6 + 2 * ROWS_AT_ONCE)
    for room in rooms:
        make_room(database, room)
    commit(database, 1, [line_of(room, entry(1)) for room in rooms])
    compact_all(database)
    assert all(compacted(database, room) == [entry(1)] for room in rooms)


def test_the_backlog_is_too_long_when_so_many_pieces_wait(database: sqlite3.Connection) -> None:
    empty(database)
    backlog = Backlog()
    for number in range(1, 2 * MAX_PIECES + 3):
        assert not backlog.is_too_long
        commit(database, number, [])
        backlog.add(number, PIECE_BYTES // 2)
    assert backlog.is_too_long
    backlog.compact_some(database)
    assert not backlog.is_too_long
    assert database.execute("SELECT min(id) FROM commits").fetchone() == (3,)


def test_commits_without_lines_are_no_reason_to_compact(database: sqlite3.Connection) -> None:
    empty(database)
    backlog = Backlog()
    backlog.add(1, commit(database, 1, []))
    assert backlog
    assert not backlog.has_lines
    backlog.compact_some(database)
    assert not backlog
    assert database.execute("SELECT count(*) FROM commits").fetchone() == (0,)


def test_reading_costs_only_what_comes_after(database: sqlite3.Connection) -> None:
    empty(database)
    for seq in range(1, 101):
        text = msgspec.json.encode(entry(seq)) + b"\n"
        row = (seq, text, checksum_of_blob(1, seq, text))
        database.execute("INSERT INTO entries VALUES (1, ?, ?, ?)", row)
    database.execute("UPDATE entries SET lines = x'00' WHERE seq < 99")
    assert [it.seq for it in compacted(database, 1, after=98)] == [99, 100]


def test_it_moves_the_last_sign_of_life_but_never_back(
    database: sqlite3.Connection,
) -> None:
    empty(database)
    database.execute("UPDATE life SET alive_ms = 0")
    for at_ms, alive_ms in ((100, 100), (50, 100)):
        database.execute(
            "INSERT INTO commits VALUES (1, ?, x'', ?)", (at_ms, checksum_of_blob(1, at_ms, b""))
        )
        compact_all(database)
        assert database.execute("SELECT alive_ms FROM life").fetchone() == (alive_ms,)


def test_a_commit_without_a_checksum_is_an_error_and_stays(database: sqlite3.Connection) -> None:
    empty(database)
    commit(database, 1, [line_of(EXISTING[0], entry(1))])
    blob = line_of(EXISTING[0], entry(2))
    database.execute("INSERT INTO commits VALUES (2, 0, ?, NULL)", (blob,))
    with pytest.raises(ValueError, match="checksum of commit 2"):
        compact_all(database)
    assert database.execute("SELECT count(*) FROM commits").fetchone() == (2,)


@pytest.mark.parametrize("blob", [b"no number\n", b"1 {\n", b"1 {}\n", b"1 \xff\n"])
def test_damaged_commits_are_an_error_and_stay(database: sqlite3.Connection, blob: bytes) -> None:
    empty(database)
    database.execute(
        "INSERT INTO commits VALUES (1, 0, ?, ?)", (blob, checksum_of_blob(1, 0, blob))
    )
    with pytest.raises((msgspec.MsgspecError, ValueError)):
        compact_all(database)
    assert database.execute("SELECT lines FROM commits").fetchall() == [(blob,)]
