"""Reading and deleting the finished games in a database.

A room saves its last game once more when it wakes. So the row of a game that was deleted while its
room exists is only blanked, which keeps the game from being saved again; the first deletion after
the room's end removes the row.
"""

import sqlite3
from collections.abc import AsyncGenerator, Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from boxroom_engine.room.text import clean
from boxroom_server.storage.contents import KeptGame
from boxroom_server.storage.ledger import FinishedGame, StoredGame
from boxroom_server.storage.sqlite.checksums import check_values, game_values

BATCH_SIZE = 500
"""Games per transaction of a deletion; a server's commits aren't held up for long."""

_NEWEST = "SELECT * FROM games WHERE record <> '' ORDER BY ended_ms DESC, id DESC LIMIT ?"
_OLDEST = "SELECT * FROM games WHERE record <> '' ORDER BY ended_ms, id"
_BY_AGE = "SELECT * FROM games ORDER BY kept_since_ms, id"
_PEOPLE = "SELECT name FROM participants WHERE game = ? ORDER BY name"
_ONE = "SELECT * FROM games WHERE record <> '' AND id = ?"
_ENDED = "SELECT id FROM games WHERE record <> '' AND ended_ms < ?"
_NEWEST_OF = """
    SELECT games.* FROM participants JOIN games ON games.id = participants.game
    WHERE participants.name = ? AND participants.game < ? AND games.record <> ''
    ORDER BY participants.game DESC LIMIT ?
"""
_ONE_OF = """
    SELECT games.* FROM participants JOIN games ON games.id = participants.game
    WHERE participants.name = ? AND participants.game = ? AND games.record <> ''
"""
_LINKED = "SELECT * FROM games WHERE record <> '' AND link <> '' AND link = ?"
_BLANK = """
    UPDATE games SET room = '', scores = '[]', winners = '[]', record = ''
    WHERE record <> '' AND id = ?
"""
_DELETE_BLANK = "DELETE FROM games WHERE record = '' AND log NOT IN (SELECT log FROM rooms)"

DELETE_OLD = (
    """
    UPDATE games SET room = '', scores = '[]', winners = '[]', record = ''
    WHERE kept_since_ms < ?
    AND id IN (SELECT id FROM games WHERE record <> '' ORDER BY id LIMIT 500)
    """,
    """
    DELETE FROM games WHERE kept_since_ms < ?
    AND id IN (SELECT id FROM games ORDER BY id LIMIT 500)
    AND record = '' AND log NOT IN (SELECT log FROM rooms)
    """,
)
"""Statements that delete games which have been kept since before a given time.

They look at the first 500 rows only, so that no commit waits long behind them.
"""


def kept_games(connection: sqlite3.Connection) -> Iterator[KeptGame]:
    """Yield all games, those that are deleted next first; a blanked one names no people.

    Raises:
        sqlite3.DatabaseError: the database or one of its rows is damaged.
    """
    for row in connection.execute(_BY_AGE):
        id, log, number, _, ended_ms, *_, record, _, kept_since_ms, link = row
        finished = FinishedGame(log, number, "", ended_ms, (), (), "")
        if record:
            game, people = _game(row), connection.execute(_PEOPLE, (id,))
            finished = replace(
                finished,
                room=game.room,
                scores=game.scores,
                winners=game.winners,
                record=record,
                link=link,
                people=tuple(name for (name,) in people),
            )
        yield KeptGame(finished, kept_since_ms)


def newest_games_of(
    connection: sqlite3.Connection, key: str, before: int, count: int
) -> list[StoredGame]:
    """Return games in which the folded name `key` took part; see `Ledger.newest_games_of`."""
    return list(map(_game, connection.execute(_NEWEST_OF, (key, before, count))))


def game_of(connection: sqlite3.Connection, key: str, id: int) -> StoredGame | None:
    """Return a game in which the folded name `key` took part; see `Ledger.game_of`."""
    row = connection.execute(_ONE_OF, (key, id)).fetchone()
    return None if row is None else _game(row)


def game_linked(connection: sqlite3.Connection, link: str) -> StoredGame | None:
    """Return the game with that link; see `Ledger.game_linked`."""
    row = connection.execute(_LINKED, (link,)).fetchone()
    return None if row is None else _game(row)


def _game(row: Sequence[Any]) -> StoredGame:
    id, log, number, room, ended_ms, winners, scores, record, checksum, _, *newer = row
    (link,) = newer or ("",)  # a file of before that is only read has no links
    try:
        values = (log, number, room, ended_ms, scores, winners, record, link)
        check_values("its row", game_values(values), checksum)
        return StoredGame(
            id,
            clean(room),
            ended_ms,
            msgspec.json.decode(scores, type=tuple[int, ...]),
            msgspec.json.decode(winners, type=tuple[int, ...]),
            record,
            link,
        )
    except (msgspec.MsgspecError, ValueError) as error:
        raise sqlite3.DatabaseError(f"game {id} can't be read: {error}") from error


class SqliteGames:
    """A `boxroom_server.storage.ledger.StoredGames` in the database of `connection`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    async def newest(self, limit: int | None = None) -> AsyncGenerator[StoredGame, None]:
        for row in self._connection.execute(_NEWEST, (-1 if limit is None else limit,)):
            yield _game(row)

    async def oldest(self) -> AsyncGenerator[StoredGame, None]:
        for row in self._connection.execute(_OLDEST):
            yield _game(row)

    async def find(self, id: int) -> StoredGame | None:
        row = self._connection.execute(_ONE, (id,)).fetchone()
        return None if row is None else _game(row)

    async def delete(self, ids: Sequence[int]) -> int:
        deleted = 0
        for first in range(0, len(ids), BATCH_SIZE):
            self._connection.execute("BEGIN IMMEDIATE")
            batch = [(id,) for id in ids[first : first + BATCH_SIZE]]
            deleted += self._connection.executemany(_BLANK, batch).rowcount
            self._connection.execute("COMMIT")
        self._connection.execute(_DELETE_BLANK)
        return deleted

    async def delete_before(self, at_ms: int) -> int:
        return await self.delete([id for (id,) in self._connection.execute(_ENDED, (at_ms,))])
