"""Opening a data folder as the storage of a server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing

import msgspec

from boxroom_server.clock import Clock
from boxroom_server.ops.metrics import Commits
from boxroom_server.storage.sqlite.compaction import compact_all
from boxroom_server.storage.sqlite.folder import DataFolder
from boxroom_server.storage.sqlite.ledger import SqliteLedger
from boxroom_server.storage.sqlite.room_log import SqliteLog, read_room_records
from boxroom_server.storage.sqlite.schema import UnusableData, connect, prepare
from boxroom_server.storage.sqlite.writer import Writer
from boxroom_server.storage.storage import Storage

HEARTBEAT_S = 5.0
"""Time between two heartbeats in the database; after a crash, clocks of moves lose at most this."""

_DELETE_EMPTY_ROOMS = """
    DELETE FROM rooms WHERE id NOT IN (SELECT room FROM entries UNION SELECT room FROM checkpoints)
"""
"""Deletes the rooms whose first entry was never saved."""


@asynccontextmanager
async def sqlite_storage(
    folder: DataFolder, clock: Clock, commits: Commits | None = None
) -> AsyncIterator[Storage]:
    """Open `folder`, which is made if need be, while the context lasts.

    Every commit is counted in `commits`.

    Raises:
        UnusableData: another server uses it, or its content can't be used; it wasn't changed.
        OSError, sqlite3.Error: the disk fails.
    """
    with folder.locked():
        path = folder.database
        prepare(path)
        with closing(connect(path)) as connection:
            try:
                compact_all(connection)
                connection.execute(_DELETE_EMPTY_ROOMS)
                room_records = read_room_records(connection)
            except (msgspec.MsgspecError, ValueError) as error:
                raise UnusableData(f"{path} is damaged: {error}") from error
            (alive_ms,) = connection.execute("SELECT alive_ms FROM life").fetchone()
            writer = Writer(path, clock, commits or Commits())
            storage = Storage(
                SqliteLog(path, writer, room_records),
                SqliteLedger(connection, writer),
                failure=lambda: writer.failure,
                on_failure_change=writer.on_failure_change.append,
                down_ms=max(0, clock.now_ms() - alive_ms) if alive_ms else 0,
            )
        heartbeat = asyncio.create_task(_beat(writer, clock))
        try:
            yield storage
        finally:
            heartbeat.cancel()
            _save_heartbeat(writer, clock)
            await writer.close()


async def _beat(writer: Writer, clock: Clock) -> None:
    while True:
        _save_heartbeat(writer, clock)
        await clock.sleep(HEARTBEAT_S)


def _save_heartbeat(writer: Writer, clock: Clock) -> None:
    if writer.failure is None:
        writer.change("UPDATE life SET alive_ms = ?", clock.now_ms())
