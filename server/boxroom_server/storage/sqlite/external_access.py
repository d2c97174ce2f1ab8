"""Access to a server's database from another process, whether the server runs or not.

Another process may read everything, and change what the server itself only ever adds to:
finished games. It needs no lock on the data folder, and a backup works as well as the original.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from boxroom_server.storage.sqlite.folder import is_locked
from boxroom_server.storage.sqlite.journal import undo_interrupted
from boxroom_server.storage.sqlite.schema import (
    UnusableData,
    check,
    check_header,
    check_log_of_stopped,
    is_of_disk,
)

LOCK_TIMEOUT_S = 10.0
"""How long to wait for the server's commits."""


class Busy(Exception):
    """Other processes keep the database locked; the reason is a sentence for people."""


@contextmanager
def open_database(path: Path, *, writable: bool = False) -> Iterator[sqlite3.Connection]:
    """Connect to the database at `path` while the context lasts, read-only unless `writable`.

    SQLite's errors, including those of the work done in the context, are translated.

    Raises:
        UnusableData: it doesn't exist, isn't ours, is damaged, or is from a newer Boxroom.
        Busy: it stays locked.
        OSError: it can't be read, or can't be changed.
    """
    if not path.is_file():
        raise UnusableData(f"there is no database {path}")
    mode = "rw" if writable else "ro"
    try:
        undo_interrupted(path, LOCK_TIMEOUT_S)
        _check(path, writable=writable)
        with closing(
            sqlite3.connect(
                f"{path.absolute().as_uri()}?mode={mode}",
                uri=True,
                isolation_level=None,
                timeout=LOCK_TIMEOUT_S,
            )
        ) as connection:
            check_header(connection, path)
            yield connection
    except sqlite3.OperationalError as error:
        raise _translated(error, path) from error
    except sqlite3.DatabaseError as error:
        raise UnusableData(f"{path} is damaged, or no database: {error}") from error


def _check(path: Path, *, writable: bool) -> None:
    """Check the log of the database at `path`, unless a server is writing to it.

    Closing a connection that is `writable` may move the log into the database, so that is checked,
    too.
    """
    try:
        check_log_of_stopped(path)
        if writable:
            check(path)
    except UnusableData:
        if not is_locked(path.parent):
            raise


def _translated(error: sqlite3.OperationalError, path: Path) -> Exception:
    if not is_of_disk(error):
        return UnusableData(f"{path} is damaged: {error}")
    match error.sqlite_errorcode & 0xFF:  # the other bits are SQLite's extended code
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return Busy(f"{path} is being written to by others: try again in a moment")
        case _:
            return OSError(f"{path} can't be used: {error}")
