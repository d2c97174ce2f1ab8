"""Opening a database from another process, and its errors."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.server.storage.sqlite.data_folders import damage_games, data_folder, finished

from boxroom_server.storage.sqlite import external_access
from boxroom_server.storage.sqlite.external_access import Busy, open_database
from boxroom_server.storage.sqlite.schema import VERSION, UnusableData


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return data_folder(tmp_path / "data", finished(1)).database


def read_games(database: Path) -> None:
    with open_database(database) as connection:
        connection.execute("SELECT * FROM games").fetchall()


def test_what_isnt_there_isnt_made(tmp_path: Path) -> None:
    with pytest.raises(UnusableData, match="there is no database"):
        read_games(tmp_path / "boxroom.db")
    assert not (tmp_path / "boxroom.db").exists()


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("PRAGMA application_id = 1", "isn't a database of Boxroom"),
        (f"PRAGMA user_version = {VERSION + 1}", "is from a newer Boxroom"),
        ("DROP TABLE games", "is damaged: no such table: games"),
    ],
)
def test_what_isnt_ours_is_refused_in_a_sentence(
    database: Path, statement: str, reason: str
) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute(statement)
    with pytest.raises(UnusableData, match=reason):
        read_games(database)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "boxroom.db"
    path.write_bytes(b"not a database, but long enough to look like one" * 100)
    with pytest.raises(UnusableData, match="is damaged, or no database"):
        read_games(path)


def test_an_overwritten_page_is_an_error_when_it_is_read(database: Path) -> None:
    damage_games(database)
    with pytest.raises(UnusableData, match="is damaged"):
        read_games(database)


def test_a_reader_can_change_nothing(database: Path) -> None:
    with (
        pytest.raises(OSError, match="attempt to write a readonly database"),
        open_database(database) as connection,
    ):
        connection.execute("DELETE FROM games")


def test_a_database_that_stays_locked_is_left_alone(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(external_access, "LOCK_TIMEOUT_S", 0.0)
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        read_games(database)
        with (
            pytest.raises(Busy, match="try again in a moment"),
            open_database(database, writable=True) as connection,
        ):
            connection.execute("DELETE FROM games")
