"""Contents of stores: drawn at random, copied from store to store, and compared."""

import random
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from tests.server.manual_clock import NOON_MS
from tests.server.storage.sqlite.data_folders import finished

from boxroom_engine.room.accepted import AcceptedCommands, checkpoint
from boxroom_engine.room.events import Created, Entry, Joined, Left, Said
from boxroom_engine.room.evolve import evolve_entry
from boxroom_engine.room.room import Room, Settings
from boxroom_server.storage.contents import Contents, Identity, Item, KeptGame, StoredRoom
from boxroom_server.storage.etcd import contents as etcd
from boxroom_server.storage.etcd.address import EtcdAddress
from boxroom_server.storage.ledger import BanKind, BanRecord, NameRecord
from boxroom_server.storage.room_log import RoomRecord, StoredLog
from boxroom_server.storage.sqlite import contents as sqlite

TEXTS = ("hello", 'a "quote" \\', "ein Gruß 😀", "a\u2009b")


async def given_out(items: Iterable[Item]) -> AsyncGenerator[Item, None]:
    """Yield `items`."""
    for item in items:
        yield item


async def all_of(contents: Contents) -> list[Item]:
    """Return `contents`, in an order that doesn't depend on the store."""
    async with aclosing(contents):
        return sorted([item async for item in contents], key=_order)


def _order(item: Item) -> tuple[str, Any]:
    if isinstance(item, KeptGame):
        return "KeptGame", (item.kept_since_ms, item.game.log, item.game.number)
    return type(item).__name__, msgspec.json.encode(item)


async def through_sqlite(contents: Contents) -> list[Item]:
    """Write `contents` into a new database, and return what it holds."""
    with TemporaryDirectory() as folder:
        database = Path(folder, "boxroom.db")
        await sqlite.write_contents(database, contents)
        return await all_of(sqlite.read_contents(database))


async def through_etcd(contents: Contents, address: EtcdAddress) -> list[Item]:
    """Write `contents` into an empty etcd, and return what it holds."""
    await etcd.write_contents(address, contents)
    return await all_of(etcd.read_contents(address))


# Contents drawn at random


def some_contents(seed: int) -> list[Item]:
    """Return all that a server may have saved."""
    rng = random.Random(seed)
    items: list[Item] = [Identity(f"{rng.getrandbits(128):032x}", NOON_MS + rng.randrange(1000))]
    items += (some_room(rng, number) for number in range(rng.randrange(5)))
    items += (_some_name(rng, number) for number in range(rng.randrange(5)))
    items += (
        BanRecord(kind, f"{who}{number}", NOON_MS, rng.choice(TEXTS))
        for number in range(rng.randrange(3))
        for kind, who in ((BanKind.NAME, "bob"), (BanKind.ADDRESS, "192.0.2.0/2"))
    )
    games = [_some_game(rng, number) for number in range(rng.randrange(8))]
    return items + sorted(games, key=lambda kept: kept.kept_since_ms)


def _some_name(rng: random.Random, number: int) -> NameRecord:
    digest = rng.choice([b"", rng.randbytes(32)])
    return NameRecord(f"ada/{number}", f"Ada/{number}", digest, NOON_MS + number)


def _some_game(rng: random.Random, number: int) -> KeptGame:
    game = finished(number, days=rng.choice([0, 0, 1]), log=f"log {rng.randrange(2)}")
    kept_since_ms = game.ended_ms + rng.choice([0, 0, 5000])
    if rng.random() < 0.2:  # it was deleted, and its room lives on
        empty = {"room": "", "scores": (), "winners": (), "record": ""}
        return KeptGame(msgspec.structs.replace(game, **empty), kept_since_ms)
    people = tuple(sorted(rng.sample(["ada", "bob", "cy/d"], rng.randrange(4))))
    return KeptGame(msgspec.structs.replace(game, people=people), kept_since_ms)


def some_room(rng: random.Random, number: int, *, most: int = 300) -> StoredRoom:
    """Return a room with up to `most` entries, and perhaps a checkpoint in between."""
    log = f"{rng.getrandbits(64):016x}"
    password_hash = rng.choice([None, "a hash"])
    record = RoomRecord(log, f"Attic {number}", "Ada", "token", password_hash, NOON_MS + number)
    entries = some_entries(rng, log, rng.randrange(1, most))
    split = rng.choice([0, rng.randrange(len(entries)), len(entries)])
    room, accepted = Room(record.code), AcceptedCommands()
    for entry in entries[:split]:
        room = evolve_entry(room, entry)
        accepted.add(entry, room)
    newest = checkpoint(room, accepted) if split else None
    return StoredRoom(record, StoredLog(newest, tuple(entries[split:])))


def some_entries(rng: random.Random, log: str, count: int) -> list[Entry]:
    """Return the first entry of a room and `count` more, of one or two events each."""
    entries = [Entry(1, NOON_MS, (Created("attic", log, "Ada", Settings()), Joined("Ada")))]
    for number in range(count):
        seq = entries[-1].last_seq + 1
        said = Said("Ada", rng.choice(TEXTS), NOON_MS)
        by_member = ("Ada", number + 1) if rng.random() < 0.8 else (None, 0)
        events = (Joined("Bob"), Left("Bob")) if rng.random() < 0.2 else (said,)
        entries.append(Entry(seq, NOON_MS + number, events, *by_member))
    return entries
