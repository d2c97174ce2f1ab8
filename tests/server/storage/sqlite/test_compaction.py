"""Filing what was committed by room, in any portions, broken off at any statement."""

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
"""Rooms of the tests; the last of them has been forgotten."""

KEPT = range(1, ROOMS)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    path = tmp_path_factory.mktemp("filing") / "boxroom.db"
    prepare(path)
    with closing(connect(path)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        yield connection


def empty(database: sqlite3.Connection) -> None:
    """Begin anew, with the rooms that there are."""
    for table in ("commits", "rooms", "entries"):
        database.execute(f"DELETE FROM {table}")
    for room in KEPT:
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
    """Commits to a database and what there ought to be in it."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self.by_room: defaultdict[int, list[Entry]] = defaultdict(list)
        self._database = database
        self._number = 0

    def commit(self, rooms: list[tuple[int, int]]) -> tuple[int, list[LogLine]]:
        """Commit an entry of so many events for each of those rooms: the commit's number."""
        self._number += 1
        lines = []
        for room, events in rooms:
            told = self.by_room[room]
            told.append(entry(told[-1].last_seq + 1 if told else 1, events))
            lines.append(line_of(room, told[-1]))
        commit(self._database, self._number, lines)
        return self._number, lines

    def check(self) -> None:
        """Everything is filed, in order, nothing twice, and nothing of what was forgotten."""
        for room in KEPT:
            told = self.by_room[room]
            assert read(self._database, room) == told
            for after in range(told[-1].last_seq if told else 0):
                assert read(self._database, room, after) == [it for it in told if it.seq > after]
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
def test_what_a_server_left_is_filed_when_the_next_one_begins(
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
    committed, unfiled = Committed(database), PendingCommits()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compaction, "ROOMS_AT_ONCE", rooms_at_once)
        for number, rooms in enumerate(commits):
            unfiled.add(*committed.commit(rooms))
            for _ in range(portions[number] if number < len(portions) else 0):
                unfiled.compact_some(database, now_ms=0)
        compact_all(database)  # by the next server, which knows only what is on the disk
    committed.check()


@given(some_commits, st.integers(0, 30))
def test_it_may_be_broken_off_at_any_statement(
    database: sqlite3.Connection, commits: list[list[tuple[int, int]]], statements: int
) -> None:
    empty(database)
    committed, unfiled = Committed(database), PendingCommits()
    for rooms in commits:
        unfiled.add(*committed.commit(rooms))
    budget = statements

    def authorize(*_: object) -> int:
        nonlocal budget
        budget -= 1
        return sqlite3.SQLITE_OK if budget > 0 else sqlite3.SQLITE_DENY

    database.set_authorizer(authorize)
    with suppress(sqlite3.Error):
        unfiled.compact_some(database, now_ms=0)
    database.set_authorizer(None)
    if database.in_transaction:  # rolling back was denied, too
        database.execute("ROLLBACK")
    while unfiled:
        unfiled.compact_some(database, now_ms=0)
    committed.check()


def test_a_busy_room_is_filed_in_one_row(database: sqlite3.Connection) -> None:
    empty(database)
    committed, unfiled = Committed(database), PendingCommits()
    for _ in range(50):
        unfiled.add(*committed.commit([(1, 1)]))
    assert unfiled.compact_some(database, now_ms=0)
    assert database.execute("SELECT count(*) FROM entries").fetchone() == (1,)
    assert not unfiled


def test_some_rooms_at_a_time(
    database: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compaction, "ROOMS_AT_ONCE", 2)
    empty(database)
    committed, unfiled = Committed(database), PendingCommits()
    unfiled.add(*committed.commit([(1, 1), (2, 1), (3, 1)]))
    assert not unfiled.compact_some(database, now_ms=0)
    assert [len(read(database, room)) for room in KEPT] == [1, 1, 0]
    assert unfiled
    assert unfiled.compact_some(database, now_ms=0)
    committed.check()


def test_reading_costs_only_what_comes_after(database: sqlite3.Connection) -> None:
    empty(database)
    for seq in range(1, 101):
        text = msgspec.json.encode(entry(seq)) + b"\n"
        database.execute("INSERT INTO entries VALUES (1, ?, ?)", (seq, text))
    database.execute("UPDATE entries SET lines = x'00' WHERE seq < 99")
    assert [it.seq for it in read(database, 1, after=98)] == [99, 100]


def test_it_is_noted_that_the_server_lived_but_never_that_it_lived_less(
    database: sqlite3.Connection,
) -> None:
    empty(database)
    database.execute("UPDATE life SET alive_ms = 0")
    for now_ms, alive_ms in ((100, 100), (50, 100)):
        unfiled = PendingCommits()
        unfiled.add(1, [])
        assert unfiled.compact_some(database, now_ms)
        assert database.execute("SELECT alive_ms FROM life").fetchone() == (alive_ms,)


@pytest.mark.parametrize("blob", [b"no number\n", b"1 {\n", b"1 {}\n", b"1 \xff\n"])
def test_commits_that_nobody_wrote_are_an_error_and_stay(
    database: sqlite3.Connection, blob: bytes
) -> None:
    empty(database)
    database.execute("INSERT INTO commits VALUES (1, 0, ?)", (blob,))
    with pytest.raises((msgspec.MsgspecError, ValueError)):
        compact_all(database)
    assert database.execute("SELECT lines FROM commits").fetchall() == [(blob,)]
