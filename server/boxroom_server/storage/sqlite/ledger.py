"""The ledger in SQLite, and the statements that save its records."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from boxroom_server.storage.ledger import (
    BanKind,
    BanRecord,
    FinishedGame,
    NameRecord,
    StoredGame,
)
from boxroom_server.storage.room_log import CannotSave
from boxroom_server.storage.sqlite.checksums import Value, game_with_checksum, with_checksum
from boxroom_server.storage.sqlite.games import DELETE_OLD, game_linked, game_of, newest_games_of
from boxroom_server.storage.sqlite.schema import connect
from boxroom_server.storage.sqlite.writer import Writer

Change = tuple[str, tuple[Value, ...]]
"""A statement and its parameters."""


def read_names(connection: sqlite3.Connection) -> Iterator[NameRecord]:
    """Yield the names, the longest unused first."""
    rows = connection.execute("SELECT key, name, digest, used_ms FROM names ORDER BY used_ms")
    return (NameRecord(*row) for row in rows)


def read_bans(connection: sqlite3.Connection) -> Iterator[BanRecord]:
    """Yield the bans."""
    rows = connection.execute("SELECT kind, who, at_ms, reason FROM bans")
    return (BanRecord(BanKind(kind), *rest) for kind, *rest in rows)


def saving_name(name: NameRecord) -> Change:
    """Return the change that saves `name`."""
    return (
        "INSERT OR REPLACE INTO names VALUES (?, ?, ?, ?, ?)",
        with_checksum(name.key, name.name, name.digest, name.used_ms),
    )


def saving_ban(ban: BanRecord) -> Change:
    """Return the change that saves `ban`."""
    return (
        "INSERT OR REPLACE INTO bans VALUES (?, ?, ?, ?, ?)",
        with_checksum(ban.kind.value, ban.who, ban.at_ms, ban.reason),
    )


_SAVE_GAME = """
    INSERT OR IGNORE INTO games
    (log, number, room, ended_ms, scores, winners, record, link, checksum, kept_since_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_SAVE_PEOPLE = """
    INSERT OR IGNORE INTO participants
    SELECT value, last_insert_rowid() FROM json_each(?) WHERE changes() > 0
"""


def saving_game(game: FinishedGame, kept_since_ms: int) -> tuple[Change, Change]:
    """Return the changes that save `game`, one after the other."""
    row = game_with_checksum(
        game.log,
        game.number,
        game.room,
        game.ended_ms,
        msgspec.json.encode(game.scores).decode(),
        msgspec.json.encode(game.winners).decode(),
        game.record,
        game.link,
    )
    people = msgspec.json.encode(game.people).decode()
    return (_SAVE_GAME, (*row, kept_since_ms)), (_SAVE_PEOPLE, (people,))


class SqliteLedger:
    """A `boxroom_server.storage.ledger.Ledger` in SQLite."""

    keeps_games = True

    def __init__(self, path: Path, connection: sqlite3.Connection, writer: Writer) -> None:
        self.name_changed: list[Callable[[str, NameRecord | None], None]] = []
        """Called when another server has changed a name."""
        self.ban_changed: list[Callable[[BanKind, str, BanRecord | None], None]] = []
        """Called when another server has changed a ban."""
        self._path = path
        self._writer = writer
        self._names = tuple(read_names(connection))  # as of the start
        self._bans = tuple(read_bans(connection))  # as well

    def names(self) -> Sequence[NameRecord]:
        return self._names

    def save_name(self, name: NameRecord) -> None:
        self._change(saving_name(name))

    def delete_name(self, key: str) -> None:
        self._writer.change("DELETE FROM names WHERE key = ?", key)

    def save_game(self, game: FinishedGame) -> None:
        for change in saving_game(game, kept_since_ms=game.ended_ms):
            self._change(change)

    def newest_games_of(self, key: str, before: int, count: int) -> Sequence[StoredGame]:
        with self._reading() as connection:
            return newest_games_of(connection, key, before, count)

    def game_of(self, key: str, id: int) -> StoredGame | None:
        with self._reading() as connection:
            return game_of(connection, key, id)

    def game_linked(self, link: str) -> StoredGame | None:
        with self._reading() as connection:
            return game_linked(connection, link)

    def forget_games_of(self, key: str) -> None:
        self._writer.change("DELETE FROM participants WHERE name = ?", key)

    def _change(self, change: Change) -> None:
        statement, parameters = change
        self._writer.change(statement, *parameters)

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(connect(self._path)) as connection:
                yield connection
        except sqlite3.Error as error:
            raise CannotSave(f"the games can't be read ({error})") from error

    def delete_old_games(self, before_ms: int) -> None:
        for statement in DELETE_OLD:
            self._writer.change(statement, before_ms)

    def bans(self) -> Sequence[BanRecord]:
        return self._bans

    def save_ban(self, ban: BanRecord) -> None:
        self._change(saving_ban(ban))

    def delete_ban(self, kind: BanKind, who: str) -> None:
        self._writer.change("DELETE FROM bans WHERE kind = ? AND who = ?", kind.value, who)
