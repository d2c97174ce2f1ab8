"""Copies of databases, whole or not at all."""

import os
import resource
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.server.manual_clock import ManualClock
from tests.server.storage.sqlite.data_folders import damage_games, data_folder, finished

from boxroom_server.storage.sqlite import backup, external_access
from boxroom_server.storage.sqlite.backup import back_up
from boxroom_server.storage.sqlite.external_access import Busy, open_database
from boxroom_server.storage.sqlite.folder import DataFolder
from boxroom_server.storage.sqlite.schema import UnusableData, check
from boxroom_server.storage.sqlite.storage import sqlite_storage

ONE_LOOP = True


@pytest.fixture
def database(tmp_path: Path) -> Path:
    games = (finished(number) for number in range(1, 1000))
    return data_folder(tmp_path / "data", *games).database


def rows_of(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return sorted(connection.iterdump())  # a copy has what makes its tables in another order


def test_a_copy_is_sound_and_holds_the_same_for_its_owner_alone(
    database: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    back_up(database, copy)
    check(copy)
    assert rows_of(copy) == rows_of(database)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.db", "data"]


def test_a_copy_is_made_where_there_are_no_hard_links(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(old: Path, new: Path) -> None:
        raise PermissionError(old)

    monkeypatch.setattr(os, "link", refuse)
    back_up(database, tmp_path / "copy.db")
    assert rows_of(tmp_path / "copy.db") == rows_of(database)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.db", "data"]


def test_it_holds_what_was_committed_and_not_what_wasnt(database: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(database, isolation_level=None)) as server:
        server.execute("UPDATE games SET room = 'committed' WHERE id = 1")
        server.execute("BEGIN IMMEDIATE")
        server.execute("UPDATE games SET room = 'uncommitted' WHERE id = 2")
        back_up(database, tmp_path / "copy.db")
        server.execute("COMMIT")
    with open_database(tmp_path / "copy.db") as connection:
        rooms = connection.execute("SELECT room FROM games WHERE id <= 2 ORDER BY id").fetchall()
    assert rooms == [("committed",), ("attic",)]


def test_a_copy_can_be_copied(database: Path, tmp_path: Path) -> None:
    back_up(database, tmp_path / "copy.db")
    back_up(tmp_path / "copy.db", tmp_path / "second.db")
    assert rows_of(tmp_path / "second.db") == rows_of(database)


@pytest.mark.parametrize("kind", ["file", "folder", "dangling link"])
def test_nothing_is_overwritten(kind: str, database: Path, tmp_path: Path) -> None:
    there = tmp_path / "copy.db"
    match kind:
        case "file":
            there.write_text("precious", encoding="utf-8")
        case "folder":
            there.mkdir()
        case _:
            there.symlink_to(tmp_path / "nowhere")
    before = there.lstat()
    with pytest.raises(FileExistsError):
        back_up(database, there)
    assert there.lstat() == before


def test_not_even_what_is_made_in_the_meantime(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy.db"
    monkeypatch.setattr(backup, "check", lambda _: copy.write_text("precious", encoding="utf-8"))
    with pytest.raises(FileExistsError):
        back_up(database, copy)
    assert copy.read_text(encoding="utf-8") == "precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.db", "data"]


def test_when_the_disk_is_full_nothing_is_left(database: Path, tmp_path: Path) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (65_536, limits[1]))
    try:
        with pytest.raises(OSError, match="the copy can't be written"):
            back_up(database, tmp_path / "copy.db")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


BACK_UP = """
import sys
from pathlib import Path
from boxroom_server.storage.sqlite import backup
copy_into = backup._copy_into
def copy_and_wait(connection, temporary):
    copy_into(connection, temporary)
    print("copied", flush=True)
    sys.stdin.read()
backup._copy_into = copy_and_wait
backup.back_up(Path(sys.argv[1]), Path(sys.argv[2]))
"""
"""Program that makes a backup, and waits when the file has been written."""


@pytest.fixture
def running(database: Path, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A backup into `running.db` that doesn't come to its end."""
    with subprocess.Popen(
        [sys.executable, "-c", BACK_UP, str(database), str(tmp_path / "running.db")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "copied\n"
        yield process
        process.kill()


def unfinished(folder: Path) -> list[Path]:
    return sorted(folder.glob(".*"))


def test_what_a_killed_backup_has_left_is_deleted_by_the_next_one(
    database: Path, tmp_path: Path, running: subprocess.Popen[str]
) -> None:
    (left,) = unfinished(tmp_path)
    left.with_name(f"{left.name}-journal").touch()
    back_up(database, tmp_path / "first.db")
    assert len(unfinished(tmp_path)) == 2, "it runs"
    running.kill()
    running.wait()
    back_up(database, tmp_path / "second.db")
    assert unfinished(tmp_path) == []
    names = ["data", "first.db", "second.db"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names


async def test_a_server_deletes_it_in_its_folder(tmp_path: Path) -> None:
    left = tmp_path / f".copy.db-abcdefgh{backup.UNFINISHED}"
    left.touch()
    async with sqlite_storage(DataFolder(tmp_path), ManualClock()):
        assert not left.exists()


def test_what_isnt_ours_isnt_copied(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(UnusableData, match="isn't a database of Boxroom"):
        back_up(tmp_path / "other.db", tmp_path / "copy.db")
    assert [path.name for path in tmp_path.iterdir()] == ["other.db"]


def test_where_there_is_no_folder_there_is_no_copy(database: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        back_up(database, tmp_path / "no" / "copy.db")


def test_a_page_that_cant_be_read_is_damage_and_leaves_no_copy(
    database: Path, tmp_path: Path
) -> None:
    damage_games(database)
    with pytest.raises(UnusableData, match="is damaged"):
        back_up(database, tmp_path / "copy.db")
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_a_database_that_is_locked_whole_isnt_copied(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(external_access, "LOCK_TIMEOUT_S", 0.0)
    back_up(database, tmp_path / "copy.db")
    with closing(sqlite3.connect(tmp_path / "copy.db", isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(Busy, match="try again in a moment"):
            back_up(tmp_path / "copy.db", tmp_path / "second.db")
