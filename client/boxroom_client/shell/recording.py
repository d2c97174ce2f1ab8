"""Recorded games: save one, and replay one as events of a room.

The code that narrates and shows rooms can so narrate and show a record.
"""

import dataclasses
from collections.abc import Collection, Iterator
from itertools import count
from pathlib import Path

from msgspec.structs import replace

from boxroom_client.shell.record_files import UnreadableRecord
from boxroom_engine.games.errors import FormatError
from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.games.record import Record
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Member, Phase, Room, SeatHolder, Settings
from boxroom_engine.room.text import clean


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
    # A stranger may have made the record, so its names are cleaned.
    players = tuple(clean(name) or "?" for name in record.players)
    # All players are connected members, so that none is shown as away.
    return Room(
        code="record",
        phase=Phase.PLAYING,
        settings=Settings.of_record(record),
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


def record_of(room: Room, robots: Collection[Seat] = ()) -> Record | None:
    """Return the record of the game on the board of `room`; None before the first game.

    It says which players are bots, and which are `robots` of this user.
    """
    if room.record is None:
        return None
    kinds = dict.fromkeys(robots, " (robot)")
    kinds |= {Seat(i): " (bot)" for i, holder in enumerate(room.seats) if holder.is_bot}
    names = (f"{name}{kinds.get(Seat(i), '')}" for i, name in enumerate(room.players))
    return dataclasses.replace(room.record, players=tuple(names))


def save_text(text: str, path: Path) -> Path:
    """Write `text` to `path`, or to a similar name that isn't in use, and return that path.

    Raises:
        OSError: it can't be written there.
    """
    for candidate in _similar_paths(path.expanduser()):
        try:
            with candidate.open("x", encoding="utf-8") as file:
                file.write(f"{text}\n")
        except FileExistsError:
            continue
        return candidate.resolve()
    raise AssertionError("there is always another name")


def _similar_paths(path: Path) -> Iterator[Path]:
    """Yield `friday.txt`, `friday-2.txt`, `friday-3.txt` and so on."""
    yield path
    for number in count(2):
        yield path.with_name(f"{path.stem}-{number}{path.suffix}")
