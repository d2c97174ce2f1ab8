"""The database: its tables, their migrations, and checks that a file is such a database.

`commits` holds the latest commits in order: a line for each entry, with the number of its room
before it. `entries` holds the older ones by room: a blob of lines from each compaction, under the
number of its first event. `rooms.lodging` holds a `RoomRecord`. All texts are JSON, and an entry
once written stays readable for ever (docs/adr/0001-a-room-is-a-log.md). `checksum` is that of the
row's other values (`checksums`).

A database is checked before it is opened, over a connection that changes none of its files
(docs/adr/0022-damaged-files.md). The last connection that can write moves what it has recovered
from the write-ahead log into the database, and deletes the log.

`names.digest` is the verifier of the owner's secret (`boxroom_engine.wire.recognition`). `identity`
has one row, whose loss is damage.

`participants` has the folded names of the people in each game, to list the games of one. They are
added with the row of a game and not later: a name that gets another owner, who mustn't see the
games of the last one, stays out of them. `games.link` is empty but for games that everybody may
see, who knows it.

Names and games expire by `names.used_ms` and `games.kept_since_ms`. A start moves them if it can't
believe the time of day; `games.ended_ms` stays, for people.
"""

import logging
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from boxroom_server.storage.sqlite.checksums import check_rows, check_server_id, checksum_of
from boxroom_server.storage.sqlite.compaction import check_commits
from boxroom_server.storage.sqlite.journal import undo_interrupted
from boxroom_server.storage.sqlite.wal import (
    find_loss,
    has_commits,
    index_of,
    log_of,
    set_log_aside,
)
from boxroom_server.storage.storage import StorageError

logger = logging.getLogger(__name__)

APPLICATION_ID = 0x426F7872
"""Application id in the header of our databases ("Boxr"), for file(1) and SQLite."""

LOCK_TIMEOUT_S = 5.0
"""Time for which a server waits until other processes unlock the database."""

MIGRATIONS = (
    """
    CREATE TABLE commits (
        id INTEGER PRIMARY KEY,
        at_ms INTEGER NOT NULL,
        lines BLOB NOT NULL,
        checksum INTEGER
    );
    CREATE TABLE rooms (
        id INTEGER PRIMARY KEY,
        log TEXT NOT NULL UNIQUE,
        lodging TEXT NOT NULL,
        checksum INTEGER
    );
    CREATE TABLE entries (
        room INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        lines BLOB NOT NULL,
        checksum INTEGER,
        PRIMARY KEY (room, seq)
    );
    CREATE TABLE checkpoints (
        room INTEGER PRIMARY KEY,
        seq INTEGER NOT NULL,
        checkpoint BLOB NOT NULL,
        checksum INTEGER
    );
    CREATE TABLE names (
        key TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        digest BLOB NOT NULL,
        used_ms INTEGER NOT NULL,
        checksum INTEGER
    ) WITHOUT ROWID;
    CREATE TABLE bans (
        kind TEXT NOT NULL,
        who TEXT NOT NULL,
        at_ms INTEGER NOT NULL,
        reason TEXT NOT NULL,
        checksum INTEGER,
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
        checksum INTEGER,
        kept_since_ms INTEGER NOT NULL DEFAULT 0,
        UNIQUE (log, number)
    );
    CREATE TABLE life (alive_ms INTEGER NOT NULL);
    INSERT INTO life VALUES (0);
    CREATE TABLE identity (server_id TEXT NOT NULL, checksum INTEGER);
    INSERT INTO identity (server_id) VALUES (lower(hex(randomblob(16))));
    UPDATE identity SET checksum = checksum_of(server_id);
    CREATE TABLE participants (
        name TEXT NOT NULL,
        game INTEGER NOT NULL,
        PRIMARY KEY (name, game)
    ) WITHOUT ROWID;
    CREATE INDEX participants_by_game ON participants (game);
    CREATE TRIGGER forget_participants AFTER DELETE ON games
    BEGIN
        DELETE FROM participants WHERE game = old.id;
    END;
    """,
    """
    ALTER TABLE games ADD COLUMN link TEXT NOT NULL DEFAULT '';
    CREATE UNIQUE INDEX games_by_link ON games (link) WHERE link <> '';
    """,
    # By these a check finds out that rows are gone: each table was one tree.
    """
    CREATE INDEX names_by_use ON names (used_ms);
    CREATE INDEX bans_by_time ON bans (at_ms);
    """,
)
"""Scripts that make a database of version `FIRST`, then turn one of a version into the next.

Never change one: add another. They may use the function of `_add_functions`.
"""

