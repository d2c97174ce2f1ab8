"""Timers of a room: clocks and grace times, as data. The server that hosts the room fires them."""

from collections.abc import Iterator

from msgspec import Struct

from boxroom_engine.room.commands import EndGrace
from boxroom_engine.room.room import Room


class ClockDue(Struct, frozen=True):
    """The clock of `seat` runs out in the position with this `ply`; a bot plays the move."""

    seat: int
    ply: int


class Timer(Struct, frozen=True):
    """A clock or a grace time that ends at `at_ms`."""

    at_ms: int
    due: ClockDue | EndGrace


def next_timer(room: Room, told_late_ms: int = 0) -> Timer | None:
    """Return the earliest timer of `room`, if it has any; in a pause it has none.

    The clock begins when the players are told of the turn: so much later than they should be.
    """
    return min(_timers(room, told_late_ms), key=lambda timer: timer.at_ms, default=None)


def _timers(room: Room, told_late_ms: int) -> Iterator[Timer]:
    if room.pause is not None:
        return
    state = room.state
    if room.deadline_ms is not None and state is not None and state.to_move is not None:
        yield Timer(room.deadline_ms + told_late_ms, ClockDue(state.to_move, room.ply))
    for member in room.members.values():
        if member.grace_until_ms is not None:
            until_ms = member.grace_until_ms
            yield Timer(until_ms, EndGrace(member.name, until_ms))
