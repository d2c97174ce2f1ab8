"""A writer with a database, and triggers that stand in for failing disks."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path

from tests.server.manual_clock import ManualClock
from tests.server.talk import LIMIT_S

from boxroom_engine.room.events import Entry
from boxroom_server.ops.metrics import Commits
from boxroom_server.storage.sqlite.compaction import compact_all, decode_commit, encode_line
from boxroom_server.storage.sqlite.room_log import SqliteLog, read_room_records
from boxroom_server.storage.sqlite.schema import connect, prepare
from boxroom_server.storage.sqlite.writer import Writer

NEVER_S = 86_400.0

NOTHING = Entry(1, 0, ())
"""Stands for the entry of a line, which the writer only hands back."""

REFUSED = "CREATE TRIGGER disk BEFORE INSERT ON commits BEGIN SELECT RAISE(ABORT, 'no disk'); END"
"""Trigger that makes every commit fail."""

SILENT = "CREATE TRIGGER disk AFTER INSERT ON commits BEGIN SELECT RAISE(FAIL, 'no answer'); END"
"""Trigger that makes commits without changes report a failure, though they are done."""


@asynccontextmanager
async def writer_on(
    path: Path, clock: ManualClock | None = None, *, compact_after_s: float = NEVER_S
) -> AsyncIterator[Writer]:
    """Run a writer that by default doesn't compact before it ends, unless much waits."""
    prepare(path)
    writer = Writer(
        path, clock or ManualClock(), Commits(), compact_after_s=compact_after_s, retry_s=0.001
    )
    try:
        yield writer
    finally:
        await writer.close()


def rooms_in(path: Path, writer: Writer) -> SqliteLog:
    """Return the room logs as a starting server finds them."""
    with closing(connect(path)) as connection:
        compact_all(connection)
        return SqliteLog(path, writer, read_room_records(connection))


class Outcome:
    """An appender that keeps the outcome of a line."""

    def __init__(self) -> None:
        self._result: asyncio.Future[Exception | None] = asyncio.get_running_loop().create_future()

    def commit_finished(self, entry: Entry, error: Exception | None) -> None:
        self._result.set_result(error)  # raises in a second call

    @property
    def is_known(self) -> bool:
        return self._result.done()

    async def known(self) -> Exception | None:
        """Wait for the outcome."""
        async with asyncio.timeout(LIMIT_S):
            return await self._result


def add(writer: Writer, text: bytes, room: int = 1) -> Outcome:
    """Add a line, and return its outcome."""
    outcome = Outcome()
    writer.add(encode_line(room, text), outcome, NOTHING)
    return outcome


def save_name(writer: Writer, key: str) -> None:
    """Add a change that saves `key` as a name."""
    writer.change("INSERT OR REPLACE INTO names VALUES (?, ?, x'00', 0, NULL)", key, key)


def rows(path: Path, question: str) -> list[tuple[object, ...]]:
    """Query the database over another connection."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(question).fetchall()


def commits(path: Path) -> list[list[bytes]]:
    """Return the texts of each commit that isn't compacted."""
    blobs = rows(path, "SELECT lines FROM commits ORDER BY id")
    return [
        [text for _, text in decode_commit(blob)] for (blob,) in blobs if isinstance(blob, bytes)
    ]


def names(path: Path) -> list[object]:
    """Return the saved names."""
    return [key for (key,) in rows(path, "SELECT key FROM names ORDER BY key")]


@contextmanager
def hanging(path: Path) -> Iterator[None]:
    """Make commits hang while the context lasts."""
    with closing(connect(path)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


@contextmanager
def gone(path: Path) -> Iterator[None]:
    """Make opening the database fail while the context lasts."""
    path.rename(path.with_name("away"))
    path.mkdir()
    yield
    path.rmdir()
    path.with_name("away").rename(path)


def fail(path: Path, trigger: str) -> None:
    """Make commits fail from now on."""
    with closing(connect(path)) as connection:
        connection.execute(trigger)


def repair(path: Path) -> None:
    """Undo `fail`."""
    with closing(connect(path)) as connection:
        connection.execute("DROP TRIGGER disk")
