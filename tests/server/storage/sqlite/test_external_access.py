"""Opening a database from another process, and its errors."""

import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from tests.cases import each
from tests.namespaces import namespaces
from tests.server.storage.sqlite.data_folders import (
    damage_games,
    data_folder,
    finished,
    left_by_a_kill,
)

from boxroom_server.storage.sqlite import external_access
from boxroom_server.storage.sqlite.backup import back_up
from boxroom_server.storage.sqlite.external_access import Busy, open_database
from boxroom_server.storage.sqlite.folder import DataFolder
from boxroom_server.storage.sqlite.journal import has_journal
from boxroom_server.storage.sqlite.schema import VERSION, UnusableData
from boxroom_server.storage.sqlite.wal import index_of


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


@each("writable", [False, True])
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


# In a folder that can't be changed

READ = """
import sys
from pathlib import Path
from boxroom_server.storage.sqlite.external_access import open_database
with open_database(Path(sys.argv[1])) as connection:
    print([number for (number,) in connection.execute("SELECT number FROM games ORDER BY number")])
"""


def read_on_read_only_mount(database: Path) -> str:
    """Read the numbers of all games where the folder of `database` is mounted read-only."""
    folder = shlex.quote(str(database.parent))
    mount = f"mount --bind {folder} {folder} && mount -o remount,bind,ro {folder}"
    with namespaces("mount", prepare=mount) as private:
        refused = [*private.within, "touch", str(database.with_name("new"))]
        assert subprocess.run(refused, check=False, capture_output=True).returncode
        read = [*private.within, sys.executable, "-c", READ, str(database)]
        done = subprocess.run(read, check=False, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_on_a_read_only_mount_a_database_of_a_stopped_server_is_read(database: Path) -> None:
    before = {path.name: path.read_bytes() for path in database.parent.iterdir()}
    assert read_on_read_only_mount(database) == "[1]"
    assert {path.name: path.read_bytes() for path in database.parent.iterdir()} == before


@pytest.mark.parametrize("has_index", [True, False])
def test_there_the_commits_in_the_log_of_a_killed_server_count(
    database: Path, tmp_path: Path, has_index: bool
) -> None:
    with closing(sqlite3.connect(database, isolation_level=None)) as server:
        server.execute("UPDATE games SET number = 7")
        killed = Path(shutil.copytree(database.parent, tmp_path / "killed")) / database.name
    if not has_index:
        index_of(killed).unlink()
    assert read_on_read_only_mount(killed) == "[7]"


def test_there_an_interrupted_transaction_is_undone(database: Path, tmp_path: Path) -> None:
    copy = tmp_path / "other" / "boxroom.db"
    copy.parent.mkdir()
    back_up(database, copy)
    with closing(sqlite3.connect(copy, isolation_level=None)) as writing:
        writing.execute("PRAGMA cache_spill = 1")
        writing.execute("PRAGMA cache_size = 1")
        writing.execute("BEGIN")
        writing.execute("UPDATE games SET number = 7, record = zeroblob(100000)")
        killed = Path(shutil.copytree(copy.parent, tmp_path / "killed")) / copy.name
    assert has_journal(killed)
    assert read_on_read_only_mount(killed) == "[1]"


def test_there_a_server_that_runs_may_go_on(database: Path) -> None:
    with (
        DataFolder(database.parent).locked(),
        closing(sqlite3.connect(database, isolation_level=None)) as server,
    ):
        server.execute("UPDATE games SET number = 7")
        assert read_on_read_only_mount(database) == "[7]"
        server.execute("UPDATE games SET number = 8")
        assert read_on_read_only_mount(database) == "[8]"


def test_there_a_change_is_refused_in_a_sentence(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with (
        pytest.raises(OSError, match="can't be changed: this user can't write in its folder"),
        open_database(database, writable=True),
    ):
        pytest.fail("it can't be changed")
