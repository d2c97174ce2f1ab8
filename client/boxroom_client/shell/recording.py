"""Recorded games: read one, save one, and replay one as events of a room.

The code that narrates and shows rooms can so narrate and show a record.
"""

import re
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from msgspec.structs import replace

from boxroom_engine.games.draughts.pdn import parse_games
from boxroom_engine.games.errors import FormatError
from boxroom_engine.games.pdn_records import record_of_pdn
from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.games.record import Record
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Member, Phase, Room, SeatHolder, Settings
from boxroom_engine.room.text import clean

EXAMPLE = "dots rows=1 cols=1 border=none | Ada, Bob | h0 v0 h1 v1"

_BARS = EXAMPLE.count("|")

_IN_PDN = re.compile(r"\s*(?:[\[{;]|[0-9]+\.)")
"""The beginning of a tag, a comment or a numbered move; a record begins with a name."""


class UnreadableRecord(Exception):
    """The record doesn't exist or can't be read; the message says why."""


def read_records(source: str) -> tuple[str, ...]:
    """Return the text of every record in `source`: a record, a file's name, or `-` for stdin.

    Several records have a line each, as `boxroom arena --records` writes them; a single one may
    be broken into lines. A file may have games of draughts in PDN instead.

    Raises:
        UnreadableRecord: there is no such file, or it can't be read.
    """
    text = source if "|" in source else _read(source)
    if _IN_PDN.match(text) is not None:
        return _records_in_pdn(text)
    if text.count("|") <= _BARS:
        return (text,)
    return tuple(line for line in text.splitlines() if line.strip())


def parse_record(text: str) -> Record:
    """Return the record in `text`.

    Raises:
        UnreadableRecord: `text` isn't a record.
    """
    try:
        return Record.parse(text)
    except FormatError as error:
        raise UnreadableRecord(f"that isn't a record: {error}") from None


def _records_in_pdn(text: str) -> tuple[str, ...]:
    try:
        return tuple(record_of_pdn(game).format() for game in parse_games(text))
    except FormatError as error:
        raise UnreadableRecord(f"that isn't a game in PDN: {error}") from None


def _read(source: str) -> str:
    try:
        return sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8")
    except FileNotFoundError:
        # A record has spaces, and so have few names of files.
        hint = f"; as a record it would need bars: {EXAMPLE}" if " " in source.strip() else ""
        raise UnreadableRecord(f"there is no file {source}{hint}") from None
    except (OSError, ValueError) as error:  # ValueError: not UTF-8, or no path at all
        raise UnreadableRecord(f"can't read {source}: {error}") from None


def rooms(record: Record) -> Iterator[tuple[tuple[ev.Event, ...], Room]]:
    """Yield the room at the start and after each token, with the events that led to it.

    Raises:
        UnreadableRecord: a token can't be played; raised when the iteration reaches it.
    """
    positions = record.positions()
    room = replace(_room(record), state=next(positions))
    yield (ev.Started(1, room.players),), room
    for token in record.tokens:
        try:
            after = next(positions)
        except FormatError as error:
            raise UnreadableRecord(f"that isn't a game: {error}") from None
        assert room.state is not None
        events = tuple(_events(room.state, token, after))
        phase = Phase.OVER if after.is_over else Phase.PLAYING
        room = replace(room, state=after, phase=phase, history=f"{room.history} {token}")
        yield events, room


def _room(record: Record) -> Room:
    settings = Settings(record.game.kind.name, dict(record.game.options), record.game.seats)
    # A stranger may have made the record, so its names are cleaned.
    players = tuple(clean(name) or "?" for name in record.players)
    # All players are connected members, so that none is shown as away.
    return Room(
        code="record",
        phase=Phase.PLAYING,
        settings=settings,
        seats=tuple(SeatHolder(number, name, name) for number, name in enumerate(players)),
        members={name: Member(name) for name in players},
        players=players,
        game_number=1,
    )


def _events(before: State, token: str, after: State) -> Iterator[ev.Event]:
    assert before.to_move is not None
    withdrawn = after.withdrawn - before.withdrawn
    if withdrawn:
        (seat,) = withdrawn
        yield ev.Withdrew(seat, ev.WithdrawalReason.RESIGNED, after.to_move, after.scores)
    else:
        yield ev.Played(before.to_move, token, after.taken, after.to_move, after.scores)
    if after.outcome is not None:
        yield ev.Ended(after.outcome.scores, tuple(map(int, after.outcome.winners)))


def record_of(room: Room) -> Record | None:
    """Return the record of the game on the board of `room`; None before the first game."""
    if room.state is None:
        return None
    bots = {Seat(i) for i, holder in enumerate(room.seats) if holder.bot and not holder.member}
    names = (f"{name} (bot)" if i in bots else name for i, name in enumerate(room.players))
    return Record(room.state.game, tuple(names), room.tokens)


def save_record(record: Record, path: Path) -> Path:
    """Write `record` to `path`, or to a similar name that isn't in use, and return that path.

    Raises:
        OSError: it can't be written there.
    """
    for candidate in _similar_paths(path.expanduser()):
        try:
            with candidate.open("x", encoding="utf-8") as file:
                file.write(f"{record}\n")
        except FileExistsError:
            continue
        return candidate.resolve()
    raise AssertionError("there is always another name")


def _similar_paths(path: Path) -> Iterator[Path]:
    """Yield `friday.txt`, `friday-2.txt`, `friday-3.txt` and so on."""
    yield path
    for number in count(2):
        yield path.with_name(f"{path.stem}-{number}{path.suffix}")
