"""The database: its tables, how older ones become newer ones, and what isn't one of ours.

`commits` holds what was committed last, in the order in which it happened: a line for each
entry, with the number of its room before it. `entries` is the same filed by room: a blob of
lines for every time it was filed, by the number of its first event. All texts are JSON, and
an entry once written is readable for ever (docs/adr/0001-a-room-is-a-log.md).
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

APPLICATION_ID = 0x426F7872
"""In the header of our databases ("Boxr"), where file(1) and SQLite look for it."""

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
)
"""What makes a database of version n + 1 of one of version n, from the empty one on.

Never change one that was released: add another.
"""

VERSION = len(MIGRATIONS)

WAL_PAGES = 8_000
"""Pages of 4 KiB in SQLite's write-ahead log before it moves them to where they belong.

Who commits then waits for the disk twice more, which at SQLite's own 1,000 pages is several times
a second when many play; and a page that was written often meanwhile is moved once.
"""


class NotOurs(Exception):
    """The file can't be used, and wasn't touched; the reason is a sentence for people."""


def connect(path: Path) -> sqlite3.Connection:
    """A connection that commits what it is told when it is told, and safely.

    Raises:
        sqlite3.OperationalError: there is no database; none is made, for who looks again whether
            something was kept mustn't find a new one.
    """
    connection = sqlite3.connect(
        _existing(path), isolation_level=None, check_same_thread=False, uri=True
    )
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {WAL_PAGES}")
    return connection


def _existing(path: Path) -> str:
    return f"{path.absolute().as_uri()}?mode=rw"


def prepare(path: Path, migrations: Sequence[str] = MIGRATIONS) -> None:
    """Make sure that the database at `path` is sound and of this version; make it if there is none.

    Nobody else may read what is made: it tells who said what, and what passwords hash to.

    Raises:
        NotOurs: it is something else, damaged, or from a newer Boxroom.
        OSError, sqlite3.Error: the disk doesn't do what it should.
    """
    is_new = not path.exists() or path.stat().st_size == 0
    if is_new:
        path.touch(mode=0o600)  # SQLite makes the files beside it like this one
    else:
        check(path, len(migrations))
    with closing(connect(path)) as connection:
        _migrate(connection, migrations)


def check(path: Path, newest: int = VERSION) -> None:
    """Raise `NotOurs`, unless the database at `path` is a sound one, of version `newest` at most.

    One without any tables is: its making was broken off.
    """
    try:
        with closing(sqlite3.connect(_existing(path), uri=True)) as connection:
            _check(connection, path, newest)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            raise
        raise NotOurs(f"{path} is damaged, or no database: {error}") from error


def _check(connection: sqlite3.Connection, path: Path, newest: int) -> None:
    if not _is_unmade(connection):
        check_header(connection, path, newest)
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise NotOurs(f"{path} is damaged: {verdict}")


def _is_unmade(connection: sqlite3.Connection) -> bool:
    """Whether it is nobody's yet: the first commit, with the tables, never came."""
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    return (application_id, tables) == (0, 0)


def check_header(connection: sqlite3.Connection, path: Path, newest: int = VERSION) -> None:
    """Raise `NotOurs`, unless `path` says of itself that it is ours, and of a known version."""
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    if application_id != APPLICATION_ID:
        raise NotOurs(f"{path} isn't a database of Boxroom")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > newest:
        raise NotOurs(
            f"{path} is from a newer Boxroom: it has version {version}, this one knows {newest}"
        )


def _migrate(connection: sqlite3.Connection, migrations: Sequence[str]) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    for number, script in enumerate(migrations[version:], version + 1):
        connection.executescript(
            f"BEGIN; {script} PRAGMA application_id = {APPLICATION_ID};"
            f" PRAGMA user_version = {number}; COMMIT;"
        )
