"""The free space of a disk, and what a server still takes when only the reserve is left."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.server.manual_clock import ManualClock
from tests.server.talk import ONE_BOX, lobby, until

from boxroom_server.storage.memory.storage import memory_storage
from boxroom_server.storage.sqlite.folder import DataFolder
from boxroom_server.storage.sqlite.free_space import (
    CHECK_EVERY_S,
    MOST_RESERVED_BYTES,
    DiskUsage,
    FreeSpace,
    read_usage,
)
from boxroom_server.storage.sqlite.storage import sqlite_storage

ONE_LOOP = True
GIB = 1 << 30


@pytest.mark.parametrize(
    ("total", "free", "is_nearly_full"),
    [
        (10 * GIB, GIB // 2, False),
        (10 * GIB, GIB // 2 - 1, True),
        (1000 * GIB, MOST_RESERVED_BYTES, False),
        (1000 * GIB, MOST_RESERVED_BYTES - 1, True),
        (0, 0, False),
    ],
)
async def test_five_percent_are_reserved_and_a_gibibyte_at_most(
    tmp_path: Path, total: int, free: int, is_nearly_full: bool
) -> None:
    assert await seen(tmp_path, lambda _: DiskUsage(total, total - free, free)) is is_nearly_full


async def test_a_disk_that_does_not_answer_counts_as_before(tmp_path: Path) -> None:
    assert await seen(tmp_path / "missing", read_usage) is False


async def seen(folder: Path, read: Callable[[Path], DiskUsage]) -> bool:
    """Return whether only the reserve is left, by one reading."""
    clock = ManualClock()
    space = FreeSpace(folder, clock, read)
    watching = asyncio.create_task(space.watch())
    await until(lambda: clock.waiting > 0)
    watching.cancel()
    return space.is_nearly_full


async def test_it_is_read_every_few_seconds_and_logged_when_it_changes(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    free, clock = [0], ManualClock()
    async with sqlite_storage(
        DataFolder(tmp_path / "data"), clock, read_usage=lambda _: DiskUsage(GIB, 0, free[0])
    ) as storage:
        await until(lambda: storage.space.is_nearly_full)
        free[0] = GIB
        clock.advance(CHECK_EVERY_S)
        await until(lambda: not storage.space.is_nearly_full)
    assert caplog.text.count("the disk is nearly full") == 1


async def test_games_go_on_and_nothing_else_begins() -> None:
    storage = memory_storage()
    async with lobby(storage=storage) as place:
        ada = await place.create("Ada")
        bob = await place.join("Bob")
        await ada.do("start")
        said = await bob.say("say", text="before")
        await bob.answer(said)
        storage.space.is_nearly_full = True
        assert (await bob.ask("say", id=said, text="before"))["type"] == "done", "a repeat"
        bob.last_id = said
        assert await bob.refusal("say", text="hello") == "disk_nearly_full"
        cyd = await place.join("Cyd", watch=True)
        await cyd.do("leave")
        refused = await cyd.refusal("create_room", token="a new room", settings=ONE_BOX)
        assert refused == "disk_nearly_full"
        for ply, (talk, move) in enumerate([(ada, "h0"), (bob, "h1"), (ada, "v0")]):
            await talk.do("play", seat=ply % 2, move=move, ply=ply)
        await bob.do("resign", seat=1)
        for command in ("rematch", "start"):
            assert await ada.refusal(command) == "disk_nearly_full"
        storage.space.is_nearly_full = False
        await ada.do("start")


async def test_a_repeated_request_still_leads_into_its_room() -> None:
    storage = memory_storage()
    async with lobby(storage=storage) as place:
        ada = await place.create("Ada")
        ada.cut()
        storage.space.is_nearly_full = True
        await place.create("Ada")
