"""The ledger in SQLite."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.server.storage.sqlite.writing import add, rows, writer_on

from boxroom_server.storage.ledger import BanKind, BanRecord, FinishedGame, NameRecord
from boxroom_server.storage.sqlite.ledger import SqliteLedger
from boxroom_server.storage.sqlite.schema import connect

ONE_LOOP = True

ADA = NameRecord("ada", "Ada", b"\x00\xff", 20)
BOB = NameRecord("bob", "Bob", b"\x01", 10)
BAN = BanRecord(BanKind.NAME, "ada", 40, "spam")
GAME = FinishedGame("4711", 1, "attic", 30, (1, 0), (0,), "dots 1x1 …")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "boxroom.db"


@asynccontextmanager
async def ledger_on(path: Path) -> AsyncIterator[SqliteLedger]:
    """Open the ledger as a starting server does; all changes are saved at the end."""
    async with writer_on(path) as writer:
        with closing(connect(path)) as connection:
            ledger = SqliteLedger(path, connection, writer)
        yield ledger


async def test_names_are_saved_and_listed_the_longest_unused_first(path: Path) -> None:
    async with ledger_on(path) as ledger:
        assert ledger.names() == ()
        ledger.save_name(ADA)
        ledger.save_name(BOB)
    async with ledger_on(path) as ledger:
        assert ledger.names() == (BOB, ADA)


async def test_a_name_that_is_saved_again_replaces_itself(path: Path) -> None:
    async with ledger_on(path) as ledger:
        ledger.save_name(BOB)
        ledger.save_name(ADA)
        ledger.save_name(replace(BOB, used_ms=40))
    async with ledger_on(path) as ledger:
        assert ledger.names() == (ADA, replace(BOB, used_ms=40))


async def test_a_deleted_name_is_gone(path: Path) -> None:
    async with ledger_on(path) as ledger:
        ledger.save_name(ADA)
        ledger.save_name(BOB)
        ledger.delete_name("ada")
    async with ledger_on(path) as ledger:
        assert ledger.names() == (BOB,)


async def test_a_game_is_saved_once_as_it_was_first(path: Path) -> None:
    async with ledger_on(path) as ledger:
        ledger.save_game(GAME)
        ledger.save_game(replace(GAME, ended_ms=99))
        ledger.save_game(replace(GAME, number=2))
    question = "SELECT log, number, room, ended_ms, scores, winners, record FROM games ORDER BY id"
    assert rows(path, question) == [
        ("4711", 1, "attic", 30, "[1,0]", "[0]", "dots 1x1 …"),
        ("4711", 2, "attic", 30, "[1,0]", "[0]", "dots 1x1 …"),
    ]


async def test_bans_are_saved_until_they_are_deleted(path: Path) -> None:
    address = BanRecord(BanKind.ADDRESS, "192.0.2.0/24", 50, "")
    async with ledger_on(path) as ledger:
        assert ledger.bans() == ()
        ledger.save_ban(BAN)
        ledger.save_ban(address)
        ledger.save_ban(replace(BAN, reason="much spam"))
    async with ledger_on(path) as ledger:
        assert set(ledger.bans()) == {replace(BAN, reason="much spam"), address}
        ledger.delete_ban(BanKind.NAME, "ada")
    async with ledger_on(path) as ledger:
        assert ledger.bans() == (address,)


async def test_old_games_are_deleted(path: Path) -> None:
    async with ledger_on(path) as ledger:
        ledger.save_game(GAME)
        ledger.save_game(replace(GAME, number=2, ended_ms=31))
        ledger.delete_old_games(before_ms=31)
    assert rows(path, "SELECT number FROM games") == [(2,)]


async def test_it_is_saved_before_what_is_appended_afterwards(path: Path) -> None:
    async with writer_on(path) as writer:
        with closing(connect(path)) as connection:
            SqliteLedger(path, connection, writer).save_name(ADA)
        assert await add(writer, b"{}").known() is None
        assert rows(path, "SELECT key FROM names") == [("ada",)]
