"""Everything that a data folder holds, as a server that starts there reads it."""

from pathlib import Path
from typing import NamedTuple

from boxroom_server.clock import SystemClock
from boxroom_server.storage.ledger import BanRecord, NameRecord, StoredGame
from boxroom_server.storage.room_log import Damaged, RoomRecord, StoredLog, fold_log
from boxroom_server.storage.sqlite.external_access import open_database
from boxroom_server.storage.sqlite.folder import DataFolder
from boxroom_server.storage.sqlite.games import SqliteGames
from boxroom_server.storage.sqlite.schema import UnusableData
from boxroom_server.storage.sqlite.storage import sqlite_storage


class Content(NamedTuple):
    """Everything that can be read from a data folder; None stands for a refusal."""

    rooms: dict[str, tuple[RoomRecord, StoredLog] | None]
    names: tuple[NameRecord, ...]
    bans: tuple[BanRecord, ...]
    games: tuple[StoredGame, ...] | None

    def agrees_with(self, sound: "Content") -> bool:
        """Return whether all that isn't refused is as in `sound`."""
        return (
            self.rooms.keys() == sound.rooms.keys()
            and all(room in (None, sound.rooms[code]) for code, room in self.rooms.items())
            and (self.names, self.bans) == (sound.names, sound.bans)
            and self.games in (None, sound.games)
        )

    def has_all_of(self, older: "Content") -> bool:
        """Return whether nothing of `older` is missing: rooms, names, bans, games."""
        return (
            self.rooms.keys() >= older.rooms.keys()
            and {it.key for it in self.names} >= {it.key for it in older.names}
            and {*self.bans} >= {*older.bans}
            and {it.id for it in self.games or ()} >= {it.id for it in older.games or ()}
        )

    @property
    def is_complete(self) -> bool:
        """Return whether nothing is refused."""
        return None not in (*self.rooms.values(), self.games)


async def content_of(folder: Path, *, accept_loss: bool = False) -> Content:
    """Open `folder` as a server does, and read everything."""
    async with sqlite_storage(
        DataFolder(folder), SystemClock(), accept_loss=accept_loss
    ) as storage:
        rooms: dict[str, tuple[RoomRecord, StoredLog] | None] = {}
        for record in storage.room_log.room_records():
            rooms[record.code] = None
            try:
                stored = await storage.room_log.read(record.log)
                fold_log(stored, record)
            except Damaged:
                continue
            rooms[record.code] = (record, stored)
        names, bans = tuple(storage.ledger.names()), tuple(storage.ledger.bans())
    try:
        with open_database(DataFolder(folder).database) as connection:
            games = tuple([game async for game in SqliteGames(connection).oldest()])
    except UnusableData:
        return Content(rooms, names, bans, None)
    return Content(rooms, names, bans, games)
