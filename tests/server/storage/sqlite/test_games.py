"""Reading and deleting finished games from another process."""

import shutil
import sqlite3
from pathlib import Path

import pytest
from tests.cases import each
from tests.server.manual_clock import NOON_MS, ManualClock
from tests.server.storage.sqlite.data_folders import (
    DAY_MS,
    LIVING,
    ONE_BOX,
    begin_living_room,
    finished,
    new_data_folder,
    numbers,
)

from boxroom_server.storage.ledger import StoredGame
from boxroom_server.storage.sqlite import games as stored_games
from boxroom_server.storage.sqlite.external_access import open_database
from boxroom_server.storage.sqlite.folder import DataFolder
from boxroom_server.storage.sqlite.games import SqliteGames
from boxroom_server.storage.sqlite.storage import sqlite_storage

ONE_LOOP = True


async def three_games(path: Path) -> DataFolder:
    return await new_data_folder(path, finished(1), finished(2, days=2), finished(3, days=1))


async def test_the_newest_comes_first_and_the_list_may_have_a_limit(tmp_path: Path) -> None:
    folder = await three_games(tmp_path)
    with open_database(folder.database) as connection:
        assert [game.id async for game in SqliteGames(connection).newest()] == [2, 3, 1]
        assert [game.id async for game in SqliteGames(connection).newest(2)] == [2, 3]
        assert [game.id async for game in SqliteGames(connection).oldest()] == [1, 3, 2]


async def test_a_game_is_known_by_its_number(tmp_path: Path) -> None:
    folder = await three_games(tmp_path)
    with open_database(folder.database) as connection:
        assert await SqliteGames(connection).find(3) == StoredGame(
            3, "attic", NOON_MS + DAY_MS, (0, 1), (1,), ONE_BOX
        )
        assert await SqliteGames(connection).find(4) is None


def test_it_says_what_was_played_and_by_whom() -> None:
    game = StoredGame(1, "attic", NOON_MS, (0, 1), (1,), ONE_BOX)
    assert game.game == "dots rows=1 cols=1 border=none"
    assert game.players == ("Ada", "Bob")


@each(
    "record, players",
    [
        ("dots rows=1 cols=1 border=none | A%1B[2Jda, %7C | h0", ("A[2Jda", "|")),
        ("dots rows=1 cols=1 border=none | %1B, Bob | h0", ("?", "Bob")),
        ("dots rows=1 cols=1 border=none | Ada, Bob, Cem | h0", ("?", "?")),
        ("nonsense", ("?", "?")),
    ],
)
def test_nothing_in_a_record_can_fool_a_terminal(record: str, players: tuple[str, ...]) -> None:
    assert StoredGame(1, "attic", NOON_MS, (0, 1), (1,), record).players == players


async def test_deleted_games_are_gone(tmp_path: Path) -> None:
    folder = await three_games(tmp_path)
    with open_database(folder.database, writable=True) as connection:
        assert await SqliteGames(connection).delete([1, 3, 99]) == 2
        assert [game.id async for game in SqliteGames(connection).newest()] == [2]
        assert await SqliteGames(connection).find(1) is None
    assert numbers(folder.database) == [2]


async def test_those_before_a_day_are_deleted_and_no_others(tmp_path: Path) -> None:
    ended = [3, 0, 5, 2, 2, 4]
    games = [finished(number, days=day) for number, day in enumerate(ended, 1)]
    folder = await new_data_folder(tmp_path / "data", *games)
    for before in range(7):
        copy = DataFolder(shutil.copytree(folder.path, tmp_path / str(before)))
        staying = [number for number, day in enumerate(ended, 1) if day >= before]
        with open_database(copy.database, writable=True) as connection:
            deleted = await SqliteGames(connection).delete_before(NOON_MS + before * DAY_MS)
        assert deleted == len(ended) - len(staying)
        assert numbers(copy.database) == staying


async def test_many_are_deleted_little_by_little(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_games, "BATCH_SIZE", 2)
    folder = await new_data_folder(tmp_path, *(finished(number) for number in range(1, 8)))
    with open_database(folder.database, writable=True) as connection:
        begun: list[str] = []
        connection.set_trace_callback(begun.append)
        assert await SqliteGames(connection).delete(range(1, 8)) == 7
    assert begun.count("BEGIN IMMEDIATE") == 4
    assert numbers(folder.database) == []


async def test_a_room_that_wakes_doesnt_bring_a_deleted_game_back(tmp_path: Path) -> None:
    folder, game = DataFolder(tmp_path), finished(1, log=LIVING)
    async with sqlite_storage(folder, ManualClock()) as storage:
        begin_living_room(storage)
        storage.ledger.save_game(game)
    with open_database(folder.database, writable=True) as connection:
        assert await SqliteGames(connection).delete([1]) == 1
        assert await SqliteGames(connection).delete([1]) == 0
    async with sqlite_storage(folder, ManualClock()) as storage:
        storage.ledger.save_game(game)
    with open_database(folder.database, writable=True) as connection:
        assert [game async for game in SqliteGames(connection).newest()] == []
        row = connection.execute("SELECT room, scores, winners, record FROM games").fetchone()
        assert row == ("", "[]", "[]", ""), "nothing of it is left but that there was one"
        connection.execute("DELETE FROM rooms")
        await SqliteGames(connection).delete([])
    assert numbers(folder.database) == []


@pytest.mark.parametrize(
    "change",
    [
        "checksum = NULL",
        "scores = '[1,0]'",
        "record = replace(record, 'Ada', 'Bda')",
        "checksum = checksum + 1",
    ],
)
async def test_a_row_that_isnt_a_game_counts_as_damage(tmp_path: Path, change: str) -> None:
    folder = await three_games(tmp_path)
    with open_database(folder.database, writable=True) as connection:
        connection.execute(f"UPDATE games SET {change} WHERE id = 2")
        with pytest.raises(sqlite3.DatabaseError, match="game 2 can't be read"):
            [game async for game in SqliteGames(connection).newest()]
