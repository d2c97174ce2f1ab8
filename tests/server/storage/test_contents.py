"""Copies of one store into another: all of it, and what a reader must find afterwards."""

import asyncio
import json
import sqlite3
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing, closing
from functools import partial
from pathlib import Path
from typing import TypeGuard

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.cases import each
from tests.cluster.etcd import ctl
from tests.cluster.shared import new_address
from tests.server.manual_clock import ManualClock
from tests.server.storage.contents import (
    all_of,
    given_out,
    some_contents,
    through_etcd,
    through_sqlite,
)
from tests.server.storage.log_recorder import LogRecorder
from tests.server.storage.sqlite.data_folders import finished, numbers
from tests.server.storage.test_room_log import FIRST, SECOND, create
from tests.server.stores import url_of

from boxroom_server.storage.contents import Identity, Item, KeptGame, StoredRoom, encode_entry
from boxroom_server.storage.etcd import contents as etcd
from boxroom_server.storage.etcd.address import EtcdAddress
from boxroom_server.storage.etcd.client import EtcdClient
from boxroom_server.storage.etcd.layout import Layout
from boxroom_server.storage.etcd.storage import etcd_storage
from boxroom_server.storage.etcd.writer import MOST_OPERATIONS
from boxroom_server.storage.ledger import NameRecord
from boxroom_server.storage.room_log import Damaged, RoomRecord, StoredLog
from boxroom_server.storage.sqlite import contents as sqlite
from boxroom_server.storage.sqlite.compaction import insert_entries
from boxroom_server.storage.sqlite.schema import UnusableData, check
from boxroom_server.storage.storage import StorageError

ONE_LOOP = True


@given(seed=st.integers(0, 2**32))
@settings(max_examples=25)
async def test_a_copy_holds_the_same_in_each_store(seed: int) -> None:
    contents = some_contents(seed)
    expected = await all_of(given_out(contents))
    assert await through_sqlite(given_out(contents)) == expected
    assert await through_etcd(given_out(contents), new_address()) == expected


@given(seed=st.integers(0, 2**32))
@settings(max_examples=5)
async def test_a_copy_of_a_copy_holds_the_same(seed: int) -> None:
    first, second = new_address(), new_address()
    expected = await through_etcd(given_out(some_contents(seed)), first)
    assert await through_etcd(etcd.read_contents(first), second) == expected
    assert await through_sqlite(etcd.read_contents(second)) == expected


async def test_a_copy_in_sqlite_passes_the_check_of_a_server(tmp_path: Path) -> None:
    await sqlite.write_contents(tmp_path / "boxroom.db", given_out(some_contents(1)))
    check(tmp_path / "boxroom.db")


async def test_games_of_one_moment_are_all_kept_in_order() -> None:
    games = [KeptGame(finished(number), finished(0).ended_ms) for number in range(400)]
    address = new_address()
    await etcd.write_contents(address, given_out([Identity("1" * 32, 0), *games]))
    found = [item async for item in etcd.read_contents(address) if isinstance(item, KeptGame)]
    assert found == games


async def test_a_deleted_game_is_neither_shown_nor_saved_again(tmp_path: Path) -> None:
    """Its row without a record keeps its room, which lives on, from saving it once more."""
    game = replace(finished(7), people=("ada",))
    deleted = replace(game, room="", scores=(), winners=(), record="", people=())
    contents: list[Item] = [Identity("1" * 32, 0), KeptGame(deleted, game.ended_ms)]
    address = new_address()
    await etcd.write_contents(address, given_out(contents))
    async with etcd_storage(address, ManualClock()) as storage:
        storage.ledger.save_game(game)
        assert await asyncio.to_thread(storage.ledger.newest_games_of, "ada", 2**62, 9) == []
    await sqlite.write_contents(tmp_path / "boxroom.db", etcd.read_contents(address))
    assert numbers(tmp_path / "boxroom.db") == [7]
    assert (await all_of(sqlite.read_contents(tmp_path / "boxroom.db")))[1:] == contents[1:]


async def test_a_game_stays_hidden_from_the_next_owner_of_a_name(tmp_path: Path) -> None:
    address = new_address()
    async with etcd_storage(address, ManualClock()) as storage:
        storage.ledger.save_game(replace(finished(1), people=("ada", "bob")))
        storage.ledger.forget_games_of("ada")
        storage.ledger.save_game(replace(finished(2, days=1), people=("ada", "bob")))
    games = [each for each in await all_of(etcd.read_contents(address)) if is_game(each)]
    assert [each.game.people for each in games] == [("bob",), ("ada", "bob")]


