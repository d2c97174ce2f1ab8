"""A copy of a server's database, made while the server runs.

SQLite copies the state at the beginning of the copy, and no commit has to wait for it.
"""

import os
import sqlite3
import tempfile
from contextlib import suppress
from pathlib import Path

from boxroom_common.file_lock import lock_file, try_to_lock_file
from boxroom_common.folders import sync_folder
from boxroom_server.storage.sqlite.external_access import open_database
from boxroom_server.storage.sqlite.journal import journal_of
from boxroom_server.storage.sqlite.schema import UnusableData, check

UNFINISHED = ".unfinished-boxroom-backup"
"""End of the names of files that are being written."""


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
    delete_unfinished(copy.absolute().parent)
    with open_database(database) as connection:
        descriptor, temporary = _locked_file(copy)
        try:
            _copy_into(connection, temporary)
            _check(temporary, database)
            os.fsync(descriptor)
            _name(temporary, copy)
        finally:
            os.close(descriptor)
            temporary.unlink(missing_ok=True)
    sync_folder(copy.absolute().parent)


def _locked_file(copy: Path) -> tuple[int, Path]:
    """Make an empty file beside `copy`, and lock it; return its descriptor and its path.

    VACUUM INTO accepts it as a new one. It has mode 0600.
    """
    while True:
        descriptor, name = tempfile.mkstemp(
            dir=copy.absolute().parent, prefix=f".{copy.name}-", suffix=UNFINISHED
        )
        lock_file(descriptor)
        if Path(name).exists():  # another backup may have deleted it before it was locked
            return descriptor, Path(name)
        os.close(descriptor)


def delete_unfinished(folder: Path) -> None:
    """Delete the files in `folder` of killed backups; one that runs has locked its own."""
    for path in folder.glob(f".*{UNFINISHED}"):
        with suppress(OSError), path.open("rb") as file:
            if try_to_lock_file(file.fileno()):
                _delete(path)


def _delete(path: Path) -> None:
    journal_of(path).unlink(missing_ok=True)
    path.unlink()


def _copy_into(connection: sqlite3.Connection, temporary: Path) -> None:
    try:
        connection.execute("VACUUM INTO ?", (str(temporary),))
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            raise OSError(f"the copy can't be written: {error}") from error
        raise


def _check(temporary: Path, database: Path) -> None:
    """Check the copy at `temporary`; a sentence about it names `database`, which has the damage."""
    try:
        check(temporary)
    except UnusableData as error:
        raise UnusableData(str(error).replace(str(temporary), str(database))) from error


def _name(temporary: Path, copy: Path) -> None:
    """Give the file at `temporary` the name `copy`, unless such a file was made in the meantime.

    Renaming would replace an existing file. Without hard links, as on a USB stick, the name is
    reserved first: a kill in this moment leaves an empty file.
    """
    try:
        os.link(temporary, copy)
    except FileExistsError:
        raise
    except OSError:
        os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        temporary.replace(copy)
