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
from boxroom_server.storage.sqlite.checksums import check_values

BATCH_SIZE = 500
"""Games per transaction of a deletion; a server's commits aren't held up for long."""

_NEWEST = "SELECT * FROM games WHERE record <> '' ORDER BY ended_ms DESC, id DESC LIMIT ?"
_OLDEST = "SELECT * FROM games WHERE record <> '' ORDER BY ended_ms, id"
_BY_AGE = "SELECT * FROM games ORDER BY kept_since_ms, id"
_PEOPLE = "SELECT name FROM participants WHERE game = ? ORDER BY name"
_ONE = "SELECT * FROM games WHERE record <> '' AND id = ?"
_NEWEST_OF = """
    SELECT games.* FROM participants JOIN games ON games.id = participants.game
    WHERE participants.name = ? AND participants.game < ? AND games.record <> ''
    ORDER BY participants.game DESC LIMIT ?
"""
_ONE_OF = """
    SELECT games.* FROM participants JOIN games ON games.id = participants.game
    WHERE participants.name = ? AND participants.game = ? AND games.record <> ''
"""
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


def newest_games(connection: sqlite3.Connection, limit: int | None = None) -> Iterator[StoredGame]:
    """Yield the games, the newest first; at most `limit` of them.

    Raises:
        sqlite3.DatabaseError: the database or one of its rows is damaged.
    """
    return map(_game, connection.execute(_NEWEST, (-1 if limit is None else limit,)))


def oldest_games(connection: sqlite3.Connection) -> Iterator[StoredGame]:
    """Yield all games, the oldest first; see `newest_games`."""
    return map(_game, connection.execute(_OLDEST))


def kept_games(connection: sqlite3.Connection) -> Iterator[KeptGame]:
    """Yield all games, those that are deleted next first; see `newest_games`.

    A blanked one names no people.
    """
    for row in connection.execute(_BY_AGE):
        id, log, number, _, ended_ms, *_, record, _, kept_since_ms = row
        finished = FinishedGame(log, number, "", ended_ms, (), (), "")
        if record:
            game, people = _game(row), connection.execute(_PEOPLE, (id,))
            finished = replace(
                finished,
                room=game.room,
                scores=game.scores,
                winners=game.winners,
                record=record,
                people=tuple(name for (name,) in people),
            )
        yield KeptGame(finished, kept_since_ms)


def find_game(connection: sqlite3.Connection, id: int) -> StoredGame | None:
    """Return the game with that id, or None if there is none; see `newest_games`."""
    row = connection.execute(_ONE, (id,)).fetchone()
    return None if row is None else _game(row)


def newest_games_of(
    connection: sqlite3.Connection, key: str, before: int, count: int
) -> list[StoredGame]:
    """Return games in which the folded name `key` took part; see `Ledger.newest_games_of`."""
    return list(map(_game, connection.execute(_NEWEST_OF, (key, before, count))))


def game_of(connection: sqlite3.Connection, key: str, id: int) -> StoredGame | None:
    """Return a game in which the folded name `key` took part; see `Ledger.game_of`."""
    row = connection.execute(_ONE_OF, (key, id)).fetchone()
    return None if row is None else _game(row)


def _game(row: Sequence[Any]) -> StoredGame:
    id, log, number, room, ended_ms, winners, scores, record, checksum, _ = row
    try:
        values = (log, number, room, ended_ms, scores, winners, record)
        check_values("its row", values, checksum)
        return StoredGame(
            id,
            clean(room),
            ended_ms,
            msgspec.json.decode(scores, type=tuple[int, ...]),
            msgspec.json.decode(winners, type=tuple[int, ...]),
            record,
        )
    except (msgspec.MsgspecError, ValueError) as error:
        raise sqlite3.DatabaseError(f"game {id} can't be read: {error}") from error


def delete_games(connection: sqlite3.Connection, ids: Sequence[int]) -> int:
    """Delete the games with these ids, and return how many existed."""
    deleted = 0
    for first in range(0, len(ids), BATCH_SIZE):
        connection.execute("BEGIN IMMEDIATE")
        batch = [(id,) for id in ids[first : first + BATCH_SIZE]]
        deleted += connection.executemany(_BLANK, batch).rowcount
        connection.execute("COMMIT")
    connection.execute(_DELETE_BLANK)
    return deleted


def delete_games_before(connection: sqlite3.Connection, at_ms: int) -> int:
    """Delete the games that ended before `at_ms`, and return how many there were."""
    ids = [
        id
        for (id,) in connection.execute(
            "SELECT id FROM games WHERE record <> '' AND ended_ms < ?", (at_ms,)
        )
    ]
    return delete_games(connection, ids)


class SqliteGames:
    """A `boxroom_server.storage.ledger.StoredGames` in the database of `connection`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    async def newest(self, limit: int | None = None) -> AsyncGenerator[StoredGame, None]:
        for game in newest_games(self._connection, limit):
            yield game

    async def oldest(self) -> AsyncGenerator[StoredGame, None]:
        for game in oldest_games(self._connection):
            yield game

    async def find(self, id: int) -> StoredGame | None:
        return find_game(self._connection, id)

    async def delete(self, ids: Sequence[int]) -> int:
        return delete_games(self._connection, ids)

    async def delete_before(self, at_ms: int) -> int:
        return delete_games_before(self._connection, at_ms)
