"""Databases whose switch to the write-ahead log, or first making, was interrupted."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.cases import each
from tests.server.storage.sqlite.data_folders import data_folder, finished, numbers

from boxroom_server.storage.sqlite.backup import back_up
from boxroom_server.storage.sqlite.external_access import open_database
from boxroom_server.storage.sqlite.journal import has_journal, journal_of
from boxroom_server.storage.sqlite.schema import prepare

PAGE_BYTES = 4096
SECTOR_BYTES = 512


@pytest.fixture
def interrupted(tmp_path: Path) -> Path:
    """A backup as a power cut leaves it, in the middle of a transaction that changes all games."""
    copy, killed = tmp_path / "copy.db", tmp_path / "boxroom.db"
    back_up(data_folder(tmp_path / "data", finished(1)).database, copy)
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'games'"
        ).fetchone()
        connection.execute("PRAGMA cache_size = 1")  # so that pages are written before the commit
        connection.execute("BEGIN")
        connection.execute("UPDATE games SET number = 2")
        connection.execute("CREATE TABLE large (content)")
        connection.execute("INSERT INTO large VALUES (randomblob(100000))")
        shutil.copy(copy, killed)
        shutil.copy(journal_of(copy), journal_of(killed))
    with killed.open("r+b") as file:
        file.seek((page - 1) * PAGE_BYTES)
        file.write(bytes(SECTOR_BYTES))
    assert has_journal(killed)
    return killed


def test_a_server_undoes_it(interrupted: Path) -> None:
    prepare(interrupted)
    assert numbers(interrupted) == [1]
    assert not journal_of(interrupted).exists()


@each("writable", [False, True])
def test_so_does_another_process(interrupted: Path, writable: bool) -> None:
    with open_database(interrupted, writable=writable) as connection:
        assert connection.execute("SELECT number FROM games").fetchall() == [(1,)]
    assert not journal_of(interrupted).exists()
