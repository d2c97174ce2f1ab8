"""The contract of all implementations of `Ledger`, and the deletion of old games."""

import asyncio

from msgspec.structs import replace
from tests.server.manual_clock import ManualClock
from tests.server.storage.log_recorder import LogRecorder
from tests.server.storage.sqlite.data_folders import (
    DAY_MS,
    LIVING,
    begin_living_room,
    finished,
)
from tests.server.stores import Store
from tests.server.talk import LIMIT_S, lobby

from boxroom_engine.room.events import Entry, Joined
from boxroom_server.storage.ledger import (
    DELETE_EVERY_S,
    BanKind,
    BanRecord,
    FinishedGame,
    Ledger,
    NameRecord,
    delete_old_games_forever,
)
from boxroom_server.storage.room_log import RoomRecord
from boxroom_server.storage.storage import Storage

ONE_LOOP = True

ADA = NameRecord("ada", "Ada", b"\x00\xff", 20)
BOB = NameRecord("bob", "Bob", b"\x01", 10)
BAN = BanRecord(BanKind.NAME, "ada", 40, "spam")
NETWORK = BanRecord(BanKind.ADDRESS, "192.0.2.0/24", 50, "")
GAME = replace(finished(1), people=("ada", "bob"))
MOST = 2**62


async def games_of(ledger: Ledger, key: str, before: int = MOST) -> list[FinishedGame]:
    """Return the games of a name, the newest first, as they were saved but for log and people."""
    games = await asyncio.to_thread(ledger.newest_games_of, key, before, 100)
    return [
        replace(GAME, room=it.room, ended_ms=it.ended_ms, record=it.record, scores=it.scores)
        for it in games
    ]


# Names and bans


async def test_names_are_saved_and_listed_the_longest_unused_first(store: Store) -> None:
    async with store.opened(ManualClock()) as storage:
        assert list(storage.ledger.names()) == []
        storage.ledger.save_name(ADA)
        storage.ledger.save_name(BOB)
    async with store.opened(ManualClock()) as storage:
        assert list(storage.ledger.names()) == [BOB, ADA]


async def test_of_changes_in_a_row_the_last_one_holds(store: Store) -> None:
    later = replace(BOB, used_ms=40)
    async with store.opened(ManualClock()) as storage:
        ledger = storage.ledger
        for name in (BOB, ADA, later):
            ledger.save_name(name)
        ledger.delete_name("ada")
        ledger.delete_name("bob")
        ledger.save_name(ADA)
        ledger.save_name(later)
        ledger.save_ban(BAN)
        ledger.delete_ban(BAN.kind, BAN.who)
        ledger.save_ban(replace(BAN, reason="much spam"))
    async with store.opened(ManualClock()) as storage:
        assert list(storage.ledger.names()) == [ADA, later]
        assert list(storage.ledger.bans()) == [replace(BAN, reason="much spam")]


async def test_own_changes_are_not_reported(store: Store) -> None:
    reported: list[object] = []
    async with store.opened(ManualClock()) as storage:
        ledger = storage.ledger
        ledger.name_changed.append(lambda key, name: reported.append(key))
        ledger.ban_changed.append(lambda kind, who, ban: reported.append(who))
        for used_ms in range(10):
            ledger.save_name(replace(ADA, used_ms=used_ms))
            ledger.delete_name("ada")
            ledger.save_ban(BAN)
            ledger.delete_ban(BAN.kind, BAN.who)
        await saved(storage)
    assert reported == []


async def test_a_deleted_name_is_gone(store: Store) -> None:
    async with store.opened(ManualClock()) as storage:
        storage.ledger.save_name(ADA)
        storage.ledger.save_name(BOB)
        await saved(storage)
        storage.ledger.delete_name("ada")
    async with store.opened(ManualClock()) as storage:
        assert list(storage.ledger.names()) == [BOB]
        storage.ledger.delete_name("bob")
    async with store.opened(ManualClock()) as storage:
        assert list(storage.ledger.names()) == []


async def test_bans_are_saved_until_they_are_deleted(store: Store) -> None:
    async with store.opened(ManualClock()) as storage:
        assert list(storage.ledger.bans()) == []
        for ban in (BAN, NETWORK, replace(BAN, reason="much spam")):
            storage.ledger.save_ban(ban)
    async with store.opened(ManualClock()) as storage:
        assert set(storage.ledger.bans()) == {replace(BAN, reason="much spam"), NETWORK}
        storage.ledger.delete_ban(BanKind.NAME, "ada")
    async with store.opened(ManualClock()) as storage:
        assert list(storage.ledger.bans()) == [NETWORK]


# Finished games


async def test_a_game_is_saved_once_as_it_was_first(store: Store) -> None:
    async with store.opened(ManualClock()) as storage:
        storage.ledger.save_game(GAME)
        storage.ledger.save_game(replace(GAME, ended_ms=GAME.ended_ms + 9))
        storage.ledger.save_game(replace(GAME, number=2))
        await saved(storage)
        storage.ledger.save_game(replace(GAME, number=2, room="cellar"))
    async with store.opened(ManualClock()) as storage:
        assert await games_of(storage.ledger, "bob") == [GAME, GAME]


async def test_a_game_is_found_by_those_who_took_part(store: Store) -> None:
    async with store.opened(ManualClock()) as storage:
        storage.ledger.save_game(GAME)
        await saved(storage)
        (game,) = await asyncio.to_thread(storage.ledger.newest_games_of, "ada", MOST, 1)
        assert await asyncio.to_thread(storage.ledger.game_of, "bob", game.id) == game
        assert await asyncio.to_thread(storage.ledger.game_of, "cem", game.id) is None
        assert await asyncio.to_thread(storage.ledger.game_of, "ada", game.id + 1) is None
        assert await games_of(storage.ledger, "ada", game.id) == []


