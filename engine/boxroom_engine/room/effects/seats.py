"""Effects on the seats: their holders, their number, and the settings that say it."""

from typing import assert_never

from msgspec.structs import replace

from boxroom_engine.room import events as ev
from boxroom_engine.room.effects.games import without_game
from boxroom_engine.room.room import Room, SeatHolder, Settings


def with_settings(room: Room, settings: Settings) -> Room:
    """Return the room with `settings`: with its number of seats, and without a finished game."""
    kept = tuple(
        SeatHolder(holder.glyph) if holder.is_empty else holder
        for holder in room.seats[: settings.seats]
    )
    seats = _with_new_seats(kept, settings.seats)
    series = room.series if settings.best_of == room.settings.best_of else ()
    return without_game(replace(room, settings=settings, seats=seats, series=series))


def reseated(room: Room, event: ev.Reseated, seq: int) -> Room:
    """Return the room with seats added or dropped."""
    kept = tuple(room.seats[seat] for seat in event.kept)
    return replace(
        room,
        seq=seq,
        settings=replace(room.settings, seats=event.seats),
        seats=_with_new_seats(kept, event.seats),
        request=None,
    )


def _with_new_seats(kept: tuple[SeatHolder, ...], number: int) -> tuple[SeatHolder, ...]:
    """Return `kept` and behind them empty seats, `number` in all, each with a glyph of its own."""
    used = {holder.glyph for holder in kept}
    free = (glyph for glyph in range(number) if glyph not in used)
    return kept + tuple(SeatHolder(next(free)) for _ in range(number - len(kept)))


def with_seat(
    room: Room,
    event: ev.Sat | ev.BotSat | ev.Vacated | ev.StoodIn | ev.TookBack | ev.Coached,
    seq: int,
    at_ms: int,
) -> Room:
    """Return the room after a change of who plays in a seat, or is helped there."""
    seat, before = event.seat, room.seats[event.seat]
    match event:
        case ev.Sat():
            holder = SeatHolder(before.glyph, event.name, member=event.member, since=seq)
            return _with_holder(room, seat, holder, seq)
        case ev.BotSat():
            holder = SeatHolder(before.glyph, event.name, bot=event.bot, since=seq)
            # In a game it plays on for a person who was sent out.
            unrated = room.unrated or room.running is not None
            return _with_holder(replace(room, unrated=unrated), seat, holder, seq, deadline_ms=None)
        case ev.Vacated():
            return _with_holder(room, seat, SeatHolder(before.glyph), seq)
        case ev.StoodIn():
            holder = replace(before, bot=event.bot)
            return _with_holder(replace(room, unrated=True), seat, holder, seq, deadline_ms=None)
        case ev.Coached():
            holder = replace(before, coached=event.on)
            unrated = room.unrated or (event.on and room.running is not None)
            return _with_holder(replace(room, unrated=unrated), seat, holder, seq)
        case ev.TookBack():
            holder = replace(before, bot=None, missed=0)
            back = _with_holder(room, seat, holder, seq, deadline_ms=event.deadline_ms)
            is_to_move = room.running is not None and room.running.to_move == seat
            return replace(back, turn_since_ms=room.time_ms(at_ms)) if is_to_move else back
        case _:
            assert_never(event)


def _with_holder(
    room: Room, seat: int, holder: SeatHolder, seq: int, **deadline: int | None
) -> Room:
    """Return the room with another holder in `seat`, and maybe another clock for the seat.

    Other people decide on a request then, so it ends.
    """
    seats = (*room.seats[:seat], holder, *room.seats[seat + 1 :])
    if deadline and room.state is not None and room.state.to_move == seat:
        return replace(room, seq=seq, seats=seats, request=None, **deadline)
    return replace(room, seq=seq, seats=seats, request=None)
