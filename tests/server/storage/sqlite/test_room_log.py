"""Room logs in SQLite: saving and reading them.

`tests/server/storage/test_room_log.py` tests what all implementations have in common.
"""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.server.manual_clock import ManualClock
from tests.server.storage.log_recorder import LogRecorder
from tests.server.storage.sqlite.writing import (
    add,
    gone,
    hanging,
    rooms_in,
    rows,
    writer_on,
)
from tests.server.talk import until

from boxroom_engine.room.accepted import AcceptedCommands
from boxroom_engine.room.events import Created, Entry, Joined, Left, Said
from boxroom_engine.room.evolve import evolve_entry
from boxroom_engine.room.room import Room, Settings
from boxroom_server.storage.room_log import (
    CannotSave,
    Conflict,
    Damaged,
    RoomRecord,
    StoredLog,
    fold_log,
)
from boxroom_server.storage.sqlite.writer import SLOW_S

ONE_LOOP = True

RECORD = RoomRecord("4711", "attic", "Ada", "token", None, 5)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "boxroom.db"


async def save(path: Path, *entries: Entry, room_record: RoomRecord = RECORD) -> None:
    """Save a room with that history, or go on with it."""
    async with writer_on(path) as writer:
        log = rooms_in(path, writer)
        if room_record in log.room_records():
            await log.read(room_record.log)
        else:
            log.create(room_record)
        recorder = LogRecorder(log, room_record.log)
        for entry in entries:
            await recorder.save(entry)


async def read(path: Path, name: str = RECORD.log) -> StoredLog:
    async with writer_on(path) as writer:
        return await rooms_in(path, writer).read(name)


def history(lines: int) -> list[Entry]:
    """Return the entries of a room with so many lines of chat."""
    first = Entry(1, 0, (Created("attic", RECORD.log, "Ada", Settings()), Joined("Ada")))
    said = [
        Entry(seq, seq, (Said("Ada", f"line {seq}", seq),), "Ada", seq)
        for seq in range(3, 3 + lines)
    ]
    return [first, *said]


def fold(*entries: Entry) -> tuple[Room, AcceptedCommands]:
    """Return the room after `entries`, and its accepted commands."""
    room, accepted = Room("attic"), AcceptedCommands()
    for entry in entries:
        room = evolve_entry(room, entry)
        accepted.add(entry, room)
    return room, accepted


def assert_folds_into(stored: StoredLog, *entries: Entry) -> None:
    """Check that `stored` leads to the same as `entries`."""
    (room, accepted), (expected_room, expected) = fold_log(stored, RECORD), fold(*entries)
    assert room == expected_room
    assert accepted.stored() == expected.stored() != {}


# What is appended


async def test_entries_are_read_as_they_were_appended(path: Path) -> None:
    entries = history(3)
    await save(path, *entries)
    assert await read(path) == StoredLog(None, tuple(entries))


@given(
    st.lists(
        st.tuples(
            st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1, max_size=3),
            st.none() | st.text(st.characters(exclude_categories=["Cs"])),
            st.integers(0, 2**53),
        ),
        max_size=8,
    )
)
@settings(max_examples=25)
async def test_any_entries_are_read_as_they_were_appended(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[list[str], str | None, int]]
) -> None:
    entries: list[Entry] = []
    for texts, member, command_id in drawn:
        seq = entries[-1].last_seq + 1 if entries else 1
        events = tuple(Said("Ada", text, 7) for text in texts)
        entries.append(Entry(seq, 9, events, member, command_id if member is not None else 0))
    path = tmp_path_factory.mktemp("any") / "boxroom.db"
    await save(path, *entries)
    assert await read(path) == StoredLog(None, tuple(entries))


async def test_a_room_is_never_saved_without_its_beginning(path: Path) -> None:
    async with writer_on(path) as writer:
        log = rooms_in(path, writer)
        with hanging(path):
            add(writer, b"{}", room=9)
            await asyncio.sleep(0)  # the thread has that; the room is the next commit
            log.create(RECORD)
            recorder = LogRecorder(log, RECORD.log)
            appended = recorder.append(history(0)[0])
        assert await recorder.outcome(appended) is None
        saved = rows(path, "SELECT id, lines FROM commits ORDER BY id")
        assert len(saved) == 2
        assert rows(path, "SELECT log FROM rooms") == [(RECORD.log,)]


