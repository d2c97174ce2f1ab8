"""Opening a data folder: everything that a server keeps, ready to be used."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing

import msgspec

from boxroom_server.clock import Clock
from boxroom_server.ops.metrics import Commits
from boxroom_server.storage.sqlite.filing import file_everything
from boxroom_server.storage.sqlite.folder import DataFolder
from boxroom_server.storage.sqlite.ledger import DiskLedger
from boxroom_server.storage.sqlite.room_log import DiskLog, read_room_records
from boxroom_server.storage.sqlite.schema import NotOurs, connect, prepare
from boxroom_server.storage.sqlite.writer import Writer
from boxroom_server.storage.storage import Storage

HEARTBEAT_S = 5.0
"""How often it is noted that the server lives, so that clocks lose at most this in a crash."""

_FORGET_EMPTY = """
    DELETE FROM rooms WHERE id NOT IN (SELECT room FROM entries UNION SELECT room FROM checkpoints)
"""
"""Rooms whose creation was never kept."""


@asynccontextmanager
async def on_disk(
    folder: DataFolder, clock: Clock, commits: Commits | None = None
) -> AsyncIterator[Storage]:
    """What is in `folder`, which is made if it doesn't exist, while the context lasts.

    Every commit is counted in `commits`.

    Raises:
        NotOurs: another server has it, or what is in it can't be used; it wasn't touched.
        OSError, sqlite3.Error: the disk doesn't do what it should.
    """
    with folder.taken():
        path = folder.database
        prepare(path)
        with closing(connect(path)) as connection:
            try:
                file_everything(connection)
                connection.execute(_FORGET_EMPTY)
                room_records = read_room_records(connection)
            except (msgspec.MsgspecError, ValueError) as error:
                raise NotOurs(f"{path} is damaged: {error}") from error
            (alive_ms,) = connection.execute("SELECT alive_ms FROM life").fetchone()
            writer = Writer(path, clock, commits or Commits())
            storage = Storage(
                DiskLog(path, writer, room_records),
                DiskLedger(connection, writer),
                trouble=lambda: writer.trouble,
                on_trouble=writer.on_trouble.append,
                down_ms=max(0, clock.now_ms() - alive_ms) if alive_ms else 0,
            )
        beating = asyncio.create_task(_beat(writer, clock))
        try:
            yield storage
        finally:
            beating.cancel()
            _note_alive(writer, clock)
            await writer.close()


async def _beat(writer: Writer, clock: Clock) -> None:
    while True:
        _note_alive(writer, clock)
        await clock.sleep(HEARTBEAT_S)


def _note_alive(writer: Writer, clock: Clock) -> None:
    if writer.trouble is None:
        writer.change("UPDATE life SET alive_ms = ?", clock.now_ms())