def is_game(item: Item) -> TypeGuard[KeptGame]:
    return isinstance(item, KeptGame)


# Sources in use


async def test_a_copy_of_an_etcd_in_use_is_of_one_moment() -> None:
    """Entries and rooms that servers add and delete meanwhile make no difference."""
    address = new_address()
    async with etcd_storage(address, ManualClock()) as storage:
        create(storage.room_log, "attic", "cellar")
        attic = LogRecorder(storage.room_log, "attic")
        await attic.save(FIRST)
        await LogRecorder(storage.room_log, "cellar").save(FIRST)
        async with aclosing(etcd.read_contents(address)) as contents:
            assert isinstance(await anext(contents), Identity)
            await attic.save(SECOND)
            await storage.room_log.delete("cellar")
            rooms = [item async for item in contents if isinstance(item, StoredRoom)]
    assert [(room.record.log, room.log.entries) for room in rooms] == [
        ("attic", (FIRST,)),
        ("cellar", (FIRST,)),
    ]


async def test_a_source_that_is_compacted_meanwhile_is_one_sentence() -> None:
    address, target = new_address(), new_address()
    await etcd.write_contents(address, given_out(some_contents(1)))

    async def compacted() -> AsyncGenerator[Item, None]:
        async for item in etcd.read_contents(address):
            yield item
            if isinstance(item, Identity):
                await put(address, "elsewhere", b"")  # so there is a newer revision
                status = json.loads(
                    await ctl(address.endpoints[0], "endpoint", "status", "-w", "json")
                )
                revision = status[0]["Status"]["header"]["revision"]
                await ctl(address.endpoints[0], "compaction", str(revision))

    with pytest.raises(StorageError, match="try again, or have it keep more"):
        await etcd.write_contents(target, compacted())
    assert await keys(target) == []


# Targets


async def test_into_what_isnt_empty_nothing_is_copied() -> None:
    address = new_address()
    async with etcd_storage(address, ManualClock()):
        pass
    before = await keys(address)
    with pytest.raises(StorageError, match="there is something in etcd under"):
        await etcd.write_contents(address, given_out(some_contents(1)))
    assert await keys(address) == before


async def test_a_copy_that_fails_leaves_nothing() -> None:
    address = new_address()

    async def failing() -> AsyncGenerator[Item, None]:
        for item in some_contents(1):
            yield item
        for number in range(MOST_OPERATIONS):  # at least one transaction is done
            yield NameRecord(f"{number}", f"{number}", b"", 0)
        assert len(await keys(address)) > 1
        raise Damaged("a room is damaged")

    with pytest.raises(Damaged):
        await etcd.write_contents(address, failing())
    assert await keys(address) == []


KILLED = """
import asyncio, sys
from tests.server.storage.contents import some_contents
from boxroom_server.storage.etcd import contents as etcd
from boxroom_server.storage.etcd.address import parse_address

async def endless():
    for item in some_contents(1):
        yield item
    print("begun", flush=True)
    await asyncio.Event().wait()

asyncio.run(etcd.write_contents(parse_address(sys.argv[1]), endless()))
"""


async def test_the_copy_of_a_killed_process_is_refused_until_it_is_deleted() -> None:
    address = new_address()
    url = url_of(address)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", KILLED, url), stdout=subprocess.PIPE, cwd=Path(__file__).parents[3]
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"begun\n"
    await check_refused(address)  # while it is being made, too
    process.kill()
    await process.wait()
    await check_refused(address)
    await ctl(address.endpoints[0], "del", "--prefix", f"{address.prefix}/")
    await etcd.write_contents(address, given_out(some_contents(1)))


async def check_refused(address: EtcdAddress) -> None:
    """Check that neither a server nor a copy takes what is at `address` for a whole store."""
    refused = partial(pytest.raises, StorageError, match=f"etcdctl del --prefix {address.prefix}/")
    before = await keys(address)
    with refused():
        async with etcd_storage(address, ManualClock()):
            pass
    with refused():
        await etcd.write_contents(address, given_out(some_contents(2)))
    with refused():
        await all_of(etcd.read_contents(address))
    assert await keys(address) == before