async def test_a_name_with_another_owner_has_the_games_from_then_on(store: Store) -> None:
    """All of this may be one transaction of etcd, which sets no key twice."""
    later = replace(GAME, number=2, ended_ms=GAME.ended_ms + DAY_MS)
    async with store.opened(ManualClock()) as storage:
        storage.ledger.save_game(GAME)
        storage.ledger.forget_games_of("ada")
        storage.ledger.save_game(later)
        await saved(storage)
        assert storage.saving.failure is None
    async with store.opened(ManualClock()) as storage:
        assert await games_of(storage.ledger, "ada") == [replace(GAME, ended_ms=later.ended_ms)]
        assert len(await games_of(storage.ledger, "bob")) == 2


async def test_a_game_of_fifty_and_one_of_the_largest_board(store: Store) -> None:
    people = tuple(f"{number:02} {'ü' * 21}" for number in range(50))
    heading = "dots rows=62 cols=62 border=none | "
    moves = " ".join(f"h{number}" for number in range(10_000))
    large = replace(GAME, people=people, record=f"{heading}{', '.join(people)} | {moves}")
    async with store.opened(ManualClock()) as storage:
        storage.ledger.save_game(large)
    async with store.opened(ManualClock()) as storage:
        for key in people[0], people[-1]:
            assert await games_of(storage.ledger, key) == [replace(GAME, record=large.record)]
        storage.ledger.delete_old_games(MOST)
        await deleted(storage, people[0], 0)


async def test_changes_are_saved_before_what_is_appended_afterwards(store: Store) -> None:
    later = replace(ADA, used_ms=99)
    async with store.opened(ManualClock()) as storage:
        for name in (ADA, BOB, later):
            storage.ledger.save_name(name)
        storage.ledger.save_game(GAME)
        storage.ledger.save_ban(BAN)
        await saved(storage)
        left = await store.copy()
    async with left.opened(ManualClock()) as storage:
        assert list(storage.ledger.names()) == [BOB, later]
        assert list(storage.ledger.bans()) == [BAN]
        assert await games_of(storage.ledger, "ada") == [GAME]


async def saved(storage: Storage) -> None:
    """Wait until an entry is saved that is appended now."""
    storage.room_log.create(RoomRecord("last", "last", "Ada", "token", None, 0))
    await LogRecorder(storage.room_log, "last").save(Entry(1, 0, (Joined("Ada"),)))
    await storage.room_log.delete("last")


# Old games


def save_games_of_five_days(storage: Storage) -> None:
    begin_living_room(storage)
    for day in range(5):
        log = LIVING if day == 1 else "the log of a room that has ended"
        storage.ledger.save_game(game_of(day, log))


def game_of(day: int, log: str) -> FinishedGame:
    return replace(finished(day, days=day, log=log), people=("ada",))


async def deleted(storage: Storage, key: str, count: int) -> None:
    """Wait until so many games of the folded name `key` are left."""
    async with asyncio.timeout(LIMIT_S):
        while len(await games_of(storage.ledger, key)) != count:
            pass


async def days_left(storage: Storage) -> list[int]:
    """Return the days of the remaining games."""
    first_ms = finished(0).ended_ms
    return [(it.ended_ms - first_ms) // DAY_MS for it in await games_of(storage.ledger, "ada")]


async def test_games_are_deleted_once_they_are_too_old(store: Store) -> None:
    clock = ManualClock()
    async with store.opened(ManualClock()) as storage:
        save_games_of_five_days(storage)
        await saved(storage)
        deleting = asyncio.create_task(delete_old_games_forever(storage.ledger, 2, clock))
        for left in ([4, 3, 2, 1, 0], [4, 3, 2, 1, 0], [4, 3, 2, 1], [4, 3, 2]):
            clock.advance(DAY_MS / 1000 + 1 if clock.waiting else 0)
            await deleted(storage, "ada", len(left))
            assert await days_left(storage) == left
            async with asyncio.timeout(LIMIT_S):
                while clock.waiting != 1:  # noqa: ASYNC110
                    await asyncio.sleep(0)
        deleting.cancel()


async def test_a_deleted_game_of_a_room_that_lives_does_not_come_back(store: Store) -> None:
    async with store.opened(ManualClock()) as storage:
        save_games_of_five_days(storage)
        await saved(storage)
        storage.ledger.delete_old_games(finished(0, days=2).ended_ms)
        await deleted(storage, "ada", 3)
        storage.ledger.save_game(game_of(1, LIVING))  # as a server does that wakes the room
        await saved(storage)
        assert await days_left(storage) == [4, 3, 2]


async def test_a_server_with_the_option_deletes_old_games(store: Store) -> None:
    clock = ManualClock()
    async with store.opened(clock) as storage:
        save_games_of_five_days(storage)
        await saved(storage)
        clock.advance(3 * DAY_MS / 1000)
        async with lobby(storage=storage, clock=clock, keep_games=1.5):
            await deleted(storage, "ada", 3)
            assert await days_left(storage) == [4, 3, 2]


async def test_by_default_games_stay_for_ever(store: Store) -> None:
    clock = ManualClock()
    async with store.opened(clock) as storage:
        save_games_of_five_days(storage)
        clock.advance(5 * DAY_MS / 1000)
        async with lobby(storage=storage, clock=clock) as place:
            place.clock.advance(DELETE_EVERY_S)
    async with store.opened(ManualClock()) as storage:
        assert await days_left(storage) == [4, 3, 2, 1, 0]
