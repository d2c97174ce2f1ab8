"""The ledger of a server on disk."""

import sqlite3
from collections.abc import Sequence

import msgspec

from boxroom_server.storage.ledger import BanKind, FinishedGame, KeptBan, KeptName
from boxroom_server.storage.sqlite.games import FORGET_OLD
from boxroom_server.storage.sqlite.writer import Writer


class DiskLedger:
    """See `boxroom_server.storage.ledger.Ledger`."""

    def __init__(self, connection: sqlite3.Connection, writer: Writer) -> None:
        self._writer = writer
        rows = connection.execute("SELECT key, name, digest, used_ms FROM names ORDER BY used_ms")
        self._names = tuple(KeptName(*row) for row in rows)
        rows = connection.execute("SELECT kind, who, at_ms, reason FROM bans")
        self._bans = tuple(KeptBan(BanKind(kind), *rest) for kind, *rest in rows)

    def names(self) -> Sequence[KeptName]:
        """See `Ledger.names`."""
        return self._names

    def keep_name(self, name: KeptName) -> None:
        """See `Ledger.keep_name`."""
        self._writer.change(
            "INSERT OR REPLACE INTO names VALUES (?, ?, ?, ?)",
            name.key,
            name.name,
            name.digest,
            name.used_ms,
        )

    def drop_name(self, key: str) -> None:
        """See `Ledger.drop_name`."""
        self._writer.change("DELETE FROM names WHERE key = ?", key)

    def keep_game(self, game: FinishedGame) -> None:
        """See `Ledger.keep_game`."""
        self._writer.change(
            "INSERT OR IGNORE INTO games (log, number, room, ended_ms, scores, winners, record)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            game.log,
            game.number,
            game.room,
            game.ended_ms,
            msgspec.json.encode(game.scores).decode(),
            msgspec.json.encode(game.winners).decode(),
            game.record,
        )

    def forget_games(self, before_ms: int) -> None:
        """See `Ledger.forget_games`."""
        for statement in FORGET_OLD:
            self._writer.change(statement, before_ms)

    def bans(self) -> Sequence[KeptBan]:
        """See `Ledger.bans`."""
        return self._bans

    def keep_ban(self, ban: KeptBan) -> None:
        """See `Ledger.keep_ban`."""
        self._writer.change(
            "INSERT OR REPLACE INTO bans VALUES (?, ?, ?, ?)",
            ban.kind.value,
            ban.who,
            ban.at_ms,
            ban.reason,
        )

    def drop_ban(self, kind: BanKind, who: str) -> None:
        """See `Ledger.drop_ban`."""
        self._writer.change("DELETE FROM bans WHERE kind = ? AND who = ?", kind.value, who)
