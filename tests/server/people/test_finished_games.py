"""The finished games that people see: their own, in pages, and no others."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.server.manual_clock import NOON_MS, ManualClock
from tests.server.storage.sqlite.data_folders import ONE_BOX, finished
from tests.server.stores import SqliteStore, Store
from tests.server.talk import LIMIT_S

from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.room import Phase, SeatHolder, Settings
from boxroom_engine.room.view import Snapshot
from boxroom_engine.wire.links import GAME_LINK
from boxroom_engine.wire.messages import GameListed, GameRecord, Games, GetGame, ListGames
from boxroom_server.computing import ComputingThread
from boxroom_server.people import finished_games
from boxroom_server.people.finished_games import FinishedGames
from boxroom_server.people.names import Names
from boxroom_server.storage.memory.storage import MemoryLedger
from boxroom_server.storage.sqlite.external_access import open_database
from boxroom_server.storage.sqlite.folder import DataFolder
from boxroom_server.storage.sqlite.games import SqliteGames
from boxroom_server.storage.storage import Storage

ONE_LOOP = True
ADA_AND_BOB = ("ada", "bob")
LINK = "dQw4w9WgXcQ-_dQw4w9WgA"


@asynccontextmanager
async def server_with(
    store: Store, *games: tuple[int, tuple[str, ...]]
) -> AsyncIterator[tuple[FinishedGames, Storage]]:
    """A storage in which `games`, by number and people, have been saved before it was opened.

    They ended as many milliseconds after noon as their numbers say.
    """
    clock = ManualClock()
    async with store.opened(clock) as storage:
        for number, people in games:
            game = replace(finished(number), people=people, ended_ms=NOON_MS + number)
            storage.ledger.save_game(game)
    async with store.opened(clock) as storage:
        yield FinishedGames(storage.ledger, ComputingThread()), storage


async def listed(games: FinishedGames, name: str, after: str = "") -> tuple[list[int], str]:
    """Return the numbers of the games on a page, and which page comes next."""
    answer = await games.answer(name, ListGames(7, after))
    assert isinstance(answer, Games)
    assert answer.id == 7
    return [game.ended_ms - NOON_MS for game in answer.games], answer.next


async def id_of(games: FinishedGames, name: str, number: int) -> int:
    """Return the id of the game with that number, in which `name` took part."""
    answer = await games.answer(name, ListGames(7))
    assert isinstance(answer, Games)
    return next(game.game for game in answer.games if game.ended_ms == NOON_MS + number)


async def test_people_see_the_games_that_they_took_part_in(store: Store) -> None:
    async with server_with(store, (1, ADA_AND_BOB), (2, ("bob",)), (3, ADA_AND_BOB)) as (
        games,
        _,
    ):
        assert await listed(games, "Ada") == ([3, 1], "")
        assert await listed(games, "BOB") == ([3, 2, 1], "")
        assert await listed(games, "Cem") == ([], "")
        first, second = await id_of(games, "Ada", 1), await id_of(games, "Bob", 2)
        game = GameListed(
            first,
            "attic",
            NOON_MS + 1,
            "dots rows=1 cols=1 border=none",
            ("Ada", "Bob"),
            (0, 1),
            (1,),
        )
        answer = await games.answer("Ada", GetGame(8, first))
        assert isinstance(answer, GameRecord)
        assert answer == GameRecord(8, game, ONE_BOX, answer.room)
        for name, number in (("Ada", second), ("Cem", first), ("Ada", 99)):
            with pytest.raises(CommandRefused) as refused:
                await games.answer(name, GetGame(9, number))
            assert refused.value.code == "no_such_game"


async def test_everybody_sees_a_game_by_its_link(store: Store) -> None:
    async with store.opened(ManualClock()) as storage:
        for number, link in ((1, LINK), (2, "")):
            storage.ledger.save_game(replace(finished(number), people=ADA_AND_BOB, link=link))
    async with server_with(store) as (games, storage):
        seen = await games.see(LINK)
        assert (seen.game.link, seen.record) == (LINK, ONE_BOX)
        assert seen.room is not None
        assert seen.room.game_link == LINK
        assert [holder.member for holder in seen.room.seats] == [None, None]
        answer = await games.answer("Ada", ListGames(7))
        assert isinstance(answer, Games)
        assert {game.link for game in answer.games} == {LINK, ""}
        assert not await is_seen(games, "x" * 22)
        assert not await is_seen(games, "")


async def is_seen(games: FinishedGames, link: str) -> bool:
    try:
        return bool(await games.see(link))
    except CommandRefused as refused:
        if refused.code != "no_such_game":
            raise
        return False


async def test_the_link_of_a_game_that_is_deleted_leads_nowhere(store: Store) -> None:
    async with store.opened(ManualClock()) as storage:
        storage.ledger.save_game(replace(finished(1), people=ADA_AND_BOB, link=LINK))
    async with server_with(store) as (games, storage):
        assert await is_seen(games, LINK)
        async with asyncio.timeout(LIMIT_S):
            storage.ledger.delete_old_games(NOON_MS * 2)
            while await is_seen(games, LINK):
                pass


async def test_a_link_is_random(store: Store) -> None:
    async with store.opened(ManualClock()) as storage:
        games = FinishedGames(storage.ledger, ComputingThread())
        links = {games.new_link() for _ in range(100)}
        assert len(links) == 100
        assert all(GAME_LINK.fullmatch(link) for link in links)
        without = FinishedGames(storage.ledger, ComputingThread(), has_links=False)
        assert without.new_link() == ""


async def test_games_that_are_not_kept_have_no_links() -> None:
    assert FinishedGames(MemoryLedger(), ComputingThread()).new_link() == ""


async def test_a_game_comes_as_a_room_at_its_end(store: Store) -> None:
    async with server_with(store, (1, ADA_AND_BOB)) as (games, _):
        id = await id_of(games, "ADA", 1)
        answer = await games.answer("ADA", GetGame(8, id))
    assert isinstance(answer, GameRecord)
    assert answer.room == Snapshot(
        room="attic",
        log="",
        seq=0,
        phase=Phase.OVER,
        settings=Settings("dots", {"rows": 1, "cols": 1, "border": "none"}, 2),
        host=None,
        seats=(SeatHolder(0, "Ada", "Ada"), SeatHolder(1, "Bob")),
        members=(),
        game_number=id,
        players=("Ada", "Bob"),
        tokens=("h0", "v0", "h1", "v1"),
        scores=(0, 1),
        winners=(1,),
        movers=(0, 1, 0, 1),
        taken=((3, 0),),
    )


@pytest.mark.parametrize("record", ["dots rows=1 cols=1 | Ada, Bob | h0 h0", "chess | A, B |"])
async def test_a_record_that_this_version_cannot_play_comes_as_it_is(
    store: Store, record: str
) -> None:
    async with store.opened(ManualClock()) as storage:
        storage.ledger.save_game(replace(finished(0, record=record), people=("ada",)))
    async with server_with(store) as (games, _):
        answer = await games.answer("Ada", GetGame(8, await id_of(games, "Ada", 0)))
        assert isinstance(answer, GameRecord)
        assert (answer.record, answer.room) == (record, None)


async def test_a_long_list_comes_in_pages(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finished_games, "PAGE", 2)
    saved = [(number, ("ada",)) for number in range(1, 6)]
    async with server_with(store, *saved) as (games, _):
        numbers, after = await listed(games, "Ada")
        assert numbers == [5, 4]
        numbers, after = await listed(games, "Ada", after)
        assert numbers == [3, 2]
        assert await listed(games, "Ada", after) == ([1], "")


async def test_only_a_page_that_an_answer_named_can_be_asked_for(store: Store) -> None:
    async with server_with(store, (1, ("ada",))) as (games, _):
        for after in ("x", "-1", "1" * 30, "٣", "1 OR 1"):
            with pytest.raises(CommandRefused) as refused:
                await games.answer("Ada", ListGames(1, after))
            assert refused.value.code == "bad_option", after


async def test_a_name_with_another_owner_begins_without_games(store: Store) -> None:
    async with server_with(store, (1, ADA_AND_BOB)) as (games, storage):
        names = Names(10, 180, storage.ledger, ManualClock(), lambda name: False)
        names.claim("Ada", "the secret of Ada")
        names.release("Ada")
        names.claim("Ada", "the secret of somebody else")
        # The room of the game wakes, and saves it once more.
        storage.ledger.save_game(replace(finished(1), people=ADA_AND_BOB))
    async with server_with(store) as (games, _):
        assert await listed(games, "Ada") == ([], "")
        assert await listed(games, "Bob") == ([1], "")


async def test_a_deleted_game_is_nobodys(tmp_path: Path) -> None:
    async with server_with(
        SqliteStore(DataFolder(tmp_path)), (1, ADA_AND_BOB), (2, ADA_AND_BOB)
    ) as (games, _):
        with open_database(DataFolder(tmp_path).database, writable=True) as connection:
            await SqliteGames(connection).delete([1])
            rows = connection.execute("SELECT game FROM participants WHERE name = 'ada'")
            assert [*rows] == [(2,)]
        assert await listed(games, "Ada") == ([2], "")


async def test_a_server_without_a_disk_has_none() -> None:
    games = FinishedGames(MemoryLedger(), ComputingThread())
    assert await listed(games, "Ada") == ([], "")


async def test_a_disk_that_fails_is_told(tmp_path: Path) -> None:
    async with server_with(SqliteStore(DataFolder(tmp_path)), (1, ("ada",))) as (games, _):
        DataFolder(tmp_path).database.rename(tmp_path / "elsewhere")
        with pytest.raises(CommandRefused) as refused:
            await games.answer("Ada", ListGames(1))
        (tmp_path / "elsewhere").rename(DataFolder(tmp_path).database)
        assert refused.value.code == "cannot_load"
