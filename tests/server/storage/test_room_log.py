"""The contract of all implementations of `RoomLog`."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from tests.server.storage.sqlite.writing import Outcome, rooms_in, writer_on

from boxroom_engine.room.events import Entry, Joined, Left
from boxroom_engine.wire.messages import Events
from boxroom_server.net.frames import Outgoing
from boxroom_server.storage.memory.room_log import MemoryLog
from boxroom_server.storage.room_log import Conflict, RoomLog, RoomRecord

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


each_log = pytest.mark.parametrize("opened", [in_memory, in_sqlite])


def create(log: RoomLog, *names: str) -> None:
    for name in names:
        log.create(RoomRecord(name, f"room of {name}", "Ada", "token", None, 0))


async def append(log: RoomLog, name: str, entry: Entry) -> None:
    """Append, and wait until the entry is saved."""
    outcome = Outcome()
    text = Outgoing.of(Events(entry.seq, entry.at_ms, entry.events)).payload
    log.append(name, entry, text, outcome)
    error = await outcome.known()
    if error is not None:
        raise error


@each_log
async def test_followers_are_given_entries_in_order(opened: Opened, tmp_path: Path) -> None:
    async with opened(tmp_path) as log:
        create(log, "attic")
        one: list[Entry] = []
        other: list[Entry] = []
        log.follow("attic", one.append)
        unfollow = log.follow("attic", other.append)
        await append(log, "attic", FIRST)
        assert one == other == [FIRST]
        unfollow()
        await append(log, "attic", SECOND)
        assert one == [FIRST, SECOND]
        assert other == [FIRST]


@each_log
async def test_followers_receive_an_entry_before_its_callback_is_called(
    opened: Opened, tmp_path: Path
) -> None:
    async with opened(tmp_path) as log:
        create(log, "attic")
        calls: list[str] = []
        outcome = Outcome()

        def answer(error: Exception | None) -> None:
            calls.append("callback")
            outcome(error)

        log.follow("attic", lambda _: calls.append("follower"))
        log.append("attic", FIRST, b"{}", answer)
        assert await outcome.known() is None
        assert calls == ["follower", "callback"]


@each_log
@pytest.mark.parametrize("seq", [1, 2, 4])
async def test_only_the_next_number_can_be_appended(
    opened: Opened, tmp_path: Path, seq: int
) -> None:
    async with opened(tmp_path) as log:
        create(log, "attic")
        followed: list[Entry] = []
        log.follow("attic", followed.append)
        await append(log, "attic", FIRST)
        with pytest.raises(Conflict):
            await append(log, "attic", Entry(seq, 0, (Left("Ada"),)))
        await append(log, "attic", SECOND)
        assert followed == [FIRST, SECOND]


@each_log
async def test_rooms_have_nothing_to_do_with_one_another(opened: Opened, tmp_path: Path) -> None:
    async with opened(tmp_path) as log:
        create(log, "attic", "cellar")
        attic: list[Entry] = []
        log.follow("attic", attic.append)
        await append(log, "cellar", FIRST)
        assert attic == []
        await append(log, "attic", FIRST)
        assert attic == [FIRST]


@each_log
async def test_a_deleted_log_starts_again_at_one(opened: Opened, tmp_path: Path) -> None:
    async with opened(tmp_path) as log:
        create(log, "attic")
        old: list[Entry] = []
        unfollow = log.follow("attic", old.append)
        await append(log, "attic", FIRST)
        await log.delete("attic")
        unfollow()
        create(log, "attic")
        new: list[Entry] = []
        log.follow("attic", new.append)
        await append(log, "attic", FIRST)
        assert new == [FIRST]
        assert old == [FIRST]


@each_log
async def test_a_new_server_finds_no_rooms(opened: Opened, tmp_path: Path) -> None:
    async with opened(tmp_path) as log:
        assert log.room_records() == ()
