"""The history of the user: the games that one has played to their end, here and on servers.

It is one SQLite file, so it survives a crash, and several programs may use it at once. What a
server sends can fill only the part of that server: its oldest games make room for new ones.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from boxroom_client.profile.data_folder import default_games_folder
from boxroom_common.folders import make_folder
from boxroom_common.phrases import say
from boxroom_engine.errors import BoxroomError
from boxroom_engine.games.record import MOST_CHARS, Record
from boxroom_engine.review.mistakes import Mistake

MOST_GAMES = 2_000
"""Games of one server, or of this computer, that are kept."""

MOST_TOTAL_CHARS = 20_000_000
"""Characters that the records of one server may take together."""

_MISTAKES = tuple[Mistake, ...]
_MOST_NAME_CHARS = 200
_LOCK_TIMEOUT_S = 2.0

_TABLE = """
    CREATE TABLE IF NOT EXISTS games (
        id INTEGER PRIMARY KEY,
        server TEXT NOT NULL,
        log TEXT NOT NULL,
        number INTEGER NOT NULL,
        room TEXT NOT NULL,
        ended_ms INTEGER NOT NULL,
        seat INTEGER,
        helped INTEGER NOT NULL,
        scores TEXT NOT NULL,
        winners TEXT NOT NULL,
        bots TEXT NOT NULL,
        record TEXT NOT NULL,
        UNIQUE (server, log, number)
    )
"""

_MISTAKES_TABLE = """
    CREATE TABLE IF NOT EXISTS mistakes (
        game INTEGER PRIMARY KEY,
        mistakes TEXT NOT NULL
    )
"""

_INSERT = """
    INSERT OR IGNORE INTO games
    (server, log, number, room, ended_ms, seat, helped, scores, winners, bots, record)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""

_RENAME = "UPDATE OR IGNORE games SET server = ? WHERE server = ?"
"""Earlier versions took a server's address with a slash at its end for another server."""

_DELETE_OLDEST = """
    DELETE FROM games WHERE id IN (
        SELECT id FROM (
            SELECT id, row_number() OVER newest AS place, sum(length(record)) OVER newest AS chars
            FROM games WHERE server = ? WINDOW newest AS (ORDER BY id DESC)
        ) WHERE place > ? OR chars > ?
    )
"""

_BLANK = "UPDATE games SET room = '', bots = '[]', record = '' WHERE id = ? AND record <> ''"
"""Deletes a game; its row stays, so that the game isn't added again when its room is entered."""

_FORGET_MISTAKES = """
    DELETE FROM mistakes WHERE game NOT IN (SELECT id FROM games WHERE record <> '')
"""

_NEWEST = "SELECT * FROM games WHERE record <> '' ORDER BY id DESC LIMIT ?"
_ONE = "SELECT * FROM games WHERE record <> '' AND id = ?"


class HistoryError(BoxroomError):
    """The history can't be used; `str(error)` says why."""


class PlayedGame(Struct, frozen=True):
    """A game that the user has played to its end."""

    id: int
    """Number in the history; 0 before it is added."""
    server: str
    """Address of the server; empty for a game at this computer."""
    log: str
    number: int
    """Number of the game within the room with that log."""
    room: str
    ended_ms: int
    seat: int | None
    """Seat of the user; None if they had several."""
    helped: bool
    """True if the user had a hint or a robot, or moves were taken back."""
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    bots: tuple[str | None, ...]
    """The bot in each seat at the end; None for a person."""
    record: str
    """The game as `boxroom_engine.games.record` writes it."""

    @property
    def heading(self) -> Record:
        """Game and players, without the moves."""
        return Record.parse_heading(self.record)


