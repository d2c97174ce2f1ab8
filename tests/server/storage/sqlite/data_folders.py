"""Data folders of servers that have stopped."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.server.manual_clock import NOON_MS, ManualClock
from tests.server.storage.log_recorder import LogRecorder

from boxroom_engine.room import commands as cmd
from boxroom_engine.room.decide import decide
from boxroom_engine.room.events import Entry
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.room import Room, Settings
from boxroom_server.storage.ledger import FinishedGame
from boxroom_server.storage.room_log import RoomRecord
from boxroom_server.storage.sqlite.folder import DataFolder
from boxroom_server.storage.sqlite.storage import sqlite_storage
from boxroom_server.storage.storage import Storage

ONE_BOX = "dots rows=1 cols=1 border=none | Ada, Bob | h0 v0 h1 v1"
DAY_MS = 86_400_000

LIVING = "the log of a room that lives"


def finished(
    number: int,
    *,
    log: str = "the log of a room that has ended",
    room: str = "attic",
    days: float = 0,
    record: str = ONE_BOX,
) -> FinishedGame:
    """Return a game of one box, which Bob won, `days` after noon."""
    ended_ms = NOON_MS + round(days * DAY_MS)
    return FinishedGame(log, number, room, ended_ms, (0, 1), (1,), record)


def data_folder(path: Path, *games: FinishedGame) -> DataFolder:
    """Make the folder of a server with `games`, and a room whose log is `LIVING`."""
    return asyncio.run(new_data_folder(path, *games))


async def new_data_folder(path: Path, *games: FinishedGame) -> DataFolder:
    """Make the same where an event loop is running."""
    folder = DataFolder(path)
    async with sqlite_storage(folder, ManualClock()) as storage:
        begin_living_room(storage)
        for game in games:
            storage.ledger.save_game(game)
    return folder


def begin_living_room(storage: Storage) -> None:
    """Make a room with an entry, so that it is saved."""
    storage.room_log.create(RoomRecord(LIVING, "cellar", "Ada", "token", None, NOON_MS))
    create = cmd.Create(LIVING, "Ada", Settings())
    draft = decide(Room("cellar"), create, NOON_MS, RoomLimits())
    entry = Entry(1, NOON_MS, tuple(draft.events))
    LogRecorder(storage.room_log, LIVING).append(entry)


def damage_games(database: Path) -> None:
    """Overwrite the first page of the table of games."""
    with closing(sqlite3.connect(database)) as connection:
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'games'"
        ).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with database.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


def left_by_a_kill(folder: DataFolder, copy: Path) -> DataFolder:
    """Copy the folder of a server with games as a kill would leave it, with a damaged log."""
    with closing(sqlite3.connect(folder.database, isolation_level=None)) as connection:
        for number in range(3):
            connection.execute("UPDATE games SET number = ?", (number,))
        shutil.copytree(folder.path, copy)
    log = copy / "boxroom.db-wal"
    content = bytearray(log.read_bytes())
    content[100] ^= 1
    log.write_bytes(content)
    return DataFolder(copy)


def numbers(database: Path) -> list[int]:
    """Return the numbers of all rows of games in `database`, blank ones included."""
    with closing(sqlite3.connect(database)) as connection:
        return [row[0] for row in connection.execute("SELECT number FROM games ORDER BY number")]
