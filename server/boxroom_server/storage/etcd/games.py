"""Reading and deleting the finished games in an etcd, whether servers run or not."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from boxroom_server.storage.etcd.address import EtcdAddress
from boxroom_server.storage.etcd.client import EtcdClient, connected, until_answered
from boxroom_server.storage.etcd.feed import PAGE, read_pages
from boxroom_server.storage.etcd.identity import read_identity
from boxroom_server.storage.etcd.layout import GAME_DIGITS, Layout, decode, range_of
from boxroom_server.storage.etcd.ledger import deleting_game, stored_game
from boxroom_server.storage.ledger import FinishedGame, StoredGame

READ_S = 10.0
"""How long a page is tried to be read."""

WRITE_S = 30.0
"""How long a deletion is tried: etcd may have to choose a leader."""


@asynccontextmanager
async def opened_games(address: EtcdAddress) -> AsyncIterator["EtcdGames"]:
    """Connect to the etcd at `address` while the context lasts.

    Raises:
        StorageError: it doesn't answer, or its data can't be used.
    """
    async with connected(address) as client:
        layout = Layout(address.prefix)
        await read_identity(client, layout)
        yield EtcdGames(client, layout)


class EtcdGames:
    """A `boxroom_server.storage.ledger.StoredGames` in etcd.

    Ids are in the order in which games ended, but for those that were copied from a server whose
    time of day was wrong.
    """

    def __init__(self, client: EtcdClient, layout: Layout) -> None:
        self._client = client
        self._layout = layout
        self._folder = layout.folder("game")

    async def newest(self, limit: int | None = None) -> AsyncGenerator[StoredGame, None]:
        # etcd would sort all games for each page from the end, so their keys are read first.
        keys, revision = list[bytes](), 0
        pages = read_pages(self._client, self._folder, keys_only=True, most_s=READ_S)
        async for page in pages:
            revision = revision or page.header.revision
            keys += [pair.key for pair in page.kvs]
        keys = keys if limit is None else keys[-limit:]
        for end in range(len(keys), 0, -PAGE):
            some = keys[max(0, end - PAGE) : end]
            request = range_of(some[0], some[-1] + b"\0", revision=revision)
            page = await until_answered(partial(self._client.range, request), READ_S)
            for pair in reversed(page.kvs):
                yield stored_game(_id(pair.key), pair.value)

    async def oldest(self) -> AsyncGenerator[StoredGame, None]:
        async for pair in self._pairs():
            yield stored_game(_id(pair.key), pair.value)

    async def _pairs(self) -> AsyncGenerator[Any, None]:
        async for page in read_pages(self._client, self._folder, most_s=READ_S):
            for pair in page.kvs:
                yield pair

    async def find(self, id: int) -> StoredGame | None:
        value = await self._value(id)
        return None if value is None else stored_game(id, value)

    async def _value(self, id: int) -> bytes | None:
        key = self._layout.game(id)
        request = range_of(key, key + b"\0")
        found = await until_answered(partial(self._client.range, request), READ_S)
        return found.kvs[0].value if found.kvs else None

    async def delete(self, ids: Sequence[int]) -> int:
        deleted = 0
        for id in ids:
            value = await self._value(id)
            if value is not None:
                await self._delete(id, value)
                deleted += 1
        return deleted

    async def delete_before(self, at_ms: int) -> int:
        deleted = 0
        async for pair in self._pairs():
            id = _id(pair.key)
            if decode(pair.value, FinishedGame, f"game/{id}").ended_ms < at_ms:
                await self._delete(id, pair.value)
                deleted += 1
        return deleted

    async def _delete(self, id: int, value: bytes) -> None:
        request = deleting_game(self._layout, id, decode(value, FinishedGame, f"game/{id}"))
        await until_answered(partial(self._client.txn, request), WRITE_S)


def _id(key: bytes) -> int:
    return int(key[-GAME_DIGITS:])
