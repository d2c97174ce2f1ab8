"""All contents of an etcd, read as of one revision or written into an empty one.

A copy into etcd needs many transactions. `meta/copy` exists from the first to the last of them, so
that no server starts on a part of it. Each transaction compares that with the token of the copy, so
that nothing is written beside what others have written.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar, assert_never

import msgspec
from aetcd import rpc

from boxroom_engine.room.text import fold
from boxroom_server.storage.contents import (
    Contents,
    Identity,
    KeptGame,
    StoredRoom,
    encode_entry,
)
from boxroom_server.storage.etcd.address import EtcdAddress
from boxroom_server.storage.etcd.client import (
    EtcdClient,
    EtcdError,
    connected,
    until_answered,
)
from boxroom_server.storage.etcd.feed import read_pages
from boxroom_server.storage.etcd.identity import START_S, incomplete, read_identity, value_of
from boxroom_server.storage.etcd.layout import (
    GAME_DIGITS,
    VERSION,
    Layout,
    after,
    delete,
    delete_range,
    get,
    has_value,
    is_empty,
    put,
    range_of,
)
from boxroom_server.storage.etcd.ledger import IDS_IN_A_MS, saving_game
from boxroom_server.storage.etcd.room_log import read_log
from boxroom_server.storage.etcd.writer import MOST_BYTES, MOST_OPERATIONS
from boxroom_server.storage.ledger import BanRecord, FinishedGame, NameRecord
from boxroom_server.storage.room_log import Damaged, RoomRecord
from boxroom_server.storage.storage import StorageError

READ_S = 10.0
"""How long a page is tried to be read."""

WRITE_S = 30.0
"""How long a transaction is tried: etcd may have to choose a leader."""

PEOPLE_AT_ONCE = 32
"""People whose games are looked up at once."""

_TOKEN = b"copy"
"""Token of each entry that was copied: that of no server's."""

_T = TypeVar("_T")


# Reading


async def read_contents(address: EtcdAddress) -> Contents:
    """Yield the contents of the etcd at `address`, as of the first read; servers may go on.

    Raises:
        Damaged: a part of it can't be read; the sentence says which.
        StorageError: etcd doesn't answer, or its data can't be used.
    """
    async with connected(address) as client:
        layout = Layout(address.prefix)
        identity, revision = await read_identity(client, layout)
        yield identity
        reading = _Reading(client, layout, revision)
        async for room in reading.rooms():
            yield room
        async for _, name in reading.values("name", NameRecord):
            yield name
        async for _, ban in reading.values("ban", BanRecord):
            yield ban
        async for game in reading.games():
            yield game