class GameHistory:
    """The history in the file at `path`, which is made if need be."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or default_games_folder() / "history.db"

    def add(self, game: PlayedGame) -> None:
        """Add `game` under the next number, unless it is there already or was deleted.

        Texts of a server that are longer than any server needs are cut, and a game whose record
        is too long isn't added.

        Raises:
            HistoryError: it can't be saved.
        """
        if len(game.record) > MOST_CHARS:
            return
        with self._connected() as connection:
            connection.execute(_RENAME, (game.server, f"{game.server}/"))
            connection.execute(
                _INSERT,
                (
                    game.server,
                    game.log[:_MOST_NAME_CHARS],
                    game.number,
                    game.room[:_MOST_NAME_CHARS],
                    game.ended_ms,
                    game.seat,
                    game.helped,
                    _json(game.scores),
                    _json(game.winners),
                    _json([bot and bot[:_MOST_NAME_CHARS] for bot in game.bots]),
                    game.record,
                ),
            )
            connection.execute(_DELETE_OLDEST, (game.server, MOST_GAMES, MOST_TOTAL_CHARS))

    def newest(self, limit: int | None = None) -> list[PlayedGame]:
        """Return the games, the newest first; at most `limit` of them.

        Raises:
            HistoryError: it can't be read.
        """
        return self._games(_NEWEST, -1 if limit is None else limit)

    def find(self, id: int) -> PlayedGame | None:
        """Return the game with that number, or None; see `newest`."""
        games = self._games(_ONE, id)
        return games[0] if games else None

    def delete(self, ids: Sequence[int]) -> int:
        """Delete the games with these numbers for good, and return how many there were.

        Raises:
            HistoryError: none was deleted.
        """
        with self._connected() as connection:
            deleted = connection.executemany(_BLANK, [(id,) for id in ids]).rowcount
            connection.execute(_FORGET_MISTAKES)
            return deleted

    def mistakes(self) -> dict[int, tuple[Mistake, ...]]:
        """Return the mistakes of the user in each game that was reviewed, by the game's number.

        Raises:
            HistoryError: they can't be read.
        """
        with self._connected() as connection:
            rows = connection.execute("SELECT game, mistakes FROM mistakes").fetchall()
            return {game: msgspec.json.decode(text, type=_MISTAKES) for game, text in rows}

    def keep_mistakes(self, id: int, mistakes: Sequence[Mistake]) -> None:
        """Keep what the review of a game has found, so that it isn't reviewed again.

        Raises:
            HistoryError: it can't be saved.
        """
        with self._connected() as connection:
            connection.execute("REPLACE INTO mistakes VALUES (?, ?)", (id, _json(mistakes)))
            connection.execute(_FORGET_MISTAKES)

    def _games(self, query: str, parameter: int) -> list[PlayedGame]:
        can_change = os.access(self._path.parent, os.W_OK) or not self._path.exists()
        with self._connected() if can_change else self._opened("ro") as connection:
            return [_game(row) for row in connection.execute(query, (parameter,))]

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        """Connect, and commit at the end of the context.

        Raises:
            HistoryError: the file can't be used.
        """
        try:
            make_folder(self._path.parent)
            self._path.touch(mode=0o600)
        except OSError as error:
            raise self._unusable(error) from error
        with self._opened("rw") as connection:
            # A power cut would bring back a rollback journal whose deletion isn't synced.
            connection.execute("PRAGMA synchronous = EXTRA")
            connection.execute(_TABLE)
            connection.execute(_MISTAKES_TABLE)
            yield connection

    @contextmanager
    def _opened(self, mode: str) -> Iterator[sqlite3.Connection]:
        """Open the file to read it (`ro`) or to change it (`rw`); see `_connected`."""
        uri = f"{self._path.absolute().as_uri()}?mode={mode}"
        try:
            made = sqlite3.connect(uri, uri=True, timeout=_LOCK_TIMEOUT_S)
            with closing(made), made as connection:
                yield connection
        except (sqlite3.Error, OSError, msgspec.MsgspecError) as error:
            raise self._unusable(error) from error

    def _unusable(self, error: Exception) -> HistoryError:
        return HistoryError(
            say("terminal.history.unusable", file=str(self._path), error=str(error))
        )


def _game(row: Sequence[object]) -> PlayedGame:
    *numbers, scores, winners, bots, record = row
    lists = (msgspec.json.decode(str(each)) for each in (scores, winners, bots))
    names = ("id", "server", "log", "number", "room", "ended_ms", "seat", "helped")
    fields = dict(zip(names, numbers, strict=True))
    fields.update(zip(("scores", "winners", "bots"), lists, strict=True), record=record)
    return msgspec.convert(fields, PlayedGame, strict=False)


def _json(values: Sequence[object]) -> str:
    return msgspec.json.encode(values).decode()
