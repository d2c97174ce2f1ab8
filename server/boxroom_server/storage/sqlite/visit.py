"""A look into a server's database from another process, whether the server runs or not.

A visitor may read everything and change what the server itself only ever adds to: finished
games. It needs no lock on the data folder, and a backup will do as well as the real thing.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from boxroom_server.storage.sqlite.schema import NotOurs, check_header

PATIENCE_S = 10.0
"""How long a visitor waits for the server's commits before it gives up."""


class Busy(Exception):
    """Others write to the database, and don't stop; the reason is a sentence for people."""


@contextmanager
def visited(path: Path, *, to_change: bool = False) -> Iterator[sqlite3.Connection]:
    """A connection to the database at `path` while the context lasts, for reading only or not.

    Errors of the work that is done in the context are told as what they mean, too.

    Raises:
        NotOurs: it isn't there, isn't ours, is damaged, or is from a newer Boxroom.
        Busy: it is locked, and stays so.
        OSError: it can't be read, or can't be changed.
    """
    if not path.is_file():
        raise NotOurs(f"there is no database {path}")
    mode = "rw" if to_change else "ro"
    try:
        with closing(
            sqlite3.connect(
                f"{path.absolute().as_uri()}?mode={mode}",
                uri=True,
                isolation_level=None,
                timeout=PATIENCE_S,
            )
        ) as connection:
            check_header(connection, path)
            yield connection
    except sqlite3.OperationalError as error:
        raise _meaning(error, path) from error
    except sqlite3.DatabaseError as error:
        raise NotOurs(f"{path} is damaged, or no database: {error}") from error


def _meaning(error: sqlite3.OperationalError, path: Path) -> Exception:
    match error.sqlite_errorcode & 0xFF:  # the rest of the code says more precisely what
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return Busy(f"{path} is being written to by others: try again in a moment")
        case sqlite3.SQLITE_ERROR:  # such as a table that isn't there
            return NotOurs(f"{path} is damaged: {error}")
        case _:
            return OSError(f"{path} can't be used: {error}")
