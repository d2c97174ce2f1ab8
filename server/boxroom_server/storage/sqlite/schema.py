"""The database: its tables, their migrations, and checks that a file is such a database.

`commits` holds the latest commits in order: a line for each entry, with the number of its room
before it. `entries` holds the older ones by room: a blob of lines from each compaction, under the
number of its first event. `rooms.lodging` holds a `RoomRecord`. All texts are JSON, and an entry
once written stays readable for ever (docs/adr/0001-a-room-is-a-log.md).

Names and games expire by `names.used_ms` and `games.kept_since_ms`. A start moves them if it can't
believe the time of day; `games.ended_ms` stays, for people.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

APPLICATION_ID = 0x426F7872
"""Application id in the header of our databases ("Boxr"), for file(1) and SQLite."""

MIGRATIONS = (
    """
    CREATE TABLE commits (
        id INTEGER PRIMARY KEY,
        at_ms INTEGER NOT NULL,
        lines BLOB NOT NULL
    );
    CREATE TABLE rooms (
        id INTEGER PRIMARY KEY,
        log TEXT NOT NULL UNIQUE,
        lodging TEXT NOT NULL
    );
    CREATE TABLE entries (
        room INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        lines BLOB NOT NULL,
        PRIMARY KEY (room, seq)
    );
    CREATE TABLE checkpoints (
        room INTEGER PRIMARY KEY,
        seq INTEGER NOT NULL,
        checkpoint BLOB NOT NULL
    );
    CREATE TABLE names (
        key TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        digest BLOB NOT NULL,
        used_ms INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE bans (
        kind TEXT NOT NULL,
        who TEXT NOT NULL,
        at_ms INTEGER NOT NULL,
        reason TEXT NOT NULL,
        PRIMARY KEY (kind, who)
    ) WITHOUT ROWID;
    CREATE TABLE games (
        id INTEGER PRIMARY KEY,
        log TEXT NOT NULL,
        number INTEGER NOT NULL,
        room TEXT NOT NULL,
        ended_ms INTEGER NOT NULL,
        winners TEXT NOT NULL,
        scores TEXT NOT NULL,
        record TEXT NOT NULL,
        UNIQUE (log, number)
    );
    CREATE TABLE life (alive_ms INTEGER NOT NULL);
    INSERT INTO life VALUES (0);
    """,
    """
    ALTER TABLE games ADD COLUMN kept_since_ms INTEGER NOT NULL DEFAULT 0;
    UPDATE games SET kept_since_ms = ended_ms;
    """,
)
"""Scripts that turn a database of version n into one of version n + 1, from the empty one on.

Never change a released one: add another.
"""

VERSION = len(MIGRATIONS)


class UnusableData(Exception):
    """A folder or file can't be used, and wasn't changed; the reason is a sentence for people."""


def connect(path: Path) -> sqlite3.Connection:
    """Connect to the database at `path`, in autocommit mode, with every commit synced.

    Raises:
        sqlite3.OperationalError: there is no database. None is made: the writer, which opens it
            again to look for a commit, mustn't find a new one.
    """
    connection = sqlite3.connect(
        _uri(path), isolation_level=None, check_same_thread=False, uri=True
    )
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA journal_mode = WAL")
    return connection


def _uri(path: Path) -> str:
    return f"{path.absolute().as_uri()}?mode=rw"


def prepare(path: Path, migrations: Sequence[str] = MIGRATIONS) -> None:
    """Check and migrate the database at `path`; make it if there is none.

    Only its owner may read a new one: it contains chat and password hashes.

    Raises:
        UnusableData: it is something else, damaged, or from a newer Boxroom.
        OSError, sqlite3.Error: the disk fails.
    """
    is_new = not path.exists() or path.stat().st_size == 0
    if is_new:
        path.touch(mode=0o600)  # SQLite gives the files beside it the same mode
    else:
        check(path, len(migrations))
    with closing(connect(path)) as connection:
        _migrate(connection, migrations)


def check(path: Path, newest: int = VERSION) -> None:
    """Raise `UnusableData`, unless the database at `path` is sound, and not newer than `newest`.

    One without any tables is accepted: a server was interrupted while making it.
    """
    try:
        with closing(sqlite3.connect(_uri(path), uri=True)) as connection:
            _check(connection, path, newest)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            raise
        raise UnusableData(f"{path} is damaged, or no database: {error}") from error


def _check(connection: sqlite3.Connection, path: Path, newest: int) -> None:
    if not _is_empty(connection):
        check_header(connection, path, newest)
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise UnusableData(f"{path} is damaged: {verdict}")


def _is_empty(connection: sqlite3.Connection) -> bool:
    """Return whether it is still empty: its first commit, with the tables, never happened."""
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    return (application_id, tables) == (0, 0)


def check_header(connection: sqlite3.Connection, path: Path, newest: int = VERSION) -> None:
    """Raise `UnusableData`, unless the header of `path` is ours, and of a known version."""
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    if application_id != APPLICATION_ID:
        raise UnusableData(f"{path} isn't a database of Boxroom")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > newest:
        raise UnusableData(
            f"{path} is from a newer Boxroom: it has version {version}, this one knows {newest}"
        )


def _migrate(connection: sqlite3.Connection, migrations: Sequence[str]) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    for number, script in enumerate(migrations[version:], version + 1):
        connection.executescript(
            f"BEGIN; {script} PRAGMA application_id = {APPLICATION_ID};"
            f" PRAGMA user_version = {number}; COMMIT;"
        )
