"""Opening a data folder, closing it, and opening one after a crash."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.server.manual_clock import ManualClock
from tests.server.storage.log_recorder import LogRecorder
from tests.server.storage.sqlite.writing import rows
from tests.server.talk import until

from boxroom_engine.room.events import Entry, Joined
from boxroom_server.ops.metrics import Commits
from boxroom_server.storage.room_log import RoomRecord
from boxroom_server.storage.sqlite.folder import DataFolder
from boxroom_server.storage.sqlite.schema import UnusableData
from boxroom_server.storage.sqlite.storage import HEARTBEAT_S, sqlite_storage
from boxroom_server.storage.storage import Storage

ONE_LOOP = True

ENTRY = Entry(1, 0, (Joined("Ada"),))


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    return DataFolder(tmp_path / "data")


def crashed(folder: DataFolder) -> DataFolder:
    """Return a copy of the folder, as after a kill of the server at this moment."""
    copy = folder.path.with_name("crashed")
    shutil.copytree(folder.path, copy)
    return DataFolder(copy)


def change(folder: DataFolder, statement: str) -> None:
    with closing(sqlite3.connect(folder.database)) as connection, connection:
        connection.execute(statement)


async def make_room(storage: Storage, log: str = "4711") -> None:
    storage.room_log.create(RoomRecord(log, "attic", "Ada", "token", None, 0))
    await LogRecorder(storage.room_log, log).save(ENTRY)


async def test_a_new_folder_is_empty(folder: DataFolder) -> None:
    async with sqlite_storage(folder, ManualClock()) as storage:
        assert storage.room_log.room_records() == ()
        assert storage.ledger.names() == ()
        assert storage.failure() is None
        assert storage.down_ms == 0


async def test_one_server_at_a_time_has_it(folder: DataFolder) -> None:
    async with sqlite_storage(folder, ManualClock()):
        with pytest.raises(UnusableData, match="belongs to another server"):
            async with sqlite_storage(folder, ManualClock()):
                pytest.fail("two servers have one folder")
    async with sqlite_storage(folder, ManualClock()):
        pass


async def test_a_room_is_found_again_after_the_end_and_after_a_crash(folder: DataFolder) -> None:
    async with sqlite_storage(folder, ManualClock()) as storage:
        await make_room(storage)
        copy = crashed(folder)
    for left in (folder, copy):
        async with sqlite_storage(left, ManualClock()) as storage:
            assert [it.code for it in storage.room_log.room_records()] == ["attic"]
            assert (await storage.room_log.read("4711")).entries[0].seq == 1


async def test_a_room_whose_creation_was_never_saved_is_deleted(folder: DataFolder) -> None:
    async with sqlite_storage(folder, ManualClock()) as storage:
        storage.room_log.create(RoomRecord("4711", "attic", "Ada", "token", None, 0))
    assert rows(folder.database, "SELECT log FROM rooms") == [("4711",)]
    async with sqlite_storage(folder, ManualClock()) as storage:
        assert storage.room_log.room_records() == ()
    assert rows(folder.database, "SELECT log FROM rooms") == []


async def test_commits_are_counted(folder: DataFolder) -> None:
    commits = Commits()
    async with sqlite_storage(folder, ManualClock(), commits) as storage:
        await make_room(storage)
    assert commits.entries.total == 1.0


async def test_after_the_end_the_time_without_a_server_is_known(
    folder: DataFolder,
) -> None:
    clock = ManualClock()
    async with sqlite_storage(folder, clock):
        clock.advance(2.0)
    clock.advance(60.0)
    async with sqlite_storage(folder, clock) as storage:
        assert storage.down_ms == 60_000


async def test_after_a_crash_it_is_known_from_the_last_sign_of_life(folder: DataFolder) -> None:
    clock = ManualClock()
    async with sqlite_storage(folder, clock):
        await until(lambda: clock.waiting > 0)
        clock.advance(HEARTBEAT_S)
        noted = [(clock.now_ms(),)]
        await until(lambda: rows(folder.database, "SELECT alive_ms FROM life") == noted)
        clock.advance(HEARTBEAT_S - 1.0)
        copy = crashed(folder)
    clock.advance(60.0)
    async with sqlite_storage(copy, clock) as storage:
        assert storage.down_ms == (60 + HEARTBEAT_S - 1) * 1000


async def test_an_entry_is_a_sign_of_life_too(folder: DataFolder) -> None:
    clock = ManualClock()
    async with sqlite_storage(folder, clock) as storage:
        clock.advance(HEARTBEAT_S / 2)
        await make_room(storage)
        copy = crashed(folder)
    clock.advance(60.0)
    async with sqlite_storage(copy, clock) as storage:
        assert storage.down_ms == 60_000


async def test_a_clock_that_was_set_back_makes_no_time_before_now(folder: DataFolder) -> None:
    clock = ManualClock()
    async with sqlite_storage(folder, clock) as storage:
        await make_room(storage)
    clock.behind_s = 3600.0
    async with sqlite_storage(folder, clock) as storage:
        assert storage.down_ms == 0
    clock.advance(60.0)
    async with sqlite_storage(folder, clock) as storage:
        assert storage.down_ms == 60_000


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param("INSERT INTO commits VALUES (1, 0, x'41')", id="a commit"),
        pytest.param("UPDATE rooms SET lodging = '{}'", id="the record of a room"),
    ],
)
async def test_a_damaged_one_is_refused_and_free_again(folder: DataFolder, damage: str) -> None:
    async with sqlite_storage(folder, ManualClock()) as storage:
        await make_room(storage)
    change(folder, damage)
    for _ in range(2):
        with pytest.raises(UnusableData, match="is damaged"):
            async with sqlite_storage(folder, ManualClock()):
                pytest.fail("it can't be used")
