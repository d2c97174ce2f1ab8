"""Making, migrating and checking databases."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from boxroom_server.storage.sqlite.schema import (
    APPLICATION_ID,
    FIRST,
    MIGRATIONS,
    VERSION,
    UnusableData,
    check,
    connect,
    prepare,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "boxroom.db"


def ask(path: Path, question: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(question).fetchall()


def fill(path: Path) -> None:
    """Make a database with several pages."""
    prepare(path)
    with closing(connect(path)) as connection:
        rows = [(number, b"x" * 3000) for number in range(1, 40)]
        connection.executemany("INSERT INTO commits VALUES (?, 0, ?, NULL)", rows)


def left_alone(path: Path) -> str:
    """Check that a file is refused and not changed, and return the reason."""
    before = path.read_bytes()
    with pytest.raises(UnusableData) as refused:
        prepare(path)
    assert path.read_bytes() == before
    assert str(path) in str(refused.value)
    return str(refused.value)


def test_a_new_database_is_safe_and_has_our_application_id(path: Path) -> None:
    prepare(path)
    assert ask(path, "PRAGMA application_id") == [(APPLICATION_ID,)]
    assert ask(path, "PRAGMA user_version") == [(VERSION,)]
    assert ask(path, "PRAGMA journal_mode") == [("wal",)]
    with closing(connect(path)) as connection:
        assert connection.execute("PRAGMA synchronous").fetchall() == [(2,)]


def test_where_there_is_no_database_none_is_made_by_looking(path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError):
        connect(path)
    assert not path.exists()


def test_an_old_one_is_made_new_step_by_step_and_keeps_its_rows(path: Path) -> None:
    first = "CREATE TABLE boxes (side INTEGER); INSERT INTO boxes VALUES (5);"
    second = "ALTER TABLE boxes ADD COLUMN glyph TEXT; UPDATE boxes SET glyph = 'A';"
    third = "CREATE TABLE chains (boxes INTEGER);"
    prepare(path, [first])
    prepare(path, [first, second, third])
    assert ask(path, "SELECT * FROM boxes") == [(5, "A")]
    assert ask(path, "SELECT * FROM chains") == []
    assert ask(path, "PRAGMA user_version") == [(FIRST + 2,)]
    prepare(path, [first, second, third])
    assert ask(path, "SELECT * FROM boxes") == [(5, "A")]


def test_a_step_that_fails_changes_nothing(path: Path) -> None:
    first = "CREATE TABLE boxes (side INTEGER);"
    prepare(path, [first])
    with pytest.raises(sqlite3.Error):
        prepare(path, [first, "CREATE TABLE chains (boxes INTEGER); SELECT nonsense;"])
    assert ask(path, "PRAGMA user_version") == [(FIRST,)]
    assert ask(path, "SELECT name FROM sqlite_schema") == [("boxes",)]


def test_a_newer_one_is_left_alone(path: Path) -> None:
    prepare(path, [*MIGRATIONS, "CREATE TABLE chains (boxes INTEGER);"])
    assert f"it has version {VERSION + 1}, this one knows {VERSION}" in left_alone(path)


def test_another_programs_database_is_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (cake TEXT)")
    assert "isn't a database of Boxroom" in left_alone(path)


def test_no_database_is_left_alone(path: Path) -> None:
    path.write_text("a letter to Ada\n" * 1000)
    assert "damaged, or no database" in left_alone(path)


def overwritten(at: int, size: int) -> Callable[[bytes], bytes]:
    return lambda content: content[:at] + b"\xa5" * size + content[at + size :]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(overwritten(0, 16), id="the magic of the header"),
        pytest.param(overwritten(100, 300), id="the rest of the first page"),
        pytest.param(overwritten(4096, 100_000), id="the middle"),
        pytest.param(lambda content: content[:20_000], id="the end is missing"),
        pytest.param(lambda content: content[:50], id="most is missing"),
    ],
)
def test_a_damaged_one_is_left_alone(path: Path, damage: Callable[[bytes], bytes]) -> None:
    fill(path)
    path.write_bytes(damage(path.read_bytes()))
    assert "damaged" in left_alone(path)


@pytest.mark.parametrize("table", ["names", "bans", "rooms", "participants"])
def test_a_table_whose_rows_are_gone_is_noticed(path: Path, table: str) -> None:
    prepare(path)
    with closing(connect(path)) as connection:
        connection.execute("INSERT INTO names VALUES ('ada', 'Ada', x'00', 0, 0)")
        connection.execute("INSERT INTO bans VALUES ('name', 'Bob', 0, 'spam', 0)")
        connection.execute("INSERT INTO rooms VALUES (1, 'log', '{}', 0)")
        connection.execute("INSERT INTO participants VALUES ('Ada', 1)")
        root = f"SELECT rootpage FROM sqlite_schema WHERE name = '{table}'"
        ((page,),) = connection.execute(root).fetchall()
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096 + 3)
        file.write(bytes(2))  # the number of its rows
        file.write(b"\x10\x00\x00")  # where the first one is: behind the page
    assert "wrong # of entries in index" in left_alone(path)


def test_an_empty_file_is_a_new_database(path: Path) -> None:
    path.touch()
    prepare(path)
    check(path)


def test_one_whose_making_was_interrupted_is_made(path: Path) -> None:
    path.touch()
    with closing(connect(path)):
        pass
    assert path.stat().st_size > 0
    prepare(path)
    assert ask(path, "PRAGMA application_id") == [(APPLICATION_ID,)]


def test_a_folder_in_its_place_is_an_error(path: Path) -> None:
    path.mkdir()
    with pytest.raises(sqlite3.Error):
        prepare(path)
    assert path.is_dir()


def test_nobody_else_may_read_any_of_its_files(path: Path) -> None:
    path.parent.chmod(0o755)
    prepare(path)
    with closing(connect(path)) as connection:
        connection.execute("INSERT INTO commits VALUES (1, 0, x'00', NULL)")
        files = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
    assert files == dict.fromkeys(["boxroom.db", "boxroom.db-wal", "boxroom.db-shm"], 0o600)
