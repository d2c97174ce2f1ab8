"""The ledger in etcd; the contract of all ledgers is in `tests.server.storage.test_ledger`."""

import asyncio
import itertools
import zlib

import pytest
from msgspec.structs import replace
from tests.cluster.shared import new_address
from tests.server.manual_clock import ManualClock
from tests.server.storage.etcd.proxied import proxied
from tests.server.storage.sqlite.data_folders import finished
from tests.server.stores import EtcdStore
from tests.server.talk import lobby, until

from boxroom_server.storage.etcd import feed
from boxroom_server.storage.etcd.layout import Layout, put
from boxroom_server.storage.ledger import BanKind, BanRecord, NameRecord
from boxroom_server.storage.room_log import CannotSave

ONE_LOOP = True

ADA = NameRecord("ada", "Ada", b"\x00\xff", 20)
GAME = replace(finished(1), people=("ada",))
MOST = 2**62


@pytest.fixture
def store() -> EtcdStore:
    return EtcdStore(new_address())


async def test_two_games_of_one_millisecond_with_one_hash_are_two(store: EtcdStore) -> None:
    by_hash: dict[int, int] = {}
    for number in itertools.count(1):
        other = by_hash.setdefault(zlib.crc32(f"{GAME.log} {number}".encode()) % 1000, number)
        if other != number:
            break
    games = [replace(GAME, number=each, room=f"room {each}") for each in (other, number)]
    async with store.opened(ManualClock()) as storage:
        for game in (*games, *games):
            storage.ledger.save_game(game)
    async with store.opened(ManualClock()) as storage:
        found = await asyncio.to_thread(storage.ledger.newest_games_of, "ada", MOST, 10)
        assert {game.room for game in found} == {game.room for game in games}
        assert len(found) == 2


async def test_of_two_servers_that_change_a_name_one_has_an_effect(store: EtcdStore) -> None:
    async with store.opened(ManualClock()) as one, store.opened(ManualClock()) as other:
        reports: list[list[NameRecord | None]] = [[], []]
        for storage, reported in zip((one, other), reports, strict=True):
            storage.ledger.name_changed.append(lambda key, name, to=reported: to.append(name))  # type: ignore[misc]
        first, second = ADA, replace(ADA, digest=b"of somebody else")
        one.ledger.save_name(first)
        one.ledger.save_name(replace(first, used_ms=30))
        other.ledger.save_name(second)
        other.ledger.save_name(replace(second, used_ms=40))
        for storage in (one, other):
            ledger = storage.ledger
            await until(lambda it=ledger: [name.used_ms > 20 for name in it.names()] == [True])  # type: ignore[misc]
        (winner,) = one.ledger.names()
        assert list(other.ledger.names()) == [winner]
        loser = 1 if winner.digest == first.digest else 0
        assert reports[1 - loser] == []
        # Now both know it, so the other server can change it.
        deleting = (one, other)[loser]
        deleting.ledger.delete_name("ada")
        await until(lambda: not one.ledger.names() and not other.ledger.names())


@pytest.mark.parametrize("folder", ["name/eve", "ban/name/eve", "room/eve", "status/eve"])
async def test_a_damaged_value_that_arrives_is_told_and_the_next_ones_are_received(
    store: EtcdStore, caplog: pytest.LogCaptureFixture, folder: str
) -> None:
    def errors() -> set[str]:
        return {it.getMessage() for it in caplog.records if it.name == feed.__name__}

    async with (
        store.opened(ManualClock()) as storage,
        lobby(storage=storage),
        store.opened(ManualClock()) as other,
    ):
        bans: list[str] = []
        storage.ledger.ban_changed.append(lambda kind, who, ban: bans.append(who))
        await store.write(put(Layout(store.address.prefix).key(*folder.split("/")), b"{"))
        other.ledger.save_ban(BanRecord(BanKind.NAME, "ada", 1, ""))
        # Two watches have no order, so either may come first.
        await until(lambda: bans == ["ada"] and errors() != set())
    (error,) = errors()
    assert f"the value of {folder} in etcd is damaged" in error


async def test_a_damaged_game_is_told_to_those_who_ask_for_it(store: EtcdStore) -> None:
    async with store.opened(ManualClock()) as storage:
        storage.ledger.save_game(GAME)
    (pair,) = await store.read("game")
    await store.write(put(pair.key, b"{"))
    async with store.opened(ManualClock()) as storage:
        with pytest.raises(CannotSave, match="is damaged"):
            await asyncio.to_thread(storage.ledger.newest_games_of, "ada", MOST, 10)


async def test_old_games_that_can_not_be_deleted_now_do_not_pile_up(store: EtcdStore) -> None:
    async with (
        proxied(store.address) as (proxy, address),
        EtcdStore(address).opened(ManualClock()) as storage,
    ):
        storage.ledger.save_game(GAME)
        ledger = storage.ledger
        while not await store.read("game"):
            pass
        for _ in range(3):
            ledger.delete_old_games(MOST)
        await until(lambda: ledger._deletions > 0)  # type: ignore[attr-defined]
        proxy.close()
        for _ in range(100):
            ledger.delete_old_games(MOST)
            await asyncio.sleep(0)
        assert ledger._deletions <= 3  # type: ignore[attr-defined]
        proxy.open()
        await until(lambda: ledger._deletions == 0)  # type: ignore[attr-defined]
    assert await store.read("game") == []
