"""Rules of the coach, which helps one player against bots. The server has it speak."""

from boxroom_engine.games.protocol import Seat
from boxroom_engine.games.registry import kind_of
from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.decision import CommandRefused, Decision, refusal
from boxroom_engine.room.room import Room
from boxroom_engine.room.rules.playing import own_seat


def coach(decision: Decision, member: str, command: cmd.Coach) -> None:
    """Let the coach help the player of a seat, or let it stop, also in a running game."""
    room = decision.room
    seat = own_seat(room, member, command.seat)
    if room.seats[seat].coached == command.on:
        raise refusal("no_change.coach_on" if command.on else "no_change.coach_off")
    if command.on and (obstacle := _obstacle(room, seat)) is not None:
        raise obstacle
    decision.add(ev.Coached(seat, command.on))


def end_where_impossible(decision: Decision) -> None:
    """Let the coach stop where another person has sat down, or the game is another one."""
    for seat, holder in enumerate(decision.room.seats):
        if holder.coached and _obstacle(decision.room, Seat(seat)) is not None:
            decision.add(ev.Coached(seat, on=False))


def _obstacle(room: Room, coached: Seat) -> CommandRefused | None:
    """Return why the coach can't help in the seat `coached`; None if it can."""
    settings = room.settings
    if settings.seats not in kind_of(settings.game).reviewed_seats:
        return refusal("no_coach.game")
    for seat, holder in enumerate(room.seats):
        if seat != coached and holder.member is not None:
            return refusal("no_coach.people", name=holder.name or "?")
    return None