FIRST = 5
"""The oldest version that there is."""

VERSION = FIRST + len(MIGRATIONS) - 1


class UnusableData(StorageError):
    """A folder or file can't be used, and wasn't changed; the reason is a sentence for people."""


def connect(path: Path) -> sqlite3.Connection:
    """Connect to the database at `path`, in autocommit mode, with every commit synced.

    Raises:
        sqlite3.OperationalError: there is no database. None is made: the writer, which opens it
            again to look for a commit, mustn't find a new one.
    """
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=LOCK_TIMEOUT_S,
    )
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA journal_mode = WAL")
    return connection


def prepare(
    path: Path,
    migrations: Sequence[str] = MIGRATIONS,
    *,
    may_be_new: bool = True,
    is_index_current: bool = False,
    accept_loss: bool = False,
) -> None:
    """Check and migrate the database at `path`; make it if there is none and it `may_be_new`.

    Only its owner may read a new one: it contains chat and password hashes. `is_index_current` is
    as for `find_loss`. With `accept_loss` a log with damage is copied, and used as far as it goes.

    Raises:
        UnusableData: it is something else, damaged, or from a newer Boxroom; it wasn't changed.
        OSError, sqlite3.Error: the disk fails.
    """
    undo_interrupted(path, LOCK_TIMEOUT_S)
    if _has_content(path):
        _check_log(path, is_index_current=is_index_current, accept_loss=accept_loss)
        check(path, migrations, may_be_new=may_be_new)
    elif may_be_new and not any(map(_has_content, (log_of(path), index_of(path)))):
        path.touch(mode=0o600)  # SQLite gives the files beside it the same mode
    else:
        raise UnusableData(_lost(path, "is empty" if path.exists() else "is gone"))
    with closing(connect(path)) as connection:
        # Frames of a commit that wasn't finished would look like damage among later ones.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        _migrate(connection, migrations)


def _has_content(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _lost(path: Path, state: str) -> str:
    return (
        f"{path} {state}, but a server has used this folder before: restore a backup,"
        " or choose another folder with --data"
    )


def _check_log(path: Path, *, is_index_current: bool, accept_loss: bool) -> None:
    loss = find_loss(path, is_index_current=is_index_current)
    if loss is None:
        return
    if not accept_loss:
        raise UnusableData(
            f"{log_of(path)} is damaged: {loss}. To go on without them, start the server with"
            " --accept-loss; it keeps a copy of the file. Or restore a backup"
        )
    copy = set_log_aside(path, loss)
    logger.error("going on with less than was saved: %s; %s is a copy of the log", loss, copy)


def check_log_of_stopped(path: Path) -> None:
    """Raise `UnusableData` if commits are lost in the log of a database that no server has open."""
    _check_log(path, is_index_current=False, accept_loss=False)


def check(path: Path, migrations: Sequence[str] = MIGRATIONS, *, may_be_new: bool = True) -> None:
    """Check the database at `path` without changing any of its files.

    One without any tables is accepted if it `may_be_new`: a server was interrupted while making it.

    Raises:
        UnusableData: it isn't sound, or is newer than `migrations`.
        OSError, sqlite3.Error: the disk fails.
    """
    try:
        with closing(sqlite3.connect(_read_only_uri(path), uri=True)) as connection:
            _check(connection, path, migrations, may_be_new=may_be_new)
    except sqlite3.OperationalError as error:
        if is_of_disk(error):
            raise
        raise UnusableData(f"{path} is damaged: {error}") from error
    except sqlite3.DatabaseError as error:
        raise UnusableData(f"{path} is damaged, or no database: {error}") from error
    except (msgspec.MsgspecError, ValueError) as error:
        raise UnusableData(f"{path} is damaged: {error}") from error


def is_of_disk(error: sqlite3.OperationalError) -> bool:
    """Return whether `error` says nothing about the content of the database.

    It does if a table or column is missing, and if Python can't decode a text, which has no code.
    """
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) != sqlite3.SQLITE_ERROR


