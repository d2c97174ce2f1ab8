"""A writer on a database of its own, and disks that fail: triggers that refuse what is written."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path

from tests.server.manual_clock import ManualClock
from tests.server.talk import PATIENCE_S

from boxroom_server.ops.metrics import Commits
from boxroom_server.storage.sqlite.compaction import LogLine, compact_all, decode_commit
from boxroom_server.storage.sqlite.room_log import SqliteLog, read_room_records
from boxroom_server.storage.sqlite.schema import connect, prepare
from boxroom_server.storage.sqlite.writer import Writer

NEVER_S = 86_400.0

REFUSED = "CREATE TRIGGER disk BEFORE INSERT ON commits BEGIN SELECT RAISE(ABORT, 'no disk'); END"
"""Has every commit fail."""

SILENT = "CREATE TRIGGER disk AFTER INSERT ON commits BEGIN SELECT RAISE(FAIL, 'no answer'); END"
"""Has every commit that has no changes fail, though it was done."""


@asynccontextmanager
async def writer_on(
    path: Path, clock: ManualClock | None = None, *, compact_after_s: float = NEVER_S
) -> AsyncIterator[Writer]:
    """A writer that files only when it ends, unless told otherwise."""
    prepare(path)
    writer = Writer(
        path, clock or ManualClock(), Commits(), compact_after_s=compact_after_s, retry_s=0.001
    )
    try:
        yield writer
    finally:
        await writer.close()


def rooms_in(path: Path, writer: Writer) -> SqliteLog:
    """The logs of rooms as a server finds them that starts."""
    with closing(connect(path)) as connection:
        compact_all(connection)
        return SqliteLog(path, writer, read_room_records(connection))


class Outcome:
    """Is told what came of a line."""

    def __init__(self) -> None:
        self._told: asyncio.Future[Exception | None] = asyncio.get_running_loop().create_future()

    def __call__(self, error: Exception | None) -> None:
        self._told.set_result(error)  # which raises, if it is told twice

    @property
    def is_known(self) -> bool:
        return self._told.done()

    async def known(self) -> Exception | None:
        """Wait until it is told."""
        async with asyncio.timeout(PATIENCE_S):
            return await self._told


def add(writer: Writer, text: bytes, room: int = 1, seq: int = 1) -> Outcome:
    """Hand a line over."""
    outcome = Outcome()
    writer.add(LogLine(room, seq, text), outcome)
    return outcome


def note(writer: Writer, key: str) -> None:
    """Hand a change over: `key` becomes one of the names."""
    writer.change("INSERT OR REPLACE INTO names VALUES (?, ?, x'00', 0)", key, key)


def rows(path: Path, question: str) -> list[tuple[object, ...]]:
    """What another process sees."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(question).fetchall()


def commits(path: Path) -> list[list[bytes]]:
    """The texts of each commit that isn't filed."""
    blobs = rows(path, "SELECT lines FROM commits ORDER BY id")
    return [
        [text for _, text in decode_commit(blob)] for (blob,) in blobs if isinstance(blob, bytes)
    ]


def names(path: Path) -> list[object]:
    """The names that are kept."""
    return [key for (key,) in rows(path, "SELECT key FROM names ORDER BY key")]


@contextmanager
def hanging(path: Path) -> Iterator[None]:
    """Nothing gets onto the disk meanwhile."""
    with closing(connect(path)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


@contextmanager
def gone(path: Path) -> Iterator[None]:
    """The database can't be opened meanwhile."""
    path.rename(path.with_name("away"))
    path.mkdir()
    yield
    path.rmdir()
    path.with_name("away").rename(path)


def fail(path: Path, trigger: str) -> None:
    """From now on commits fail."""
    with closing(connect(path)) as connection:
        connection.execute(trigger)


def mend(path: Path) -> None:
    """From now on they don't any more."""
    with closing(connect(path)) as connection:
        connection.execute("DROP TRIGGER disk")
