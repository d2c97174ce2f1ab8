"""Compaction of commits, in any portions, interrupted at any statement."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing, suppress

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxroom_engine.room.events import Entry, Left
from boxroom_server.storage.sqlite import compaction
from boxroom_server.storage.sqlite.compaction import (
    LogLine,
    PendingCommits,
    compact_all,
    decode_commit,
    encode_commit,
    entries_after,
)
from boxroom_server.storage.sqlite.schema import connect, prepare

ROOMS = 4
"""Number of rooms; the last one has been deleted."""

EXISTING = range(1, ROOMS)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    path = tmp_path_factory.mktemp("compaction") / "boxroom.db"
    prepare(path)
    with closing(connect(path)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        yield connection


def empty(database: sqlite3.Connection) -> None:
    """Delete everything but the existing rooms."""
    for table in ("commits", "rooms", "entries"):
        database.execute(f"DELETE FROM {table}")
    for room in EXISTING:
        database.execute("INSERT INTO rooms VALUES (?, ?, '{}')", (room, f"log {room}"))


def commit(database: sqlite3.Connection, number: int, lines: list[LogLine]) -> None:
    database.execute("INSERT INTO commits VALUES (?, ?, ?)", (number, number, encode_commit(lines)))


def line_of(room: int, entry: Entry) -> LogLine:
    return LogLine(room, entry.seq, msgspec.json.encode(entry))


def entry(seq: int, events: int = 1) -> Entry:
    return Entry(seq, 0, (Left(f"a\u2028b\r\n {seq}"),) * events)


def read(database: sqlite3.Connection, room: int, after: int = 0) -> list[Entry]:
    return list(entries_after(database, room, after))


class Committed:
    """A database, and the entries that were committed to it."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self.by_room: defaultdict[int, list[Entry]] = defaultdict(list)
        self._database = database
        self._number = 0

    def commit(self, rooms: list[tuple[int, int]]) -> tuple[int, list[LogLine]]:
        """Commit an entry for each pair of a room and a number of events.

        Return the number and the lines of the commit.
        """
        self._number += 1
        lines = []
        for room, events in rooms:
            entries = self.by_room[room]
            entries.append(entry(entries[-1].last_seq + 1 if entries else 1, events))
            lines.append(line_of(room, entries[-1]))
        commit(self._database, self._number, lines)
        return self._number, lines

    def check(self) -> None:
        """Check that all entries are compacted, in order, once, and none of the deleted room."""
        for room in EXISTING:
            entries = self.by_room[room]
            assert read(self._database, room) == entries
            for after in range(entries[-1].last_seq if entries else 0):
                assert read(self._database, room, after) == [it for it in entries if it.seq > after]
        assert read(self._database, ROOMS) == []
        assert self._database.execute("SELECT * FROM commits").fetchall() == []


some_rooms = st.lists(st.tuples(st.integers(1, ROOMS), st.integers(1, 3)), max_size=6)
some_commits = st.lists(some_rooms, max_size=8)


texts = st.binary().map(lambda text: text.translate(None, b"\r\n"))


@given(st.lists(st.tuples(st.integers(0, 2**40), texts)))
def test_lines_come_back_from_a_blob(lines: list[tuple[int, bytes]]) -> None:
    assert (
        list(decode_commit(encode_commit([LogLine(room, 1, text) for room, text in lines])))
        == lines
    )


@given(some_commits)
def test_commits_that_a_server_left_are_compacted_when_the_next_one_starts(
    database: sqlite3.Connection, commits: list[list[tuple[int, int]]]
) -> None:
    empty(database)
    committed = Committed(database)
    for rooms in commits:
        committed.commit(rooms)
    compact_all(database)
    committed.check()


@given(some_commits, st.lists(st.integers(0, 3), max_size=8), st.integers(1, ROOMS))
def test_it_may_be_done_while_more_is_committed_and_by_a_server_that_crashes(
    database: sqlite3.Connection,
    commits: list[list[tuple[int, int]]],
    portions: list[int],
    rooms_at_once: int,
) -> None:
    empty(database)
    committed, pending = Committed(database), PendingCommits()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compaction, "ROOMS_AT_ONCE", rooms_at_once)
        for number, rooms in enumerate(commits):
            pending.add(*committed.commit(rooms))
            for _ in range(portions[number] if number < len(portions) else 0):
                pending.compact_some(database, now_ms=0)
        compact_all(database)  # by the next server, which knows only what is on the disk
    committed.check()


@given(some_commits, st.integers(0, 30))
def test_it_may_be_interrupted_at_any_statement(
    database: sqlite3.Connection, commits: list[list[tuple[int, int]]], statements: int
) -> None:
    empty(database)
    committed, pending = Committed(database), PendingCommits()
    for rooms in commits:
        pending.add(*committed.commit(rooms))
    budget = statements

    def authorize(*_: object) -> int:
        nonlocal budget
        budget -= 1
        return sqlite3.SQLITE_OK if budget > 0 else sqlite3.SQLITE_DENY

    database.set_authorizer(authorize)
    with suppress(sqlite3.Error):
        pending.compact_some(database, now_ms=0)
    database.set_authorizer(None)
    if database.in_transaction:  # rolling back was denied, too
        database.execute("ROLLBACK")
    while pending:
        pending.compact_some(database, now_ms=0)
    committed.check()


def test_a_busy_room_is_compacted_into_one_row(database: sqlite3.Connection) -> None:
    empty(database)
    committed, pending = Committed(database), PendingCommits()
    for _ in range(50):
        pending.add(*committed.commit([(1, 1)]))
    assert pending.compact_some(database, now_ms=0)
    assert database.execute("SELECT count(*) FROM entries").fetchone() == (1,)
    assert not pending


def test_some_rooms_at_a_time(
    database: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compaction, "ROOMS_AT_ONCE", 2)
    empty(database)
    committed, pending = Committed(database), PendingCommits()
    pending.add(*committed.commit([(1, 1), (2, 1), (3, 1)]))
    assert not pending.compact_some(database, now_ms=0)
    assert [len(read(database, room)) for room in EXISTING] == [1, 1, 0]
    assert pending
    assert pending.compact_some(database, now_ms=0)
    committed.check()


def test_reading_costs_only_what_comes_after(database: sqlite3.Connection) -> None:
    empty(database)
    for seq in range(1, 101):
        text = msgspec.json.encode(entry(seq)) + b"\n"
        database.execute("INSERT INTO entries VALUES (1, ?, ?)", (seq, text))
    database.execute("UPDATE entries SET lines = x'00' WHERE seq < 99")
    assert [it.seq for it in read(database, 1, after=98)] == [99, 100]


def test_it_moves_the_last_sign_of_life_but_never_back(
    database: sqlite3.Connection,
) -> None:
    empty(database)
    database.execute("UPDATE life SET alive_ms = 0")
    for now_ms, alive_ms in ((100, 100), (50, 100)):
        pending = PendingCommits()
        pending.add(1, [])
        assert pending.compact_some(database, now_ms)
        assert database.execute("SELECT alive_ms FROM life").fetchone() == (alive_ms,)


@pytest.mark.parametrize("blob", [b"no number\n", b"1 {\n", b"1 {}\n", b"1 \xff\n"])
def test_damaged_commits_are_an_error_and_stay(database: sqlite3.Connection, blob: bytes) -> None:
    empty(database)
    database.execute("INSERT INTO commits VALUES (1, 0, ?)", (blob,))
    with pytest.raises((msgspec.MsgspecError, ValueError)):
        compact_all(database)
    assert database.execute("SELECT lines FROM commits").fetchall() == [(blob,)]
