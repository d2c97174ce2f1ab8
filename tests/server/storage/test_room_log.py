"""The contract of all implementations of `RoomLog`."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from tests.cluster.shared import new_address
from tests.server.storage.log_recorder import LogRecorder
from tests.server.storage.sqlite.writing import rooms_in, writer_on

from boxroom_engine.room.events import Entry, Joined, Left
from boxroom_server.clock import SystemClock
from boxroom_server.storage.etcd.storage import etcd_storage
from boxroom_server.storage.memory.room_log import MemoryLog
from boxroom_server.storage.room_log import Conflict, RoomLog, RoomRecord

ONE_LOOP = True
FIRST = Entry(1, 0, (Joined("Ada"), Joined("Bob")))
SECOND = Entry(3, 0, (Left("Bob"),), "Ada", 7)

Opened = Callable[[Path], AbstractAsyncContextManager[RoomLog]]


@asynccontextmanager
async def in_memory(folder: Path) -> AsyncIterator[RoomLog]:
    yield MemoryLog()


@asynccontextmanager
async def in_sqlite(folder: Path) -> AsyncIterator[RoomLog]:
    async with writer_on(folder / "boxroom.db") as writer:
        yield rooms_in(folder / "boxroom.db", writer)


@asynccontextmanager
async def in_etcd(folder: Path) -> AsyncIterator[RoomLog]:
    async with etcd_storage(new_address(), SystemClock()) as storage:
        yield storage.room_log


each_log = pytest.mark.parametrize("opened", [in_memory, in_sqlite, in_etcd])


def create(log: RoomLog, *names: str) -> None:
    for name in names:
        log.create(RoomRecord(name, f"room of {name}", "Ada", "token", None, 0))


@each_log
async def test_followers_are_given_entries_in_order(opened: Opened, tmp_path: Path) -> None:
    async with opened(tmp_path) as log:
        create(log, "attic")
        one, other = LogRecorder(log, "attic"), LogRecorder(log, "attic")
        await one.save(FIRST)
        assert one.entries == other.entries == [FIRST]
        other.close()
        await one.save(SECOND)
        assert one.entries == [FIRST, SECOND]
        assert other.entries == [FIRST]


@each_log
async def test_the_appender_receives_the_object_that_it_appended(
    opened: Opened, tmp_path: Path
) -> None:
    async with opened(tmp_path) as log:
        create(log, "attic")
        recorder = LogRecorder(log, "attic")
        appended = recorder.append(FIRST)
        assert await recorder.outcome(appended) is None
        assert recorder.entries[0] is appended


@each_log
async def test_only_the_next_number_can_be_appended(opened: Opened, tmp_path: Path) -> None:
    async with opened(tmp_path) as log:
        create(log, "attic")
        one, other = LogRecorder(log, "attic"), LogRecorder(log, "attic")
        await one.save(FIRST)
        for seq in (1, 2, 4):
            with pytest.raises(Conflict):
                await other.save(Entry(seq, 0, (Left("Ada"),)))
        await other.save(SECOND)
        assert one.entries == other.entries == [FIRST, SECOND]


@each_log
async def test_rooms_have_nothing_to_do_with_one_another(opened: Opened, tmp_path: Path) -> None:
    async with opened(tmp_path) as log:
        create(log, "attic", "cellar")
        attic = LogRecorder(log, "attic")
        await LogRecorder(log, "cellar").save(FIRST)
        assert attic.entries == []
        await attic.save(FIRST)
        assert attic.entries == [FIRST]


@each_log
async def test_a_deleted_log_starts_again_at_one(opened: Opened, tmp_path: Path) -> None:
    async with opened(tmp_path) as log:
        create(log, "attic")
        old = LogRecorder(log, "attic")
        await old.save(FIRST)
        old.close()
        await log.delete("attic")
        create(log, "attic")
        new = LogRecorder(log, "attic")
        await new.save(FIRST)
        assert new.entries == [FIRST]
        assert old.entries == [FIRST]
