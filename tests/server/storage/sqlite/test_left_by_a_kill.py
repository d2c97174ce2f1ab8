"""The files of a database in every state in which a kill or a power cut leaves them."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest
from tests.cases import each

from boxroom_server.storage.sqlite.external_access import open_database
from boxroom_server.storage.sqlite.schema import connect, prepare
from boxroom_server.storage.sqlite.wal import index_of, log_of

HEADER_BYTES = 32

WITHOUT_COMMIT = (
    "no log",
    "empty log",
    "torn header",
    "header of zeros",
    "header",
    "torn frame",
    "frame of zeros",
)
COMMIT = "commit"
INDEXES = ("no index", "empty index", "index of zeros", "older index", "index of no commit")

Contents = Mapping[str, bytes | None]
"""Contents of the files by the names of their states; None where there is no file."""


def contents(path: Path) -> Contents:
    """Make a database and write to it; return contents that its files had."""
    prepare(path)
    with closing(connect(path)) as connection:
        connection.execute("UPDATE life SET alive_ms = 1")
        older = index_of(path).read_bytes()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        emptied, database = index_of(path).read_bytes(), path.read_bytes()
        connection.execute("UPDATE life SET alive_ms = 2")
        log = log_of(path).read_bytes()
    frames = len(log) - HEADER_BYTES
    states = [
        *(None, b"", log[:20], bytes(HEADER_BYTES), log[:HEADER_BYTES]),
        *(log[: HEADER_BYTES + 100], log[:HEADER_BYTES] + bytes(frames), log),
        *(None, b"", bytes(len(older)), older, emptied),
    ]
    return {"": database, **dict(zip((*WITHOUT_COMMIT, COMMIT, *INDEXES), states, strict=True))}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Contents:
    return contents(tmp_path_factory.mktemp("written") / "boxroom.db")


def left(path: Path, written: Contents, log: str, index: str) -> Path:
    """Write the files in these states; return the path of the database."""
    for file, state in ((path, ""), (log_of(path), log), (index_of(path), index)):
        if (content := written[state]) is not None:
            file.write_bytes(content)
    return path


def alive_ms(database: Path) -> int:
    with open_database(database) as connection:
        found: int = connection.execute("SELECT alive_ms FROM life").fetchone()[0]
        return found


@pytest.mark.parametrize("index", INDEXES)
@each("log", [*WITHOUT_COMMIT, COMMIT])
def test_all_can_be_opened(tmp_path: Path, written: Contents, log: str, index: str) -> None:
    folder = tmp_path / log
    folder.mkdir()
    expected = 2 if log == COMMIT else 1
    assert alive_ms(left(folder / "read.db", written, log, index)) == expected
    path = left(folder / "boxroom.db", written, log, index)
    with open_database(path, writable=True) as connection:
        assert connection.execute("SELECT alive_ms FROM life").fetchall() == [(expected,)]
    path = left(folder / "served.db", written, log, index)
    prepare(path, may_be_new=False)
    assert alive_ms(path) == expected


@pytest.mark.parametrize("index", INDEXES)
@each("log", WITHOUT_COMMIT)
def test_a_database_without_tables_is_made(
    tmp_path: Path, written: Contents, log: str, index: str
) -> None:
    folder = tmp_path / log
    folder.mkdir()
    new = folder / "new.db"
    with closing(sqlite3.connect(new)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    path = left(folder / "boxroom.db", {**written, "": new.read_bytes()}, log, index)
    prepare(path)
    assert alive_ms(path) == 0


@pytest.mark.parametrize("index", INDEXES)
def test_a_kill_before_the_first_commit_is_no_damage(
    tmp_path: Path, written: Contents, index: str
) -> None:
    path = left(tmp_path / "boxroom.db", written, "header", index)
    prepare(path, is_index_current=True)
    assert alive_ms(path) == 1
