"""Access to a server's database from another process, whether the server runs or not.

Another process may read everything, and change what the server itself only ever adds to:
finished games. It needs no lock on the data folder, and a backup works as well as the original.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

from boxroom_engine.errors import BoxroomError
from boxroom_server.storage.sqlite.folder import is_locked
from boxroom_server.storage.sqlite.journal import has_journal, journal_of, undo_interrupted
from boxroom_server.storage.sqlite.schema import (
    UnusableData,
    check,
    check_header,
    check_log_of_stopped,
    is_of_disk,
)
from boxroom_server.storage.sqlite.wal import has_commits, index_of, log_of

LOCK_TIMEOUT_S = 10.0
"""How long to wait for the server's commits."""


class Busy(BoxroomError):
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
    mode = "mode=rw" if writable else "mode=ro"
    can_change = os.access(path.parent, os.W_OK)
    if writable and not can_change:
        raise OSError(f"{path} can't be changed: this user can't write in its folder")
    try:
        with nullcontext((path, mode)) if can_change else _readable(path) as (place, access):
            undo_interrupted(place, LOCK_TIMEOUT_S)
            _check(path, writable=writable)
            with closing(_connect(place, access)) as connection:
                check_header(connection, path)
                yield connection
    except sqlite3.OperationalError as error:
        raise _translated(error, path) from error
    except sqlite3.DatabaseError as error:
        raise UnusableData(f"{path} is damaged, or no database: {error}") from error


@contextmanager
def _readable(path: Path) -> Iterator[tuple[Path, str]]:
    """Yield a database with the content of the one at `path`, and how SQLite can open it.

    The folder of `path` can't be changed from here. But SQLite reads a database with a write-ahead
    log only if there are files beside it that it may make. A server that runs has made them.
    Without one, SQLite is told that nothing changes; if it has to recover something, from a copy.
    """
    if is_locked(path.parent):
        yield path, "mode=ro"
    elif not has_commits(path) and not has_journal(path):
        yield path, "mode=ro&immutable=1"
    else:
        with TemporaryDirectory(prefix="boxroom-") as folder:
            copy = Path(folder, path.name)
            for part in (path, log_of(path), index_of(path), journal_of(path)):
                if part.exists():
                    shutil.copyfile(part, copy.with_name(part.name))
            yield copy, "mode=ro"


def _connect(path: Path, access: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{access}",
        uri=True,
        isolation_level=None,
        timeout=LOCK_TIMEOUT_S,
    )


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
