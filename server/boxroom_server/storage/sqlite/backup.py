"""A copy of a server's database, made while the server goes on.

SQLite copies what was committed when the copy began, and nobody waits for it.
"""

import os
import sqlite3
import tempfile
from pathlib import Path

from boxroom_server.storage.sqlite.schema import check
from boxroom_server.storage.sqlite.visit import visited


def back_up(database: Path, copy: Path) -> None:
    """Make `copy` of the database at `database`: the whole of it, or no file at all.

    It holds everything that was answered before this was called. Nobody but its owner may
    read it, and whoever pulls the plug afterwards doesn't destroy it.

    Raises:
        FileExistsError: there is such a file; it is left as it is.
        NotOurs, Busy: see `visited`.
        OSError: the copy can't be written.
    """
    if os.path.lexists(copy):
        raise FileExistsError(copy)
    with visited(database) as connection:
        # An empty file is what VACUUM INTO takes for a new one; this one has mode 0600.
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
    """Call `temporary` `copy`, unless somebody made such a file in the meantime.

    A name that was free is taken first, since renaming asks no questions.
    """
    os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    temporary.replace(copy)


def _sync_folder(folder: Path) -> None:
    """Make sure that the new name is on the disk, too."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