async def test_an_entry_that_could_not_be_saved_may_be_appended_again(path: Path) -> None:
    clock = ManualClock()
    async with writer_on(path, clock) as writer:
        log = rooms_in(path, writer)
        log.create(RECORD)
        first, second = history(1)
        recorder = LogRecorder(log, RECORD.log)
        await recorder.save(first)
        with hanging(path):
            add(writer, b"{}", room=9)
            await asyncio.sleep(0)
            waiting = recorder.append(second)
            clock.advance(2 * SLOW_S)  # the first one may have been for another commit
            assert isinstance(await recorder.outcome(waiting), CannotSave)
        await until(lambda: writer.failure is None)
        assert recorder.entries == [first]
        await recorder.save(second)
        assert recorder.entries == [first, second]


# What is read


async def test_only_what_comes_after_a_checkpoint_is_read(path: Path) -> None:
    entries = history(9)
    await save(path, *entries)
    await save_checkpoint(path, *entries[:5])
    stored = await read(path)
    assert stored.checkpoint is not None
    assert stored.entries == tuple(entries[5:])
    assert_folds_into(stored, *entries)


async def test_entries_older_than_the_checkpoint_are_deleted(path: Path) -> None:
    entries = history(90)
    await save(path, *entries[:30])
    await save(path, *entries[30:60])  # a row, as each server compacts its commits
    await save_checkpoint(path, *entries[:50])
    assert [seq for (seq,) in rows(path, "SELECT seq FROM entries")] == [entries[30].seq]
    assert_folds_into(await read(path), *entries[:60])
    await save(path, *entries[60:])
    assert_folds_into(await read(path), *entries)


async def test_entries_that_a_checkpoint_has_are_not_even_compacted(path: Path) -> None:
    entries = history(60)
    async with writer_on(path) as writer:
        log = rooms_in(path, writer)
        log.create(RECORD)
        recorder = LogRecorder(log, RECORD.log)
        for entry in entries:
            await recorder.save(entry)
        recorder.opened.save_checkpoint(*fold(*entries))
    assert rows(path, "SELECT * FROM commits") == rows(path, "SELECT * FROM entries") == []
    assert_folds_into(await read(path), *entries)


async def save_checkpoint(path: Path, *entries: Entry) -> None:
    async with writer_on(path) as writer:
        LogRecorder(rooms_in(path, writer), RECORD.log).opened.save_checkpoint(*fold(*entries))


async def test_a_checkpoint_may_be_the_last_that_is_known(path: Path) -> None:
    entries = history(3)
    await save(path, *entries)
    async with writer_on(path) as writer:
        log = rooms_in(path, writer)
        LogRecorder(log, RECORD.log).opened.save_checkpoint(*fold(*entries))
    async with writer_on(path) as writer:
        log = rooms_in(path, writer)
        stored = await log.read(RECORD.log)
        assert stored.entries == ()
        assert_folds_into(stored, *entries)
        after = Entry(entries[-1].last_seq + 1, 0, (Left("Ada"),))
        await LogRecorder(log, RECORD.log).save(after)
    assert (await read(path)).entries == (after,)


async def test_a_room_goes_on_where_it_was_read(path: Path) -> None:
    first, second, third = history(2)
    await save(path, first, second)
    async with writer_on(path) as writer:
        log = rooms_in(path, writer)
        await log.read(RECORD.log)
        recorder = LogRecorder(log, RECORD.log)
        with pytest.raises(Conflict):
            await recorder.save(second)
        await recorder.save(third)
    assert (await read(path)).entries == (first, second, third)


async def test_rooms_are_listed_the_oldest_first_and_numbers_go_on(path: Path) -> None:
    room_records = [
        RoomRecord(f"log {it}", f"room {it}", "Ada", "token", "hash", it) for it in range(3)
    ]
    for room_record in room_records:
        await save(path, Entry(1, 0, (Joined("Ada"),)), room_record=room_record)
    async with writer_on(path) as writer:
        assert rooms_in(path, writer).room_records() == tuple(room_records)
    assert rows(path, "SELECT id, log FROM rooms") == [(1, "log 0"), (2, "log 1"), (3, "log 2")]