class _Reading:
    """A read of everything as of one revision."""

    def __init__(self, client: EtcdClient, layout: Layout, revision: int) -> None:
        self._client = client
        self._layout = layout
        self._revision = revision

    async def values(self, folder: str, kind: type[_T]) -> AsyncIterator[tuple[str, _T]]:
        """Yield all values in `folder`, with the rest of their keys."""
        async for page in self._pages(folder):
            for key, value in page.items():
                yield key, _decoded(f"{folder}/{key}", value, kind)

    async def _pages(self, name: str) -> AsyncIterator[dict[str, bytes]]:
        """Yield the values in the folder with that name in pages, by the rest of their keys."""
        folder = self._layout.folder(name)
        pages = read_pages(self._client, folder, revision=self._revision, most_s=READ_S)
        async for page in pages:
            yield {pair.key[len(folder) :].decode(): pair.value for pair in page.kvs}

    async def rooms(self) -> AsyncIterator[StoredRoom]:
        """Yield all rooms, the oldest first; only their records are in memory at once."""
        records = [record async for _, record in self.values("room", RoomRecord)]
        for record in sorted(records, key=lambda record: (record.made_ms, record.log)):
            yield await self._room(record)

    async def _room(self, record: RoomRecord) -> StoredRoom:
        try:
            log = await read_log(self._client, self._layout, record.log, revision=self._revision)
        except Damaged as error:
            raise Damaged(f"room {record.code} is damaged: {error}") from error
        return StoredRoom(record, log)

    async def games(self) -> AsyncIterator[KeptGame]:
        """Yield all games, the oldest first, each with the people who are shown it still."""
        async for page in self._pages("game"):
            games = {
                int(key): _decoded(f"game/{key}", value, FinishedGame)
                for key, value in page.items()
            }
            shown = await self._shown(games)
            for id, game in games.items():
                people = tuple(key for key in game.people if (key, id) in shown)
                yield KeptGame(msgspec.structs.replace(game, people=people), id // IDS_IN_A_MS)

    async def _shown(self, games: dict[int, FinishedGame]) -> set[tuple[str, int]]:
        """Return who is shown which of `games`: a name that got another owner isn't."""
        keys = sorted({key for game in games.values() for key in game.people})
        shown: set[tuple[str, int]] = set()
        for begin in range(0, len(keys), PEOPLE_AT_ONCE):
            some = keys[begin : begin + PEOPLE_AT_ONCE]
            found = await asyncio.gather(*(self._ids(key, min(games), max(games)) for key in some))
            shown.update((key, id) for key, ids in zip(some, found, strict=True) for id in ids)
        return shown

    async def _ids(self, key: str, first: int, last: int) -> list[int]:
        """Return the ids of games from `first` to `last` that a folded name is shown."""
        begin, end = self._layout.game_by(key, first), self._layout.game_by(key, last + 1)
        request = range_of(begin, end, revision=self._revision)
        found = await until_answered(partial(self._client.range, request), READ_S)
        return [int(pair.key[-GAME_DIGITS:]) for pair in found.kvs]


def _decoded(key: str, value: bytes, kind: type[_T]) -> _T:
    try:
        return msgspec.json.decode(value, type=kind)
    except msgspec.MsgspecError as error:
        raise Damaged(f"the value of {key} in etcd is damaged: {error}") from error


# Writing


async def write_contents(address: EtcdAddress, contents: Contents) -> None:
    """Write `contents` into the etcd at `address`: all of them, or else nothing stays there.

    Only if this process is killed, or etcd fails, a part stays, which no server uses.

    Raises:
        StorageError: etcd doesn't answer, or isn't empty.
    """
    async with connected(address) as client:
        copy = _Copy(client, Layout(address.prefix))
        await copy.begin()
        try:
            async for item in contents:
                await copy.add(item)
            await copy.finish()
        except BaseException:
            with suppress(EtcdError, StorageError):
                await copy.undo()
            raise


class _Copy:
    """A copy into etcd."""

    def __init__(self, client: EtcdClient, layout: Layout) -> None:
        self._client = client
        self._layout = layout
        self._place = layout.key("meta", "copy")
        self._token = secrets.token_hex(8).encode()  # which no other copy has
        self._identity: Identity | None = None  # written last
        self._last_id = -1  # of a game
        self._waiting: list[Any] = []  # operations of the next transaction
        self._waiting_bytes = 0  # their size

    async def begin(self) -> None:
        """Begin the copy, if there is nothing in etcd.

        Raises:
            StorageError: there is something.
        """
        request = rpc.TxnRequest(
            compare=[is_empty(self._layout.all)],
            success=[put(self._place, self._token)],
            failure=[get(self._place)],
        )
        answer = await self._transact(request, START_S)
        found = b"" if answer.succeeded else value_of(answer.responses[0])
        if found and found != self._token:
            raise StorageError(incomplete(self._layout))
        if not answer.succeeded and not found:
            raise StorageError(
                f"there is something in etcd under {self._layout.prefix}/ already: name another"
                " prefix, as in etcd://HOST:PORT/PREFIX"
            )

    async def add(self, item: Identity | StoredRoom | NameRecord | BanRecord | KeptGame) -> None:
        """Write a piece of the contents, now or later."""
        if isinstance(item, Identity):
            self._identity = item
        else:
            for operation in self._operations(item):
                await self._add(operation)

    async def _add(self, operation: Any) -> None:
        size_bytes = operation.ByteSize()
        is_full = self._waiting_bytes + size_bytes > MOST_BYTES
        if is_full or len(self._waiting) == MOST_OPERATIONS:
            await self._write()
        self._waiting.append(operation)
        self._waiting_bytes += size_bytes

    async def _write(self) -> None:
        """Write what waits.

        Raises:
            StorageError: this copy was deleted meanwhile.
        """
        request = rpc.TxnRequest(compare=[self._is_mine()], success=self._waiting)
        if not (await self._transact(request)).succeeded:
            raise self._deleted()
        self._waiting, self._waiting_bytes = [], 0

    async def finish(self) -> None:
        """Write what is left, and then what makes a server's data of it."""
        if self._waiting:
            await self._write()
        assert self._identity is not None
        id_key, server_id = self._layout.key("meta", "id"), self._identity.server_id.encode()
        request = rpc.TxnRequest(
            compare=[self._is_mine()],
            success=[
                put(self._layout.key("meta", "version"), VERSION),
                put(id_key, server_id),
                put(self._layout.key("meta", "alive"), b"%d" % self._identity.alive_ms),
                delete(self._place),
            ],
            failure=[get(id_key)],
        )
        answer = await self._transact(request)
        # If the answer to an earlier attempt was lost, the copy is complete.
        if not answer.succeeded and value_of(answer.responses[0]) != server_id:
            raise self._deleted()

    async def undo(self) -> None:
        """Delete all that was written."""
        everything = delete_range(self._layout.all, after(self._layout.all))
        request = rpc.TxnRequest(compare=[self._is_mine()], success=[everything])
        await self._transact(request, START_S)

    def _is_mine(self) -> Any:
        return has_value(self._place, self._token)

    async def _transact(self, request: Any, most_s: float = WRITE_S) -> Any:
        return await until_answered(partial(self._client.txn, request), most_s)

    def _deleted(self) -> StorageError:
        return StorageError(f"the copy in etcd under {self._layout.prefix}/ was deleted meanwhile")

    # Operations

    def _operations(self, item: StoredRoom | NameRecord | BanRecord | KeptGame) -> Sequence[Any]:
        """Return the operations that write a piece of the contents."""
        match item:
            case StoredRoom():
                return self._operations_of_room(item)
            case NameRecord():
                return [put(self._layout.key("name", item.key), msgspec.json.encode(item))]
            case BanRecord():
                place = self._layout.key("ban", item.kind, item.who)
                return [put(place, msgspec.json.encode(item))]
            case KeptGame():
                # Of games of the same millisecond, each has an id of its own.
                self._last_id = max(self._last_id + 1, item.kept_since_ms * IDS_IN_A_MS)
                return saving_game(self._layout, self._last_id, item.game)
            case _:
                assert_never(item)

    def _operations_of_room(self, room: StoredRoom) -> list[Any]:
        layout, log, record = self._layout, room.record.log, room.record
        operations = [
            put(layout.key("room", log), msgspec.json.encode(record)),
            put(layout.key("code", fold(record.code)), log.encode()),
            put(layout.key("tail", log), b"%d" % room.log.next_seq),
        ]
        if room.log.checkpoint is not None:
            value = msgspec.json.encode(room.log.checkpoint)
            operations.append(put(layout.key("checkpoint", log), value))
        for entry in room.log.entries:
            value = b"%b %b" % (_TOKEN, encode_entry(entry))
            operations.append(put(layout.entry(log, entry.seq), value))
        return operations
