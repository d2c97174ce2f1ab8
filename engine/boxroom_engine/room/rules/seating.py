"""Rules of seats: people sit and stand, the host seats bots and empties seats."""

from collections.abc import Iterable, Iterator, Set

from boxroom_engine.games.protocol import Seat
from boxroom_engine.phrases import LocalizedError
from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.decision import CommandRefused, Decision, refusal
from boxroom_engine.room.limits import bot_kind
from boxroom_engine.room.room import Phase, Room
from boxroom_engine.room.text import clean_name, fold, same_name

_MOST_CHARS_SHOWN = 32


def sit(decision: Decision, member: str, command: cmd.Sit) -> None:
    """Seat a member; during a game the member can only take back a seat from a stand-in."""
    room = decision.room
    mine = room.seats_of(member)
    if room.phase is Phase.PLAYING:
        stood_in = [seat for seat in mine if room.seats[seat].bot is not None]
        if not stood_in or command.seat not in (None, *stood_in):
            raise refusal("game_on.watch")
        for seat in stood_in if command.seat is None else [Seat(command.seat)]:
            decision.take_back(seat)
        return
    if mine and command.name is None:
        raise refusal("already_seated", seat=mine[0])
    seat = _free_seat(decision, command.seat)
    decision.add(ev.Sat(seat, member, _chosen_name(decision, member, command.name)))


def _chosen_name(decision: Decision, member: str, wanted: str | None) -> str:
    if wanted is None:
        return seat_name(decision.room, member)
    name = clean_name(wanted, decision.limits.name_chars)
    if name is None:
        raise refusal("bad_name", n=decision.limits.name_chars)
    if (mistake := decision.limits.mistake_in_new_name(name)) is not None:
        raise CommandRefused("bad_name", mistake)
    members = (name for name in decision.room.members if name != member)
    like = decision.limits.look_alike(name, (*_seat_names(decision.room), *members))
    if like is not None and not same_name(like, name):
        raise refusal("looks_alike", name=name, like=like)
    if like is not None:
        raise refusal("name_taken.seat", name=name)
    return name


def stand(decision: Decision, member: str, command: cmd.Stand) -> None:
    """Empty one seat of a member, or all of them; a spectator gives up the one in the next game."""
    room = decision.room
    mine = room.seats_of(member)
    if command.seat is None and not mine and member in room.rematch:
        decision.add(ev.RematchUnwanted(member))
        return
    if command.seat is None and not mine:
        raise refusal("not_your_seat.stand")
    if command.seat is not None and command.seat not in mine:
        raise refusal("not_your_seat", seat=command.seat)
    if room.phase is Phase.PLAYING:
        raise refusal("game_on.stand")
    for seat in mine if command.seat is None else [Seat(command.seat)]:
        _empty(decision, seat)


def seat_bot(decision: Decision, command: cmd.SeatBot) -> None:
    """Seat a bot in one empty seat, or instead of another bot."""
    bot = checked_bot(decision, command.bot)
    seat = _seat_for_bot(decision, command.seat)
    holder = decision.room.seats[seat]
    if holder.bot == bot:
        raise refusal("no_change.bot")
    if not holder.is_empty:
        decision.add(ev.Vacated(seat))
    decision.add(ev.BotSat(seat, bot, bot_name(decision.room, bot)))


def fill(decision: Decision, command: cmd.Fill) -> None:
    """Seat a bot in every empty seat."""
    bot = checked_bot(decision, command.bot)
    empty = decision.room.empty_seats()
    if not empty:
        raise refusal("no_empty_seat.host")
    taken = _names_here(decision.room)
    for seat in empty:
        name = _unused(bot_kind(bot), taken)
        decision.add(ev.BotSat(seat, bot, name))
        taken.add(fold(name))


def unseat(decision: Decision, command: cmd.Unseat) -> None:
    """Empty a seat of any holder; a holder who is gone and has no other seat leaves the room."""
    seat = checked_seat(decision.room, command.seat)
    holder = decision.room.seats[seat]
    if holder.is_empty:
        raise refusal("seat_empty", seat=seat)
    _unseat(decision, seat)


def _unseat(decision: Decision, seat: Seat) -> None:
    name = decision.room.seats[seat].member
    _empty(decision, seat)
    room = decision.room
    if name in room.members and room.is_gone(name) and not room.is_player(name):
        decision.add(ev.Left(name))


def vacate(decision: Decision, member: str) -> None:
    """Empty every seat of `member`."""
    for seat in decision.room.seats_of(member):
        _empty(decision, seat)


def _empty(decision: Decision, seat: Seat) -> None:
    """Empty `seat`; a person without another one doesn't take part in the next game."""
    name = decision.room.seats[seat].member
    decision.add(ev.Vacated(seat))
    if name in decision.room.rematch and not decision.room.is_player(name):
        decision.add(ev.RematchUnwanted(name))


def take_seat(decision: Decision, member: str) -> None:
    """Seat `member` in the first empty seat, or in a new one."""
    decision.add(ev.Sat(_free_seat(decision, None), member, seat_name(decision.room, member)))


