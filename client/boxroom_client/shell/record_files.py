"""Recorded games in files, one or several each, in Boxroom's own format or in PDN.

A game that can't be read doesn't hide the others of its file: each is read when it is asked for.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from boxroom_engine.decoding import decoded
from boxroom_engine.errors import BoxroomError
from boxroom_engine.games.draughts.pdn import game_of
from boxroom_engine.games.draughts.pdn_text import GameText, games_in, looks_like_pdn
from boxroom_engine.games.errors import FormatError
from boxroom_engine.games.notation import check_characters
from boxroom_engine.games.pdn_records import record_of_pdn
from boxroom_engine.games.record import Record
from boxroom_engine.room.text import clean

EXAMPLE = "dots rows=1 cols=1 border=none | Ada, Bob | h0 v0 h1 v1"

_BARS = EXAMPLE.count("|")


class UnreadableRecord(BoxroomError):
    """The record doesn't exist or can't be read; the message says why."""


@dataclass(frozen=True, slots=True)
class WrittenGame:
    """A game as a file has it, not yet read."""

    place: str
    """The file and the line; empty for a record that stands on the command line."""
    read: Callable[[], Record]

    def record(self) -> Record:
        """Return the record of the game, all of whose moves are legal.

        Raises:
            UnreadableRecord: it has none; the message names the place.
        """
        try:
            record = self.read()
            record.final()
        except FormatError as error:
            where = f"{self.place}: " if self.place else ""
            # It quotes what a stranger has written.
            raise UnreadableRecord(clean(f"{where}that isn't a game: {error}")) from None
        return record


def read_games(source: str) -> tuple[WrittenGame, ...]:
    """Return the games in `source`, at least one: a record, a file's name, or `-` for stdin.

    Several records have a line each, as `boxroom arena --records` writes them; a single one may
    be broken into lines. A file may have games of draughts in PDN instead.

    Raises:
        UnreadableRecord: there is no such file, it can't be read, or it has no game.
    """
    if "|" in source:
        return tuple(_in_records(source, ""))
    name = "standard input" if source == "-" else source
    text = decoded(_content(source))
    games = tuple(_in_pdn(text, name) if looks_like_pdn(text) else _in_records(text, name))
    if not games:
        raise UnreadableRecord(f"there is no game in {name}; a record is such as {EXAMPLE}")
    return games


def _in_pdn(text: str, name: str) -> Iterator[WrittenGame]:
    for game in games_in(text):
        yield WrittenGame(f"{name}, line {game.line}", partial(_record_of, game))


def _record_of(game: GameText) -> Record:
    return record_of_pdn(game_of(game))


def _in_records(text: str, name: str) -> Iterator[WrittenGame]:
    lines = [(at, line) for at, line in enumerate(text.split("\n"), 1) if line.strip()]
    if _is_one(text, [line for _, line in lines]):
        lines = [(lines[0][0], "\n".join(text.split("\n")[lines[0][0] - 1 :]))]
    for at, line in lines:
        place = f"{name}, line {at}" if name else ""
        yield WrittenGame(place, partial(_parsed, line, at))


def _is_one(text: str, lines: list[str]) -> bool:
    """Whether the `lines` of `text` are one record, not a damaged one beside others."""
    if text.count("|") > _BARS or len(lines) < 2:
        return False
    return _is_record(text) or not any(map(_is_record, lines))


def _is_record(text: str) -> bool:
    try:
        Record.parse(text)
    except FormatError:
        return False
    return True


def _parsed(text: str, line: int) -> Record:
    check_characters(text, line)
    return Record.parse(text)


def _content(source: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except FileNotFoundError:
        # A record has spaces, and so have few names of files.
        hint = f"; as a record it would need bars: {EXAMPLE}" if " " in source.strip() else ""
        raise UnreadableRecord(f"there is no file {source}{hint}") from None
    except (OSError, ValueError) as error:  # ValueError: no path at all
        raise UnreadableRecord(f"can't read {source}: {error}") from None
