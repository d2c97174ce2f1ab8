"""The ledger in etcd: names, finished games and bans of all servers of a cluster."""

import asyncio
import logging
import zlib
from collections import defaultdict, deque
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any, TypeVar

import msgspec
from aetcd import rpc

from boxroom_engine.room.text import clean
from boxroom_server.storage.etcd.client import EtcdClient, EtcdError, until_answered
from boxroom_server.storage.etcd.feed import Table
from boxroom_server.storage.etcd.layout import (
    GAME_DIGITS,
    Layout,
    after,
    decode,
    delete,
    delete_range,
    exists,
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
from boxroom_server.storage.storage import StorageError
from boxroom_server.tasks import Tasks

logger = logging.getLogger(__name__)

READ_S = 5.0
"""How long games are tried to be read."""

_MOST_ID: int = 10**GAME_DIGITS - 1

GAMES_AT_ONCE = 50
"""Old games deleted at once."""

IDS_IN_A_MS = 1_000
"""Ids of games that ended in one millisecond."""

_T = TypeVar("_T")


class _OwnTable:
    """The values of a folder as this server leaves them: as received, with its own changes.

    The feed also delivers own changes, some of them late. So they are kept until then: the next
    change is compared with the last one, and none is reported as another server's.
    """

    def __init__(
        self, folder: str, table: Table, changed: Callable[[str, bytes | None], None]
    ) -> None:
        self.folder = folder
        """Name of the folder."""
        self._table = table
        self._changed = changed  # called with what another server has changed
        # Own values by key that the feed hasn't delivered yet, in order.
        self._own: defaultdict[str, deque[bytes | None]] = defaultdict(deque)
        table.listeners.append(self._receive)

    def get(self, key: str) -> bytes | None:
        """Return the value, or None if there is none."""
        own = self._own.get(key)
        return own[-1] if own else self._table.values.get(key)

    def add(self, key: str, value: bytes | None) -> Callable[[], None]:
        """Note that this server has proposed a value, which differs from the last one.

        Return what to call if that fails, since another server has changed the value.
        """
        own = self._own[key]
        own.append(value)
        return lambda: self._forget(key, own)

    def _forget(self, key: str, own: deque[bytes | None]) -> None:
        """Forget proposals, each of which builds on the one before it."""
        if self._own.get(key) is own:
            del self._own[key]

    def _receive(self, key: str, value: bytes | None) -> None:
        own = self._own.get(key)
        if own is None:
            self._changed(key, value)
        elif own[0] == value:
            own.popleft()
            if not own:
                del self._own[key]
        else:  # another server was first, so all of them fail
            self._forget(key, own)
            self._changed(key, value)


def saving_game(layout: Layout, id: int, game: FinishedGame) -> list[Any]:
    """Return the operations that save `game` with that id, by which its age is counted."""
    return [
        put(layout.key("game-of", game.log, game.number), b"%d" % id),
        put(layout.game(id), msgspec.json.encode(game)),
        *(put(layout.game_by(key, id), b"") for key in game.people),
        *(put(layout.key("game-linked", link), b"%d" % id) for link in _links(game)),
    ]


def _links(game: FinishedGame) -> tuple[str, ...]:
    return (game.link,) if game.link else ()


def stored_game(id: int, value: bytes) -> StoredGame:
    """Return the game with that id and value.

    Raises:
        StorageError: it is damaged.
    """
    game = decode(value, FinishedGame, f"game/{id}")
    return StoredGame(
        id,
        clean(game.room),
        game.ended_ms,
        game.scores,
        game.winners,
        game.record,
        game.link,
    )


def deleting_game(layout: Layout, id: int, game: FinishedGame) -> Any:
    """Return the transaction that deletes a game.

    While its room exists, it is remembered that it was saved: the next owner of the room saves its
    last game once more.
    """
    kept = [
        layout.game(id),
        *(layout.game_by(key, id) for key in game.people),
        *(layout.key("game-linked", link) for link in _links(game)),
    ]
    place = layout.key("game-of", game.log, game.number)
    return rpc.TxnRequest(
        compare=[exists(layout.key("room", game.log))],
        success=[*map(delete, kept)],
        failure=[*map(delete, (place, *kept))],
    )


class EtcdLedger:
    """A `boxroom_server.storage.ledger.Ledger` in etcd."""

    keeps_games = True

    def __init__(
        self, client: EtcdClient, layout: Layout, writer: EtcdWriter, names: Table, bans: Table
    ) -> None:
        self.name_changed: list[Callable[[str, NameRecord | None], None]] = []
        """Called when another server has changed a name."""
        self.ban_changed: list[Callable[[BanKind, str, BanRecord | None], None]] = []
        """Called when another server has changed a ban."""
        self._client = client
        self._layout = layout
        self._writer = writer
        self._names = names
        self._bans = bans
        self._own_names = _OwnTable("name", names, self._report_name)
        self._own_bans = _OwnTable("ban", bans, self._report_ban)
        self._loop = asyncio.get_running_loop()
        self._tasks = Tasks()  # deletions of old games
        self._deletions = 0  # games whose deletion isn't answered yet

    async def stop(self) -> None:
        """End all tasks."""
        await self._tasks.cancel()

    # Names

    def names(self) -> Sequence[NameRecord]:
        names = (
            decode(value, NameRecord, f"name/{key}") for key, value in self._names.values.items()
        )
        return sorted(names, key=lambda name: name.used_ms)

    def save_name(self, name: NameRecord) -> None:
        """Save a name, unless another server has changed it."""
        self._replace(self._own_names, name.key, msgspec.json.encode(name))

    def delete_name(self, key: str) -> None:
        """Delete a name, unless another server has changed it."""
        self._replace(self._own_names, key, None)

    def _report_name(self, key: str, value: bytes | None) -> None:
        name = None if value is None else decode(value, NameRecord, f"name/{key}")
        for listener in self.name_changed:
            listener(key, name)

    def _replace(self, table: _OwnTable, key: str, value: bytes | None) -> None:
        """Replace or delete a value of `table`, if it is still the one that is known here."""
        known, place = table.get(key), self._layout.key(table.folder, key)
        if value == known:
            return

        failed = table.add(key, value)

        def answered(succeeded: bool, responses: Sequence[Any]) -> None:
            if not succeeded:
                failed()

        request = rpc.TxnRequest(
            compare=[is_absent(place) if known is None else has_value(place, known)],
            success=[delete(place) if value is None else put(place, value)],
        )
        self._writer.add(Proposal((f"{table.folder} {key}",), request, answered))

    # Bans

    def bans(self) -> Sequence[BanRecord]:
        return [decode(value, BanRecord, f"ban/{key}") for key, value in self._bans.values.items()]

    def save_ban(self, ban: BanRecord) -> None:
        self._replace(self._own_bans, f"{ban.kind}/{ban.who}", msgspec.json.encode(ban))

    def delete_ban(self, kind: BanKind, who: str) -> None:
        self._replace(self._own_bans, f"{kind}/{who}", None)

    def _report_ban(self, key: str, value: bytes | None) -> None:
        kind, _, who = key.partition("/")
        ban = None if value is None else decode(value, BanRecord, f"ban/{key}")
        for listener in self.ban_changed:
            listener(BanKind(kind), who, ban)

    # Finished games

    def save_game(self, game: FinishedGame) -> None:
        number = zlib.crc32(f"{game.log} {game.number}".encode()) % IDS_IN_A_MS
        self._save_game(game, game.ended_ms * IDS_IN_A_MS + number)

    def _save_game(self, game: FinishedGame, id: int) -> None:
        """Save `game` with that id, or the next one that no other game has."""
        place = self._layout.key("game-of", game.log, game.number)

        def answered(succeeded: bool, responses: Sequence[Any]) -> None:
            if not succeeded and not responses[0].response_range.kvs:
                self._save_game(game, id + 1)

        request = rpc.TxnRequest(
            compare=[is_absent(place), is_absent(self._layout.game(id))],
            success=saving_game(self._layout, id, game),
            failure=[get(place)],
        )
        subjects = (
            f"game {game.log} {game.number}",
            f"game {id}",
            *(f"games of {key}" for key in game.people),
        )
        self._writer.add(Proposal(subjects, request, answered))

    def newest_games_of(self, key: str, before: int, count: int) -> Sequence[StoredGame]:
        """Return the newest games of a person; called in a thread."""
        return self._in_thread(self._newest_games_of(key, before, count))

    def game_of(self, key: str, id: int) -> StoredGame | None:
        """Return a game of a person; called in a thread."""
        games = self._in_thread(self._newest_games_of(key, id + 1, 1))
        return games[0] if games and games[0].id == id else None

    def _in_thread(self, reading: Coroutine[Any, Any, _T]) -> _T:
        try:
            return asyncio.run_coroutine_threadsafe(reading, self._loop).result()
        except (EtcdError, StorageError) as error:
            raise CannotSave(str(error)) from error

    async def _newest_games_of(self, key: str, before: int, count: int) -> Sequence[StoredGame]:
        begin, end = (
            self._layout.folder("game-by", key),
            self._layout.game_by(key, _bounded(before)),
        )
        request = range_of(begin, end, limit=count)
        request.sort_order, request.sort_target = request.DESCEND, request.KEY
        found = await until_answered(partial(self._client.range, request), READ_S)
        ids = [int(pair.key[-GAME_DIGITS:]) for pair in found.kvs]
        return await self._games(ids)

    def game_linked(self, link: str) -> StoredGame | None:
        """Return the game with that link; called in a thread."""
        games = self._in_thread(self._games_linked(link))
        return games[0] if games else None

    async def _games_linked(self, link: str) -> Sequence[StoredGame]:
        place = self._layout.key("game-linked", link)
        request = range_of(place, place + b"\0")
        found = await until_answered(partial(self._client.range, request), READ_S)
        return await self._games([int(pair.value) for pair in found.kvs])

    async def _games(self, ids: Sequence[int]) -> Sequence[StoredGame]:
        """Return the games with these ids that are still there."""
        games = rpc.TxnRequest(success=[get(self._layout.game(id)) for id in ids])
        answer = await until_answered(partial(self._client.txn, games), READ_S)
        return [
            stored_game(id, response.response_range.kvs[0].value)
            for id, response in zip(ids, answer.responses, strict=True)
            if response.response_range.kvs
        ]

    def forget_games_of(self, key: str) -> None:
        folder = self._layout.folder("game-by", key)
        request = rpc.TxnRequest(success=[delete_range(folder, after(folder))])
        self._writer.add(Proposal((f"games of {key}",), request))

    def delete_old_games(self, before_ms: int) -> None:
        """Delete games that ended before, unless the last deletion still waits."""
        if not self._deletions:
            self._tasks.start(self._delete_old_games(before_ms))

    async def _delete_old_games(self, before_ms: int) -> None:
        begin = self._layout.folder("game")
        end = self._layout.game(_bounded(before_ms * IDS_IN_A_MS))
        request = range_of(begin, end, limit=GAMES_AT_ONCE)
        try:
            found = await until_answered(partial(self._client.range, request), READ_S)
        except EtcdError:
            return  # the next time
        for pair in found.kvs:
            try:
                self._delete_game(int(pair.key[-GAME_DIGITS:]), pair.value)
            except StorageError as error:
                logger.error("an old game stays: %s", error)

    def _delete_game(self, id: int, value: bytes) -> None:
        game = decode(value, FinishedGame, f"game/{id}")

        def answered(succeeded: bool, responses: Sequence[Any]) -> None:
            self._deletions -= 1

        self._deletions += 1
        subjects = (f"game {game.log} {game.number}", f"game {id}")
        request = deleting_game(self._layout, id, game)
        self._writer.add(Proposal(subjects, request, answered))


def _bounded(id: int) -> int:
    """Return `id`, or the nearest number that has the digits of one."""
    return max(0, min(id, _MOST_ID))
