"""SQLite's rollback journal (`boxroom.db-journal`): what a transaction overwrites, to undo it.

A database has one until it is switched to the write-ahead log: when it is new, and when it is a
backup that a server opens for the first time. A kill during that leaves the journal behind. It is
*hot*: the database can't be read before SQLite has undone the transaction.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

_MAGIC = bytes.fromhex("d9d505f920a163d7")


def journal_of(database: Path) -> Path:
    """Return the path of the journal of `database`."""
    return database.with_name(f"{database.name}-journal")


def has_journal(database: Path) -> bool:
    """Return whether `database` has a journal with content; SQLite clears one before deleting it.

    Raises:
        OSError: it can't be read.
    """
    try:
        with journal_of(database).open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except FileNotFoundError:
        return False


def undo_interrupted(database: Path, timeout_s: float) -> None:
    """Have SQLite undo a transaction whose process ended, if there is one; wait for one that runs.

    Raises:
        OSError, sqlite3.Error: the disk fails, or the database isn't one.
    """
    if has_journal(database) and database.exists():
        uri = f"{database.absolute().as_uri()}?mode=rw"
        with closing(sqlite3.connect(uri, uri=True, timeout=timeout_s)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
