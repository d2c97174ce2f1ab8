"""Places where servers save, which outlive each of them: a folder, or a part of an etcd."""

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from aetcd import rpc
from tests.cluster.shared import new_address
from tests.server.manual_clock import ManualClock
from tests.server.storage.sqlite.writing import fail
from tests.server.talk import Lobby, lobby

from boxroom_server.clock import Clock
from boxroom_server.storage.etcd.address import EtcdAddress
from boxroom_server.storage.etcd.client import EtcdClient
from boxroom_server.storage.etcd.feed import read_pages
from boxroom_server.storage.etcd.layout import Layout, after, delete_range, put
from boxroom_server.storage.etcd.storage import etcd_storage
from boxroom_server.storage.sqlite.folder import DataFolder
from boxroom_server.storage.sqlite.storage import sqlite_storage
from boxroom_server.storage.storage import Storage

ANSWER_S = 10.0
"""Longest wait for an answer of etcd."""


@dataclass(frozen=True)
class SqliteStore:
    """A data folder."""

    folder: DataFolder

    def opened(self, clock: Clock) -> AbstractAsyncContextManager[Storage]:
        """Open it, as a server does."""
        return sqlite_storage(self.folder, clock)

    async def copy(self) -> "SqliteStore":
        """Return a copy, as a server that crashes now would leave it."""
        path = self.folder.path.with_name(f"{self.folder.path.name} crashed")
        shutil.copytree(self.folder.path, path, ignore=shutil.ignore_patterns("*-shm", "lock"))
        return SqliteStore(DataFolder(path))

    async def delete_games(self) -> None:
        """Delete all finished games."""
        fail(self.folder.database, "DELETE FROM games")

    async def damage_entries(self, log: str) -> None:
        """Make the entries of `log` unreadable."""
        room = f"(SELECT id FROM rooms WHERE log = '{log}')"
        fail(self.folder.database, f"UPDATE entries SET lines = '{{' WHERE room = {room}")


@dataclass(frozen=True)
class EtcdStore:
    """The part of an etcd below one prefix."""

    address: EtcdAddress

    def opened(self, clock: Clock) -> AbstractAsyncContextManager[Storage]:
        """Open it, as a server does."""
        return etcd_storage(self.address, clock)

    async def copy(self) -> "EtcdStore":
        """Return a copy, as servers that crash now would leave it once their leases run out."""
        other = EtcdStore(new_address())
        pairs = [pair for pair in await self.read() if not pair.lease]
        prefix, new_prefix = (Layout(it.address.prefix).all for it in (self, other))
        await self.write(*(put(new_prefix + it.key[len(prefix) :], it.value) for it in pairs))
        return other

    async def delete_games(self) -> None:
        """Delete all finished games."""
        layout = Layout(self.address.prefix)
        folders = map(layout.folder, ("game", "game-of", "game-by"))
        await self.write(*(delete_range(folder, after(folder)) for folder in folders))

    async def damage_entries(self, log: str) -> None:
        """Make the entries of `log` unreadable."""
        pairs = await self.read("entry", log)
        await self.write(*(put(pair.key, b"token {") for pair in pairs))

    async def read(self, *parts: str) -> list[Any]:
        """Return all keys, or those in a folder, with their values and leases."""
        layout = Layout(self.address.prefix)
        client, folder = EtcdClient(self.address), layout.folder(*parts) if parts else layout.all
        try:
            return [pair async for page in read_pages(client, folder) for pair in page.kvs]
        finally:
            await client.close()

    async def write(self, *operations: Any) -> None:
        """Perform `operations`, one by one."""
        client = EtcdClient(self.address)
        try:
            for operation in operations:
                await client.txn(rpc.TxnRequest(success=[operation]), ANSWER_S)
        finally:
            await client.close()


Store = SqliteStore | EtcdStore


Ended = Callable[[Lobby, Store], Awaitable[Store]]
"""Ends a server; returns where the next one finds what it has saved."""


async def stopped(place: Lobby, store: Store) -> Store:
    await place.server.stop()
    return store


async def crashed(place: Lobby, store: Store) -> Store:
    return await store.copy()


def url_of(address: EtcdAddress) -> str:
    """Return the value of --store for `address`."""
    return f"etcd://{address.endpoints[0]}/{address.prefix}"


@asynccontextmanager
async def lobby_on(store: Store, clock: ManualClock, **options: Any) -> AsyncIterator[Lobby]:
    """Run a server that saves its rooms in `store`."""
    async with (
        store.opened(clock) as storage,
        lobby(storage=storage, clock=clock, **options) as place,
    ):
        yield place
