"""When something is due in a room without anybody asking. Timers are data: nothing ticks here."""

from collections.abc import Iterator

from msgspec import Struct

from boxroom_engine.room.commands import EndGrace
from boxroom_engine.room.room import Room


class ClockDue(Struct, frozen=True):
    """The clock of `seat` runs out at position `ply`: a bot plays this one move."""

    seat: int
    ply: int


class Timer(Struct, frozen=True):
    """Something that is due at `at_ms`."""

    at_ms: int
    due: ClockDue | EndGrace


def next_timer(room: Room) -> Timer | None:
    """The earliest thing that is due in `room`, if anything is."""
    return min(_timers(room), key=lambda timer: timer.at_ms, default=None)


def _timers(room: Room) -> Iterator[Timer]:
    state = room.state
    if room.deadline_ms is not None and state is not None and state.to_move is not None:
        yield Timer(room.deadline_ms, ClockDue(state.to_move, state.ply))
    for member in room.members.values():
        if member.grace_until_ms is not None:
            until_ms = member.grace_until_ms
            yield Timer(until_ms, EndGrace(member.name, until_ms))