async def test_a_deleted_room_is_gone_with_its_pending_commits(path: Path) -> None:
    async with writer_on(path) as writer:
        log = rooms_in(path, writer)
        log.create(RECORD)
        entries = history(2)
        recorder = LogRecorder(log, RECORD.log)
        for entry in entries:
            await recorder.save(entry)
        recorder.opened.save_checkpoint(*fold(*entries))
        await log.delete(RECORD.log)
    for table in ("rooms", "commits", "entries", "checkpoints"):
        assert rows(path, f"SELECT * FROM {table}") == []


async def test_a_new_room_of_the_next_server_has_nothing_of_a_deleted_one(path: Path) -> None:
    async with writer_on(path) as writer:
        log = rooms_in(path, writer)
        log.create(RECORD)
        await LogRecorder(log, RECORD.log).save(history(0)[0])
        await log.delete(RECORD.log)
    other = RoomRecord("4712", "attic", "Bob", "token", None, 6)
    joined = Entry(1, 0, (Joined("Bob"),))
    await save(path, joined, room_record=other)
    assert await read(path, "4712") == StoredLog(None, (joined,))


# What can't be read


@pytest.mark.parametrize(
    "lines", [b"{\n", b"\xff\n", b'{"seq":1}\n', b'{"seq":1,"at_ms":0,"events":[{"type":"x"}]}\n']
)
async def test_a_broken_line_damages_its_room_alone(path: Path, lines: bytes) -> None:
    other = RoomRecord("4712", "cellar", "Bob", "token", None, 6)
    entries = history(1)
    await save(path, *entries)
    await save(path, *entries, room_record=other)
    change(path, "UPDATE entries SET lines = ? WHERE room = 1", lines)
    async with writer_on(path) as writer:
        log = rooms_in(path, writer)
        with pytest.raises(Damaged, match="can't be read"):
            await log.read(RECORD.log)
        assert (await log.read(other.log)).entries == tuple(entries)
    assert rows(path, "SELECT lines FROM entries WHERE room = 1") == [(lines,)]


async def test_a_broken_checkpoint_damages_its_room(path: Path) -> None:
    entries = history(1)
    await save(path, *entries)
    change(path, "INSERT INTO checkpoints VALUES (1, 2, ?, NULL)", b"{}")
    with pytest.raises(Damaged):
        await read(path)


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(
            "UPDATE entries SET lines = CAST(replace(lines, 'line 3', 'line 4') AS BLOB)",
            id="a text",
        ),
        pytest.param("UPDATE entries SET lines = CAST(lines AS TEXT)", id="a type"),
        pytest.param("UPDATE entries SET checksum = checksum + 1", id="a checksum"),
        pytest.param("UPDATE entries SET checksum = NULL", id="no checksum"),
        pytest.param("UPDATE checkpoints SET checkpoint = '{}'", id="a checkpoint"),
        pytest.param("UPDATE checkpoints SET seq = seq + 1", id="the number of a checkpoint"),
        pytest.param("UPDATE checkpoints SET seq = 'text'", id="no number"),
    ],
)
async def test_a_changed_row_damages_its_room(path: Path, damage: str) -> None:
    entries = history(3)
    await save(path, *entries)
    async with writer_on(path) as writer:
        log = rooms_in(path, writer)
        LogRecorder(log, RECORD.log).opened.save_checkpoint(*fold(*entries[:2]))
    assert_folds_into(await read(path), *entries)
    change(path, damage)
    with pytest.raises(Damaged):
        await read(path)


async def test_a_missing_row_damages_its_room(path: Path) -> None:
    first, second, third = history(2)
    await save(path, first)
    for entry in (second, third):  # a row of its own for each start
        async with writer_on(path) as writer:
            log = rooms_in(path, writer)
            await log.read(RECORD.log)
            await LogRecorder(log, RECORD.log).save(entry)
    change(path, "DELETE FROM entries WHERE seq = ?", second.seq)
    with pytest.raises(Damaged, match=f"it lacks the events from {second.seq} on"):
        await read(path)


async def test_a_disk_that_fails_to_be_read_damages_nothing(path: Path) -> None:
    await save(path, *history(1))
    async with writer_on(path) as writer:
        log = rooms_in(path, writer)
        with gone(path), pytest.raises(CannotSave, match="the disk fails"):
            await log.read(RECORD.log)
        assert (await log.read(RECORD.log)).entries == tuple(history(1))


def change(path: Path, statement: str, *parameters: object) -> None:
    """Change the database behind the server's back."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, parameters)