def seat_joining(decision: Decision, joining: Iterable[str]) -> None:
    """Seat spectators who waited for the next game in a room that waits now, if seats are free."""
    for name in joining:
        if decision.room.free_seats:
            take_seat(decision, name)


def prepare_seats(decision: Decision) -> None:
    """Seat the spectators who wait for the next game, and drop the seats that it doesn't need."""
    joining = decision.room.joining_next()
    _give_up_seats_of_gone(decision, len(joining))
    for name in joining:
        if not decision.room.empty_seats() and _can_add_seat(decision.room):
            _add_seat(decision)
        if decision.room.empty_seats():
            take_seat(decision, name)
    drop_empty_seats(decision, decision.room.settings.least_seats)


def _give_up_seats_of_gone(decision: Decision, joining: int) -> None:
    """Empty seats of people who are gone; as many stay as the game needs beside `joining`."""
    room = decision.room
    gone = [
        Seat(n) for n, each in enumerate(room.seats) if each.member and room.is_gone(each.member)
    ]
    taken = len(room.seats) - len(room.empty_seats())
    needed = room.settings.least_seats - (taken - len(gone)) - joining
    for seat in gone[max(0, needed) :]:
        _unseat(decision, seat)


def drop_empty_seats(decision: Decision, least: int) -> None:
    """Drop empty seats, the last ones first, until there are none or `least` seats in all."""
    room = decision.room
    surplus = max(0, len(room.seats) - least)
    dropped = set(room.empty_seats()[::-1][:surplus])
    if dropped:
        kept = tuple(seat for seat in range(len(room.seats)) if seat not in dropped)
        decision.add(ev.Reseated(kept, len(kept)))


def _can_add_seat(room: Room) -> bool:
    return len(room.seats) < room.settings.most_seats


def _add_seat(decision: Decision) -> None:
    kept = tuple(range(len(decision.room.seats)))
    decision.add(ev.Reseated(kept, len(kept) + 1))


def _free_seat(decision: Decision, number: int | None) -> Seat:
    """Return the empty seat `number`; or the first empty one, or a new one."""
    if number is None and not decision.room.empty_seats() and decision.room.free_seats:
        _add_seat(decision)
    return _empty_seat(decision.room, number)


def seat_name(room: Room, wanted: str) -> str:
    """Return `wanted`, with a number after it if a seat has that name: `wanted 2`."""
    return _unused(wanted, _folded_seat_names(room))


def bot_name(room: Room, bot: str) -> str:
    """Return a name for a new bot: its kind, with a number if the name is in use here."""
    return _unused(bot_kind(bot), _names_here(room))


def _names_here(room: Room) -> set[str]:
    """Return the folded names of seats and members."""
    return _folded_seat_names(room) | {fold(name) for name in room.members}


def _folded_seat_names(room: Room) -> set[str]:
    return set(map(fold, _seat_names(room)))


def _seat_names(room: Room) -> Iterator[str]:
    return (holder.name for holder in room.seats if holder.name and not holder.is_empty)


def _unused(wanted: str, taken: Set[str]) -> str:
    """Return `wanted`, with the least number after it whose folded form isn't in `taken`."""
    name, number = wanted, 1
    while fold(name) in taken:
        number += 1
        name = f"{wanted} {number}"
    return name


def checked_bot(decision: Decision, bot: str) -> str:
    """Return `bot` in its normal form, or refuse a bot that can't play here."""
    limits, game = decision.limits, decision.room.settings.game
    if not limits.has_bot(bot, game):
        shown = repr(bot_kind(bot)[:_MOST_CHARS_SHOWN])
        if not (names := limits.bots_named_to_people(game)):
            raise refusal("no_such_bot.none", bot=shown)
        raise refusal("no_such_bot", bot=shown, names=names)
    try:
        return limits.plain_bot(bot)
    except LocalizedError as error:
        raise CommandRefused("bad_option", error.phrase) from None


def checked_seat(room: Room, number: int) -> Seat:
    """Return the seat `number`, or refuse a number that no seat has."""
    if not 0 <= number < len(room.seats):
        raise refusal("no_such_seat", seat=number, last=len(room.seats) - 1)
    return Seat(number)


def _seat_for_bot(decision: Decision, number: int | None) -> Seat:
    """Return the empty seat or bot's seat `number`; or a free seat, or the only bot's."""
    room = decision.room
    if number is not None:
        seat = checked_seat(room, number)
        return seat if room.seats[seat].is_bot else _empty_seat(room, number)
    bots = [Seat(seat) for seat, holder in enumerate(room.seats) if holder.is_bot]
    if room.free_seats:
        return _free_seat(decision, None)
    if not bots:
        raise refusal("no_empty_seat.host")
    if len(bots) > 1:
        raise refusal("no_empty_seat.bots")
    return bots[0]


def _empty_seat(room: Room, number: int | None) -> Seat:
    """Return the empty seat `number`, or the first empty one."""
    if number is None:
        empty = room.empty_seats()
        if not empty:
            raise refusal("no_empty_seat")
        return empty[0]
    seat = checked_seat(room, number)
    holder = room.seats[seat]
    if not holder.is_empty:
        raise refusal("seat_taken", name=holder.name or "?", seat=seat)
    return seat
