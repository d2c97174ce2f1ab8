"""A copy of a server's database, made while the server runs.

SQLite copies the state at the beginning of the copy, and no commit has to wait for it.
"""

import os
import sqlite3
import tempfile
from pathlib import Path

from boxroom_server.storage.sqlite.external_access import open_database
from boxroom_server.storage.sqlite.schema import check


def back_up(database: Path, copy: Path) -> None:
    """Copy the database at `database` to `copy`: the whole of it, or no file at all.

    The copy holds everything that was answered before this was called. Only its owner may read
    it, and it is synced, so that a power failure afterwards doesn't destroy it.

    Raises:
        FileExistsError: the file exists already; it is left as it is.
        UnusableData, Busy: see `open_database`.
        OSError: the copy can't be written.
    """
    if os.path.lexists(copy):
        raise FileExistsError(copy)
    with open_database(database) as connection:
        # VACUUM INTO accepts an empty file as a new one; this one has mode 0600.
        descriptor, name = tempfile.mkstemp(dir=copy.absolute().parent, prefix=f".{copy.name}-")
        temporary = Path(name)
        try:
            _copy_into(connection, temporary)
            check(temporary)
            os.fsync(descriptor)
            _rename(temporary, copy)
        finally:
            os.close(descriptor)
            temporary.unlink(missing_ok=True)
    _sync_folder(copy.absolute().parent)


def _copy_into(connection: sqlite3.Connection, temporary: Path) -> None:
    try:
        connection.execute("VACUUM INTO ?", (str(temporary),))
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            raise OSError(f"the copy can't be written: {error}") from error
        raise


def _rename(temporary: Path, copy: Path) -> None:
    """Rename `temporary` to `copy`, unless such a file was made in the meantime.

    Renaming would replace an existing file, so the new name is reserved first.
    """
    os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    temporary.replace(copy)


def _sync_folder(folder: Path) -> None:
    """Sync `folder`, and with it the new name of a file in it."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
