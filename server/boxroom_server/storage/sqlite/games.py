"""The finished games in a database, to be listed, taken out and deleted by who keeps the server.

A game stays known by its room for as long as the room lives: when the room wakes, it notes its
last game once more. So what is deleted before that leaves an empty row, which says that the
game isn't to be kept again; the next deletion after the room's end takes it away.
"""

import sqlite3
from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from boxroom_engine.games.errors import FormatError
from boxroom_engine.games.record import Record
from boxroom_engine.room.text import clean

AT_ONCE = 500
"""Games that are deleted in one transaction: a server's commits don't wait long behind it."""

_NEWEST = """
    SELECT id, room, ended_ms, scores, winners, record FROM games
    WHERE record <> '' ORDER BY ended_ms DESC, id DESC LIMIT ?
"""
_OLDEST = """
    SELECT id, room, ended_ms, scores, winners, record FROM games
    WHERE record <> '' ORDER BY ended_ms, id
"""
_ONE = """
    SELECT id, room, ended_ms, scores, winners, record FROM games WHERE record <> '' AND id = ?
"""
_EMPTY = """
    UPDATE games SET room = '', scores = '[]', winners = '[]', record = ''
    WHERE record <> '' AND id = ?
"""
_CLEAR = "DELETE FROM games WHERE record = '' AND log NOT IN (SELECT log FROM rooms)"

FORGET_OLD = (
    """
    UPDATE games SET room = '', scores = '[]', winners = '[]', record = ''
    WHERE ended_ms < ? AND id IN (SELECT id FROM games WHERE record <> '' ORDER BY id LIMIT 500)
    """,
    """
    DELETE FROM games WHERE ended_ms < ? AND id IN (SELECT id FROM games ORDER BY id LIMIT 500)
    AND record = '' AND log NOT IN (SELECT log FROM rooms)
    """,
)
"""Statements that delete games which ended before a moment.

They look at the first ones only, and so take no time that anybody would notice.
"""


class KeptGame(Struct, frozen=True):
    """A finished game as the database has it."""

    id: int
    room: str
    ended_ms: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    record: str

    @property
    def game(self) -> str:
        """What was played, as the record has it: `dots rows=5 cols=5 border=none`."""
        return clean(self.record.partition("|")[0])

    @property
    def players(self) -> tuple[str, ...]:
        """Their names, fit to be shown; as many as there are scores, whatever the record says."""
        game_and_players = self.record.rpartition("|")[0]  # without the moves, which take longest
        try:
            names = Record.parse(f"{game_and_players}|").players
        except FormatError:
            names = ()
        if len(names) != len(self.scores):
            names = ("?",) * len(self.scores)
        return tuple(clean(name) or "?" for name in names)


def newest_games(connection: sqlite3.Connection, most: int | None = None) -> Iterator[KeptGame]:
    """The games, the newest first; not more than `most` of them.

    Raises:
        sqlite3.DatabaseError: the database, or what stands in it, is damaged.
    """
    return map(_game, connection.execute(_NEWEST, (-1 if most is None else most,)))


def oldest_games(connection: sqlite3.Connection) -> Iterator[KeptGame]:
    """All games, the oldest first; see `newest_games`."""
    return map(_game, connection.execute(_OLDEST))


def game_numbered(connection: sqlite3.Connection, id: int) -> KeptGame | None:
    """The game with that number, or None if there is none; see `newest_games`."""
    row = connection.execute(_ONE, (id,)).fetchone()
    return None if row is None else _game(row)


def _game(row: tuple[int, str, int, str, str, str]) -> KeptGame:
    id, room, ended_ms, scores, winners, record = row
    try:
        return KeptGame(
            id,
            clean(room),
            ended_ms,
            msgspec.json.decode(scores, type=tuple[int, ...]),
            msgspec.json.decode(winners, type=tuple[int, ...]),
            record,
        )
    except msgspec.MsgspecError as error:
        raise sqlite3.DatabaseError(f"game {id} can't be read: {error}") from error


def delete_games(connection: sqlite3.Connection, ids: Sequence[int]) -> int:
    """Delete the games with these numbers: how many there were."""
    deleted = 0
    for first in range(0, len(ids), AT_ONCE):
        connection.execute("BEGIN IMMEDIATE")
        some = [(id,) for id in ids[first : first + AT_ONCE]]
        deleted += connection.executemany(_EMPTY, some).rowcount
        connection.execute("COMMIT")
    connection.execute(_CLEAR)
    return deleted


def delete_games_before(connection: sqlite3.Connection, at_ms: int) -> int:
    """Delete the games that ended before `at_ms`: how many there were."""
    ids = [
        id
        for (id,) in connection.execute(
            "SELECT id FROM games WHERE record <> '' AND ended_ms < ?", (at_ms,)
        )
    ]
    return delete_games(connection, ids)
