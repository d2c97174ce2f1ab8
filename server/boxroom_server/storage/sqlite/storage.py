"""Opening a data folder as the storage of a server."""

import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing

import msgspec

from boxroom_server.clock import DAY_MS, Clock, utc_text
from boxroom_server.ops.metrics import Commits
from boxroom_server.storage.room_log import RoomRecord, StoredLog
from boxroom_server.storage.sqlite.backup import delete_unfinished
from boxroom_server.storage.sqlite.checksums import checksum_of
from boxroom_server.storage.sqlite.compaction import compact_all
from boxroom_server.storage.sqlite.folder import DataFolder
from boxroom_server.storage.sqlite.free_space import FreeSpace, ReadUsage, read_usage
from boxroom_server.storage.sqlite.ledger import SqliteLedger
from boxroom_server.storage.sqlite.room_log import (
    SqliteLog,
    read_room_records,
    read_stored_log,
)
from boxroom_server.storage.sqlite.schema import UnusableData, connect, prepare
from boxroom_server.storage.sqlite.writer import Writer
from boxroom_server.storage.storage import Storage
from boxroom_server.tasks import Tasks

logger = logging.getLogger(__name__)

HEARTBEAT_S = 5.0
"""Time between two heartbeats in the database; after a crash, clocks of moves lose at most this."""

MAX_AGEING_DAYS = 7
"""Most days by which names and games age at a start, however long no server was running.

The time of day at a start may be wrong by years, and names and games that it expires are lost.
"""

_DELETE_EMPTY_ROOMS = """
    DELETE FROM rooms WHERE id NOT IN (SELECT room FROM entries UNION SELECT room FROM checkpoints)
"""
"""Deletes the rooms whose first entry was never saved."""


@asynccontextmanager
async def sqlite_storage(
    folder: DataFolder,
    clock: Clock,
    commits: Commits | None = None,
    *,
    accept_loss: bool = False,
    read_usage: ReadUsage = read_usage,
) -> AsyncIterator[Storage]:
    """Open `folder`, which is made if need be, while the context lasts.

    Every commit is counted in `commits`. With `accept_loss` a damaged write-ahead log is used as
    far as it can be read, and a copy of it is kept. `read_usage` reads the usage of the disk.

    Raises:
        UnusableData: another server uses it, or its content can't be used; it wasn't changed.
        OSError, sqlite3.Error: the disk fails.
    """
    with folder.locked() as last_use:
        path = folder.database
        delete_unfinished(folder.path)
        prepare(
            path,
            may_be_new=not last_use.has_saved,
            is_index_current=last_use.is_same_boot,
            accept_loss=accept_loss,
        )
        folder.mark_used()
        with closing(connect(path)) as connection:
            try:
                compact_all(connection)
                connection.execute(_DELETE_EMPTY_ROOMS)
                room_records = read_room_records(connection)
            except (msgspec.MsgspecError, ValueError) as error:
                raise UnusableData(f"{path} is damaged: {error}") from error
            down_ms = _down_ms(connection, clock.now_ms())
            writer = Writer(path, clock, commits or Commits())
            free_space = FreeSpace(folder.path, clock, read_usage)
            storage = Storage(
                SqliteLog(path, writer, room_records),
                SqliteLedger(path, connection, writer),
                _server_id(connection),
                saving=writer,
                space=free_space,
                down_ms=down_ms,
            )
        tasks = Tasks()
        tasks.start(_beat(writer, clock))
        tasks.start(free_space.watch())
        try:
            yield storage
        finally:
            await tasks.cancel()
            _save_heartbeat(writer, clock)
            await writer.close()


def read_rooms(folder: DataFolder) -> list[tuple[RoomRecord, StoredLog]]:
    """Return the rooms in `folder` with their logs, the oldest first.

    Raises:
        UnusableData: a server uses it, or its content can't be used.
        Damaged: events are missing in a log.
        OSError, sqlite3.Error: the disk fails.
    """
    with folder.locked() as last_use:
        prepare(
            folder.database,
            may_be_new=not last_use.has_saved,
            is_index_current=last_use.is_same_boot,
        )
        with closing(connect(folder.database)) as connection:
            try:
                compact_all(connection)
                records = read_room_records(connection).items()
                return [(record, read_stored_log(connection, number)) for number, record in records]
            except (msgspec.MsgspecError, ValueError) as error:
                raise UnusableData(f"{folder.database} is damaged: {error}") from error


def _server_id(connection: sqlite3.Connection) -> str:
    server_id: str
    (server_id,) = connection.execute("SELECT server_id FROM identity").fetchone()
    return server_id


def _down_ms(connection: sqlite3.Connection, now_ms: int) -> int:
    """Return the time from the last heartbeat until `now_ms`, and bound its effect on expiry.

    It is negative if the time of day was set back.
    """
    (alive_ms,) = connection.execute("SELECT alive_ms FROM life").fetchone()
    if not alive_ms:
        return 0  # no server has used this database yet
    down_ms: int = now_ms - alive_ms
    ageing_ms = min(max(0, down_ms), MAX_AGEING_DAYS * DAY_MS)
    if down_ms != ageing_ms:
        logger.warning(
            "it is %s, and the last server was here at %s: names and games age by %.3g days",
            utc_text(now_ms),
            utc_text(alive_ms),
            ageing_ms / DAY_MS,
        )
        _postpone_expiry(connection, down_ms - ageing_ms, now_ms)
    return down_ms


def _postpone_expiry(connection: sqlite3.Connection, by_ms: int, now_ms: int) -> None:
    """Let names and games expire `by_ms` later; the heartbeat at `now_ms` prevents a second time.

    Raises:
        sqlite3.Error: nothing was done.
    """
    with connection:  # commits, or rolls back
        connection.execute("BEGIN IMMEDIATE")
        connection.create_function("checksum_of", -1, lambda *values: checksum_of(values))
        connection.execute(
            "UPDATE names SET used_ms = used_ms + :by_ms,"
            " checksum = checksum_of(key, name, digest, used_ms + :by_ms)",
            {"by_ms": by_ms},
        )
        connection.execute("UPDATE games SET kept_since_ms = kept_since_ms + ?", (by_ms,))
        connection.execute("UPDATE life SET alive_ms = ?", (now_ms,))


async def _beat(writer: Writer, clock: Clock) -> None:
    while True:
        _save_heartbeat(writer, clock)
        await clock.sleep(HEARTBEAT_S)


def _save_heartbeat(writer: Writer, clock: Clock) -> None:
    if writer.failure is None:
        writer.change("UPDATE life SET alive_ms = ?", clock.now_ms())
