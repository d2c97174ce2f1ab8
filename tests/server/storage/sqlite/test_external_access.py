"""Opening a database from another process, and its errors."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.server.storage.sqlite.data_folders import (
    damage_games,
    data_folder,
    finished,
    left_by_a_kill,
)

from boxroom_server.storage.sqlite import external_access
from boxroom_server.storage.sqlite.external_access import Busy, open_database
from boxroom_server.storage.sqlite.folder import DataFolder
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


def test_a_text_that_cant_be_decoded_is_damage(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE games SET room = CAST(x'ff' AS TEXT)")
    with pytest.raises(UnusableData, match="is damaged"):
        read_games(database)


@pytest.fixture
def damaged(database: Path, tmp_path: Path) -> Path:
    """A copy of a database with a damaged log, which a killed server has left."""
    return left_by_a_kill(DataFolder(database.parent), tmp_path / "damaged").database


@pytest.mark.parametrize("writable", [False, True])
def test_a_damaged_log_is_refused_and_stays_as_it_is(damaged: Path, writable: bool) -> None:
    files = {path.name: path.read_bytes() for path in damaged.parent.iterdir()}
    with (
        pytest.raises(UnusableData, match=r"-wal is damaged: .* start the server with"),
        open_database(damaged, writable=writable),
    ):
        pytest.fail("commits would be lost")
    assert {path.name: path.read_bytes() for path in damaged.parent.iterdir()} == files


def test_the_log_of_a_server_that_runs_is_its_own_matter(damaged: Path) -> None:
    with DataFolder(damaged.parent).locked():
        read_games(damaged)


def test_a_damaged_database_is_not_opened_for_writing(database: Path) -> None:
    damage_games(database)
    with (
        pytest.raises(UnusableData, match="is damaged"),
        open_database(database, writable=True),
    ):
        pytest.fail("closing it would move the log into it")