async def test_a_copy_whose_beginning_was_deleted_writes_nothing_beside_a_server() -> None:
    address = new_address()

    async def interrupted() -> AsyncGenerator[Item, None]:
        for item in some_contents(1):
            yield item
        await ctl(address.endpoints[0], "del", "--prefix", f"{address.prefix}/")
        async with etcd_storage(address, ManualClock()) as storage:
            ids.append(storage.server_id)

    ids: list[str] = []
    with pytest.raises(StorageError, match="was deleted meanwhile"):
        await etcd.write_contents(address, interrupted())
    identity, *rest = await all_of(etcd.read_contents(address))
    assert isinstance(identity, Identity)
    assert ([identity.server_id], rest) == (ids, [])


async def test_what_is_proposed_again_after_a_lost_answer_is_done_once() -> None:
    address = new_address()
    client = EtcdClient(address)
    copy = etcd._Copy(client, Layout(address.prefix))
    await copy.add(Identity("1" * 32, 7))
    for step in (copy.begin, copy.finish):
        await step()
        await step()
    await client.close()
    assert await all_of(etcd.read_contents(address)) == [Identity("1" * 32, 7)]


async def test_what_no_server_has_written_is_no_source() -> None:
    with pytest.raises(StorageError, match="no server has saved anything in etcd"):
        await all_of(etcd.read_contents(new_address()))


# Damage


def a_room() -> StoredRoom:
    record = RoomRecord("1234", "attic", "Ada", "token", None, 0)
    return StoredRoom(record, StoredLog(None, (FIRST, SECOND)))


@each(
    "key, value, sentence",
    [
        ("entry/1234/000000000001", None, "room attic is damaged: .* lacks the events from 1 on"),
        ("entry/1234/000000000003", None, "room attic is damaged: .* lacks the events from 3 on"),
        ("entry/1234/000000000003", b"copy {", "room attic is damaged: "),
        ("checkpoint/1234", b"{}", "room attic is damaged: "),
        ("room/1234", b"{}", "the value of room/1234 in etcd is damaged: "),
        ("name/ada", b"", "the value of name/ada in etcd is damaged: "),
        ("ban/name/bob", b"[]", "the value of ban/name/bob in etcd is damaged: "),
        ("game/000000000000000001", b"1", "the value of game/000000000000000001 in etcd is"),
    ],
)
async def test_damage_in_etcd_is_named(key: str, value: bytes | None, sentence: str) -> None:
    address = new_address()
    await etcd.write_contents(address, given_out([Identity("1" * 32, 0), a_room()]))
    if value is None:
        await ctl(address.endpoints[0], "del", f"{address.prefix}/{key}")
    else:
        await put(address, key, value)
    with pytest.raises(Damaged, match=sentence):
        await all_of(etcd.read_contents(address))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            "UPDATE entries SET lines = CAST(lines || '{' AS BLOB)",
            "room attic is damaged: .*checksum",
        ),
        ("DELETE FROM entries WHERE seq = 1", "room attic is damaged: .*events from 1 on"),
        (
            "UPDATE games SET room = 'x'",
            "the database is damaged: game 1 can't be read: .*checksum",
        ),
        ("UPDATE names SET digest = 'x'", "the checksum of the name ada is wrong"),
    ],
)
async def test_damage_in_sqlite_is_named(change: str, sentence: str, tmp_path: Path) -> None:
    database = tmp_path / "boxroom.db"
    contents: list[Item] = [Identity("1" * 32, 0), a_room(), NameRecord("ada", "Ada", b"", 0)]
    contents.append(KeptGame(finished(1), 0))
    await sqlite.write_contents(database, given_out(contents))
    with closing(sqlite3.connect(database)) as connection, connection:
        if change.startswith("DELETE"):
            insert_entries(connection, 1, [encode_entry(SECOND)])
        connection.execute(change)
    with pytest.raises((Damaged, UnusableData), match=sentence):
        await all_of(sqlite.read_contents(database))


# etcd from outside


async def keys(address: EtcdAddress) -> list[str]:
    """Return all keys of Boxroom."""
    found = await ctl(address.endpoints[0], "get", "--prefix", "--keys-only", f"{address.prefix}/")
    return found.split()


async def put(address: EtcdAddress, key: str, value: bytes) -> None:
    await ctl(address.endpoints[0], "put", "--", f"{address.prefix}/{key}", value.decode())
