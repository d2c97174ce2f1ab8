"""The ledger in etcd: names, finished games and bans of all servers of a cluster."""

import asyncio
import zlib
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any, TypeVar

import msgspec
from aetcd import rpc

from boxroom_server.storage.etcd.client import EtcdClient, EtcdError, until_answered
from boxroom_server.storage.etcd.feed import Table
from boxroom_server.storage.etcd.layout import (
    GAME_DIGITS,
    Layout,
    after,
    delete,
    delete_range,
    get,
    has_value,
    is_absent,
    put,
    range_of,
)
from boxroom_server.storage.etcd.writer import EtcdWriter, Proposal
from boxroom_server.storage.ledger import (
    BanKind,
    BanRecord,
    FinishedGame,
    NameRecord,
    StoredGame,
)
from boxroom_server.storage.room_log import CannotSave
from boxroom_server.tasks import Tasks

READ_S = 5.0
"""How long games are tried to be read."""

_MOST_ID: int = 10**GAME_DIGITS - 1

GAMES_AT_ONCE = 50
"""Old games deleted at once."""

_IDS_IN_A_MS = 1_000
"""Ids of games that ended in one millisecond."""

_T = TypeVar("_T")


class EtcdLedger:
    """A `boxroom_server.storage.ledger.Ledger` in etcd."""

    def __init__(
        self, client: EtcdClient, layout: Layout, writer: EtcdWriter, names: Table, bans: Table
    ) -> None:
        self.name_changed: list[Callable[[str, NameRecord | None], None]] = []
        """See `Ledger.name_changed`."""
        self.ban_changed: list[Callable[[BanKind, str, BanRecord | None], None]] = []
        """See `Ledger.ban_changed`."""
        self._client = client
        self._layout = layout
        self._writer = writer
        self._names = names
        self._bans = bans
        self._loop = asyncio.get_running_loop()
        self._tasks = Tasks()  # deletions of old games
        names.listeners.append(self._report_name)
        bans.listeners.append(self._report_ban)

    async def stop(self) -> None:
        """End all tasks."""
        await self._tasks.cancel()

    # Names

    def names(self) -> Sequence[NameRecord]:
        """See `Ledger.names`."""
        names = (
            msgspec.json.decode(value, type=NameRecord) for value in self._names.values.values()
        )
        return sorted(names, key=lambda name: name.used_ms)

    def save_name(self, name: NameRecord) -> None:
        """See `Ledger.save_name`; it has no effect if another server has changed the name."""
        self._replace("name", name.key, self._names, msgspec.json.encode(name))

    def delete_name(self, key: str) -> None:
        """See `Ledger.delete_name`; it has no effect if another server has changed the name."""
        self._replace("name", key, self._names, None)

    def _report_name(self, key: str, value: bytes | None) -> None:
        name = None if value is None else msgspec.json.decode(value, type=NameRecord)
        for listener in self.name_changed:
            listener(key, name)

    def _replace(self, folder: str, key: str, table: Table, value: bytes | None) -> None:
        """Replace or delete a value of `table`, if it is still the one that is known here."""
        place = self._layout.key(folder, key)
        request = rpc.TxnRequest(
            compare=[self._as_known(folder, key, table)],
            success=[delete(place) if value is None else put(place, value)],
        )
        self._writer.add(Proposal(f"{folder} {key}", request))

    def _as_known(self, folder: str, key: str, table: Table) -> Any:
        """Return the comparison that holds if no other server has changed that value."""
        place, known = self._layout.key(folder, key), table.values.get(key)
        return is_absent(place) if known is None else has_value(place, known)

    # Bans

    def bans(self) -> Sequence[BanRecord]:
        """See `Ledger.bans`."""
        return [msgspec.json.decode(value, type=BanRecord) for value in self._bans.values.values()]

    def save_ban(self, ban: BanRecord) -> None:
        """See `Ledger.save_ban`."""
        key = self._layout.key("ban", ban.kind, ban.who)
        request = rpc.TxnRequest(success=[put(key, msgspec.json.encode(ban))])
        self._writer.add(Proposal(f"ban {ban.who}", request))

    def delete_ban(self, kind: BanKind, who: str) -> None:
        """See `Ledger.delete_ban`."""
        request = rpc.TxnRequest(success=[delete(self._layout.key("ban", kind, who))])
        self._writer.add(Proposal(f"ban {who}", request))

    def _report_ban(self, key: str, value: bytes | None) -> None:
        kind, _, who = key.partition("/")
        ban = None if value is None else msgspec.json.decode(value, type=BanRecord)
        for listener in self.ban_changed:
            listener(BanKind(kind), who, ban)

    # Finished games

    def save_game(self, game: FinishedGame) -> None:
        """See `Ledger.save_game`."""
        number = zlib.crc32(f"{game.log} {game.number}".encode()) % _IDS_IN_A_MS
        id = game.ended_ms * _IDS_IN_A_MS + number
        place = self._layout.key("game-of", game.log, game.number)
        request = rpc.TxnRequest(
            compare=[is_absent(place)],
            success=[
                put(place, b"%d" % id),
                put(self._layout.game(id), msgspec.json.encode(game)),
                *(put(self._game_by(key, id), b"") for key in game.people),
            ],
        )
        self._writer.add(Proposal(f"game {game.log} {game.number}", request))

    def _game_by(self, key: str, id: int) -> bytes:
        return self._layout.key("game-by", key, f"{id:0{GAME_DIGITS}}")

    def newest_games_of(self, key: str, before: int, count: int) -> Sequence[StoredGame]:
        """See `Ledger.newest_games_of`; called in a thread."""
        return self._in_thread(self._newest_games_of(key, before, count))

    def game_of(self, key: str, id: int) -> StoredGame | None:
        """See `Ledger.game_of`; called in a thread."""
        games = self._in_thread(self._newest_games_of(key, id + 1, 1))
        return games[0] if games and games[0].id == id else None

    def _in_thread(self, reading: Coroutine[Any, Any, _T]) -> _T:
        try:
            return asyncio.run_coroutine_threadsafe(reading, self._loop).result()
        except EtcdError as error:
            raise CannotSave(str(error)) from error

    async def _newest_games_of(self, key: str, before: int, count: int) -> Sequence[StoredGame]:
        begin, end = self._layout.folder("game-by", key), self._game_by(key, _bounded(before))
        request = range_of(begin, end, limit=count)
        request.sort_order, request.sort_target = request.DESCEND, request.KEY
        found = await until_answered(partial(self._client.range, request), READ_S)
        ids = [int(pair.key[-GAME_DIGITS:]) for pair in found.kvs]
        games = rpc.TxnRequest(success=[get(self._layout.game(id)) for id in ids])
        answer = await until_answered(partial(self._client.txn, games), READ_S)
        return [
            _stored(id, response.response_range.kvs[0].value)
            for id, response in zip(ids, answer.responses, strict=True)
            if response.response_range.kvs
        ]

    def forget_games_of(self, key: str) -> None:
        """See `Ledger.forget_games_of`."""
        folder = self._layout.folder("game-by", key)
        request = rpc.TxnRequest(success=[delete_range(folder, after(folder))])
        self._writer.add(Proposal(f"games of {key}", request))

    def delete_old_games(self, before_ms: int) -> None:
        """See `Ledger.delete_old_games`."""
        self._tasks.start(self._delete_old_games(before_ms))

    async def _delete_old_games(self, before_ms: int) -> None:
        begin = self._layout.folder("game")
        end = self._layout.game(_bounded(before_ms * _IDS_IN_A_MS))
        request = range_of(begin, end, limit=GAMES_AT_ONCE)
        try:
            found = await until_answered(partial(self._client.range, request), READ_S)
        except EtcdError:
            return  # the next time
        for pair in found.kvs:
            self._delete_game(int(pair.key[-GAME_DIGITS:]), pair.value)

    def _delete_game(self, id: int, value: bytes) -> None:
        game = msgspec.json.decode(value, type=FinishedGame)
        keys = [
            self._layout.game(id),
            self._layout.key("game-of", game.log, game.number),
            *(self._game_by(key, id) for key in game.people),
        ]
        request = rpc.TxnRequest(success=[delete(key) for key in keys])
        self._writer.add(Proposal(f"game {game.log} {game.number}", request))


def _bounded(id: int) -> int:
    """Return `id`, or the nearest number that has the digits of one."""
    return max(0, min(id, _MOST_ID))


def _stored(id: int, value: bytes) -> StoredGame:
    game = msgspec.json.decode(value, type=FinishedGame)
    return StoredGame(id, game.room, game.ended_ms, game.scores, game.winners, game.record)
