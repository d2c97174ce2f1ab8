"""Deletion of old games while a server runs."""

import asyncio
from pathlib import Path

from tests.server.manual_clock import ManualClock
from tests.server.storage.sqlite.data_folders import (
    DAY_MS,
    LIVING,
    begin_living_room,
    finished,
    numbers,
)
from tests.server.talk import lobby, until

from boxroom_server.storage.ledger import delete_old_games_forever
from boxroom_server.storage.sqlite.external_access import open_database
from boxroom_server.storage.sqlite.folder import DataFolder
from boxroom_server.storage.sqlite.games import newest_games
from boxroom_server.storage.sqlite.storage import sqlite_storage
from boxroom_server.storage.storage import Storage


def save_games_of_five_days(storage: Storage) -> None:
    begin_living_room(storage)
    for day in range(5):
        log = LIVING if day == 1 else "the log of a room that has ended"
        storage.ledger.save_game(finished(day, days=day, log=log))


def days_left(folder: DataFolder) -> list[int]:
    """Return the days of the remaining games."""
    with open_database(folder.database) as connection:
        first_ms = finished(0).ended_ms
        return [(game.ended_ms - first_ms) // DAY_MS for game in newest_games(connection)]


async def test_games_are_deleted_once_they_are_too_old(tmp_path: Path) -> None:
    folder, clock = DataFolder(tmp_path), ManualClock()
    async with sqlite_storage(folder, ManualClock()) as storage:
        save_games_of_five_days(storage)
        deleting = asyncio.create_task(delete_old_games_forever(storage.ledger, 2, clock))
        for left in ([4, 3, 2, 1, 0], [4, 3, 2, 1, 0], [4, 3, 2, 1], [4, 3, 2]):
            clock.advance(DAY_MS / 1000 + 1 if clock.waiting else 0)
            await until(lambda: clock.waiting == 1)
            await until(lambda left=left: days_left(folder) == left)  # type: ignore[misc]
        deleting.cancel()
    assert numbers(folder.database) == [1, 2, 3, 4], "a room that lives may wake with its game"


async def test_a_server_with_the_option_deletes_old_games(tmp_path: Path) -> None:
    folder, late = DataFolder(tmp_path), 1.5
    async with sqlite_storage(folder, ManualClock()) as storage:
        save_games_of_five_days(storage)
        async with lobby(storage=storage, keep_games=late) as place:
            place.clock.advance(3 * DAY_MS / 1000)
            await until(lambda: days_left(folder) == [4, 3, 2])


async def test_by_default_games_stay_for_ever(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    async with sqlite_storage(folder, ManualClock()) as storage:
        save_games_of_five_days(storage)
        async with lobby(storage=storage) as place:
            place.clock.advance(5 * DAY_MS / 1000)
    assert days_left(folder) == [4, 3, 2, 1, 0]
