"""The games of `boxroom play` that aren't over, as they are saved while they are played.

Each has a data folder of its own, like that of a server: the log of the private server's room is
the saved game. A running `boxroom play` locks its folder, so two at once never have the same one.
"""

import secrets
import shutil
import sqlite3
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from boxroom_client.profile.data_folder import default_games_folder
from boxroom_client.shell.game_recorder import GameRecorder
from boxroom_client.shell.room_settings import in_short
from boxroom_engine.bots.levels import called
from boxroom_engine.room.room import Phase, Room
from boxroom_server.storage.room_log import Damaged, fold_log
from boxroom_server.storage.sqlite.folder import DataFolder, is_locked
from boxroom_server.storage.sqlite.schema import UnusableData
from boxroom_server.storage.sqlite.storage import read_rooms

MOST_SAVED = 20
"""Unfinished games that are kept; a new one replaces the one that was played longest ago."""

HEADINGS = (
    "terminal.menu.game",
    "terminal.menu.against",
    "terminal.menu.score",
    "terminal.menu.played",
)
"""Phrases of the headings above `SavedGame.columns`."""

UNREADABLE = (UnusableData, Damaged, OSError, sqlite3.Error)
"""Errors of a folder that can't be used."""


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game that is on, with no program that plays it."""

    folder: DataFolder
    room: Room
    played_s: float
    """Time at which it was played last, in seconds since 1970."""

    @property
    def player(self) -> str:
        """Name of the person who began it, the only member of the room."""
        return next(iter(self.room.members), "")

    @property
    def columns(self) -> tuple[str, ...]:
        """Cells of its line in the menu, under `HEADINGS`."""
        room = self.room
        assert room.state is not None
        played = datetime.fromtimestamp(self.played_s, UTC).astimezone()
        return (
            in_short(room.state.game),
            ", ".join(called(name) for name in room.players if name != self.player),
            ":".join(map(str, room.state.scores)),
            f"{played:%Y-%m-%d %H:%M}",
        )


def is_worth_saving(room: Room) -> bool:
    """Whether a game is on in `room` in which something has been played."""
    return room.phase is Phase.PLAYING and bool(room.history)


def new_folder() -> DataFolder:
    """Return the folder for a new game; it doesn't exist yet."""
    return DataFolder(_root() / f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(4)}")


def unfinished_games() -> list[SavedGame]:
    """Return the games that can be continued, the one that was played last first."""
    games: list[SavedGame] = []
    for path in _folders():
        with suppress(*UNREADABLE):
            games += [saved for saved in _saved_games(path) if is_worth_saving(saved.room)]
    return sorted(games, key=lambda saved: saved.played_s, reverse=True)


def delete_old_games() -> None:
    """Delete games that are over or haven't begun, and all but the last `MOST_SAVED` others.

    One that is over gets into the history first: the program that played it may have been killed.
    """
    kept = 0
    for played_s, path in sorted(map(_age_of, _folders()), reverse=True):
        if played_s and kept < MOST_SAVED:
            kept += 1
        else:
            delete(DataFolder(path))


def delete(folder: DataFolder) -> None:
    """Delete the game in `folder`, unless a program plays it."""
    with suppress(*UNREADABLE):
        if folder.path.exists():
            with folder.locked():
                shutil.rmtree(folder.path, ignore_errors=True)


def _root() -> Path:
    return default_games_folder() / "unfinished"


def _folders() -> list[Path]:
    """Return the folders of all games that no program plays."""
    try:
        return [path for path in _root().iterdir() if path.is_dir() and not is_locked(path)]
    except OSError:
        return []


def _age_of(path: Path) -> tuple[float, Path]:
    """Return when the game at `path` was played last, and `path`; 0 if it isn't worth saving.

    Of a game that can't be read now, it is the time of the file.
    """
    times = []
    try:
        for saved in _saved_games(path):
            if is_worth_saving(saved.room):
                times.append(saved.played_s)
            else:
                GameRecorder("").record(saved.room, saved.player)
    except UNREADABLE:
        database = DataFolder(path).database
        times = [database.stat().st_mtime] if database.exists() else []
    return max(times, default=0.0), path


def _saved_games(path: Path) -> list[SavedGame]:
    """Return what is in the data folder at `path`: one game, or none if its room wasn't saved yet.

    Raises:
        UnusableData, Damaged, OSError, sqlite3.Error: it can't be read.
    """
    folder = DataFolder(path)
    return [
        SavedGame(
            folder,
            fold_log(stored, record)[0],
            (stored.entries[-1].at_ms if stored.entries else record.made_ms) / 1000,
        )
        for record, stored in read_rooms(folder)
    ]