def _read_only_uri(path: Path) -> str:
    """Return the URI of a connection that changes no file.

    A log without a commit adds nothing to the database, so SQLite needn't look at it; beside an
    index, one with only a header would make it fail (docs/adr/0022-damaged-files.md). Without an
    index SQLite has to make one.
    """
    if not has_commits(path):
        return f"{path.absolute().as_uri()}?immutable=1"
    index = "&readonly_shm=1" if index_of(path).exists() else ""
    return f"{path.absolute().as_uri()}?mode=ro{index}"


def _check(
    connection: sqlite3.Connection, path: Path, migrations: Sequence[str], *, may_be_new: bool
) -> None:
    is_empty = _is_empty(connection)
    if is_empty and not may_be_new:
        raise UnusableData(_lost(path, "has no tables"))
    if not is_empty:
        version = check_header(connection, path, FIRST + len(migrations) - 1)
        _check_tables(connection, migrations[: version - FIRST + 1])
    # It also compares tables with their indexes: by itself, a table of which an older page has come
    # back is sound.
    (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if verdict != "ok":
        raise ValueError(verdict)
    if not is_empty and migrations is MIGRATIONS:
        check_rows(connection)
        check_server_id(connection)
        check_commits(connection)


def _is_empty(connection: sqlite3.Connection) -> bool:
    """Return whether it is still empty: its first commit, with the tables, never happened."""
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    return (application_id, tables) == (0, 0)


_COLUMNS = """
    SELECT tables.name, columns.name, columns.type, columns."notnull", columns.pk
    FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
    UNION SELECT name, tbl_name, type, NULL, NULL FROM sqlite_schema
"""


def _check_tables(connection: sqlite3.Connection, migrations: Sequence[str]) -> None:
    """Raise `ValueError` unless there are all tables that `migrations` make, as they make them."""
    with closing(sqlite3.connect(":memory:")) as sound:
        _add_functions(sound)
        for script in migrations:
            sound.executescript(script)
        missing = {*sound.execute(_COLUMNS)} - {*connection.execute(_COLUMNS)}
    if missing:
        raise ValueError(f"it has no {' '.join(map(str, min(missing)[:2]))} as it should be")


def check_header(connection: sqlite3.Connection, path: Path, newest: int = VERSION) -> int:
    """Return the version of the database at `path`.

    Raises:
        UnusableData: its header isn't ours, or of a version that isn't known.
    """
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    if application_id != APPLICATION_ID:
        raise UnusableData(f"{path} isn't a database of Boxroom")
    version: int
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > newest:
        raise UnusableData(
            f"{path} is from a newer Boxroom: it has version {version}, this one knows {newest}"
        )
    if version < FIRST:
        raise UnusableData(f"{path} is damaged: it has version {version}")
    return version


def _migrate(connection: sqlite3.Connection, migrations: Sequence[str]) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    _add_functions(connection)
    done = version - FIRST + 1 if version else 0
    for number, script in enumerate(migrations[done:], FIRST + done):
        connection.executescript(
            f"BEGIN; {script} PRAGMA application_id = {APPLICATION_ID};"
            f" PRAGMA user_version = {number}; COMMIT;"
        )


def _add_functions(connection: sqlite3.Connection) -> None:
    connection.create_function("checksum_of", -1, lambda *values: checksum_of(values))
