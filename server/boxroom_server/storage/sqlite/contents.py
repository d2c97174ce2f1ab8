"""All contents of a database, read from a copy of it or written into a new one."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import assert_never

import msgspec

from boxroom_server.storage.contents import (
    Contents,
    Identity,
    Item,
    KeptGame,
    StoredRoom,
    encode_entry,
)
from boxroom_server.storage.ledger import BanRecord, NameRecord
from boxroom_server.storage.room_log import Damaged
from boxroom_server.storage.sqlite.checksums import with_checksum
from boxroom_server.storage.sqlite.compaction import compact_all, insert_entries
from boxroom_server.storage.sqlite.games import kept_games
from boxroom_server.storage.sqlite.ledger import (
    Change,
    read_bans,
    read_names,
    saving_ban,
    saving_game,
    saving_name,
)
from boxroom_server.storage.sqlite.room_log import (
    read_room_records,
    read_stored_log,
    saving_checkpoint,
    saving_record,
)
from boxroom_server.storage.sqlite.schema import connect, is_of_disk, prepare


async def read_contents(copy: Path) -> Contents:
    """Yield the contents of the database at `copy`, which is migrated and compacted.

    So it has to be a copy that no server uses: see `back_up`.

    Raises:
        Damaged: a part of it can't be read; the sentence says which.
        UnusableData: see `prepare`.
        OSError: the disk fails.
    """
    try:
        prepare(copy)
        with closing(connect(copy)) as connection:
            compact_all(connection)
            for item in _items(connection):
                yield item
    except sqlite3.OperationalError as error:
        if is_of_disk(error):
            raise OSError(f"the disk fails: {error}") from error
        raise Damaged(f"the database is damaged: {error}") from error
    except (sqlite3.DatabaseError, msgspec.MsgspecError, ValueError) as error:
        raise Damaged(f"the database is damaged: {error}") from error


def _items(connection: sqlite3.Connection) -> Iterator[Item]:
    ((server_id,),) = connection.execute("SELECT server_id FROM identity")
    ((alive_ms,),) = connection.execute("SELECT alive_ms FROM life")
    yield Identity(server_id, alive_ms)
    yield from _rooms(connection)
    yield from read_names(connection)
    yield from read_bans(connection)
    yield from kept_games(connection)


def _rooms(connection: sqlite3.Connection) -> Iterator[StoredRoom]:
    """Yield all rooms but those whose first entry was never saved."""
    for number, record in read_room_records(connection).items():
        try:
            log = read_stored_log(connection, number)
        except (Damaged, msgspec.MsgspecError, ValueError) as error:
            raise Damaged(f"room {record.code} is damaged: {error}") from error
        if log.entries or log.checkpoint is not None:
            yield StoredRoom(record, log)


async def write_contents(path: Path, contents: Contents) -> None:
    """Make a database at `path`, where there is none, and write `contents` into it.

    Raises:
        OSError: the disk fails.
    """
    try:
        prepare(path)
        with closing(connect(path)) as connection:
            connection.execute("BEGIN")
            numbers = count(1)  # of rooms
            async for item in contents:
                if isinstance(item, StoredRoom):
                    _write_room(connection, next(numbers), item)
                else:
                    for change in _changes(item):
                        connection.execute(*change)
            connection.execute("COMMIT")
    except sqlite3.OperationalError as error:
        raise OSError(f"the copy can't be written: {error}") from error


def _write_room(connection: sqlite3.Connection, number: int, room: StoredRoom) -> None:
    connection.execute(*saving_record(number, room.record))
    if room.log.checkpoint is not None:
        connection.execute(*saving_checkpoint(number, room.log.checkpoint))
    if room.log.entries:
        insert_entries(connection, number, [encode_entry(entry) for entry in room.log.entries])


def _changes(item: Identity | NameRecord | BanRecord | KeptGame) -> Iterator[Change]:
    match item:
        case Identity():
            row = with_checksum(item.server_id)
            yield "UPDATE identity SET server_id = ?, checksum = ?", row
            yield "UPDATE life SET alive_ms = ?", (item.alive_ms,)
        case NameRecord():
            yield saving_name(item)
        case BanRecord():
            yield saving_ban(item)
        case KeptGame():
            yield from saving_game(item.game, item.kept_since_ms)
        case _:
            assert_never(item)
