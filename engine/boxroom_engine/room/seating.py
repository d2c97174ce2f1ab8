"""Seats between games: people sit and stand, the host seats bots and empties seats."""

from boxroom_engine.games.protocol import Seat
from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.draft import Draft
from boxroom_engine.room.house import bot_kind
from boxroom_engine.room.refusal import Refused
from boxroom_engine.room.room import Phase, Room
from boxroom_engine.room.text import clean_name, same_name

_MOST_CHARS_SHOWN = 32


def sit(draft: Draft, member: str, command: cmd.Sit) -> None:
    """Take a seat; during a game only one's own back, from the bot that stands in."""
    room = draft.room
    mine = room.seats_of(member)
    if room.phase is Phase.PLAYING:
        stood_in = [seat for seat in mine if room.seats[seat].bot is not None]
        if not stood_in or command.seat not in (None, *stood_in):
            raise Refused("game_on", "a game is on: watch it, and sit down when it is over")
        for seat in stood_in if command.seat is None else [Seat(command.seat)]:
            draft.take_back(seat)
        return
    if mine and command.name is None:
        raise Refused(
            "already_seated",
            f"you sit in seat {mine[0]}; stand up first, or give a name to sit another person",
        )
    seat = _empty_seat(room, command.seat)
    draft.add(ev.Sat(seat, member, _chosen_name(draft, member, command.name)))


def _chosen_name(draft: Draft, member: str, wanted: str | None) -> str:
    if wanted is None:
        return seat_name(draft.room, member)
    name = clean_name(wanted, draft.house.name_chars)
    if name is None:
        most = draft.house.name_chars
        raise Refused("bad_name", f"a name has 1 to {most} letters, digits, spaces or _ - . '")
    others = [*_seat_names(draft.room), *(name for name in draft.room.members if name != member)]
    if any(same_name(name, other) for other in others):
        raise Refused("name_taken", f"somebody here is called {name} already")
    return name


def stand(draft: Draft, member: str, command: cmd.Stand) -> None:
    """Give up one seat or all of them."""
    room = draft.room
    mine = room.seats_of(member)
    if command.seat is None and not mine:
        raise Refused("not_your_seat", "you have no seat to stand up from")
    if command.seat is not None and command.seat not in mine:
        raise Refused("not_your_seat", f"seat {command.seat} isn't yours")
    if room.phase is Phase.PLAYING:
        raise Refused("game_on", "a game is on: resign to give it up, or leave the room")
    for seat in mine if command.seat is None else [command.seat]:
        draft.add(ev.Vacated(seat))


def seat_bot(draft: Draft, command: cmd.SeatBot) -> None:
    """A bot in one empty seat."""
    bot = _checked_bot(draft, command.bot)
    seat = _empty_seat(draft.room, command.seat)
    draft.add(ev.BotSat(seat, bot, bot_name(draft.room, bot)))


def fill(draft: Draft, command: cmd.Fill) -> None:
    """A bot in every empty seat."""
    bot = _checked_bot(draft, command.bot)
    empty = draft.room.empty_seats()
    if not empty:
        raise Refused("no_empty_seat", "every seat is taken")
    for seat in empty:
        draft.add(ev.BotSat(seat, bot, bot_name(draft.room, bot)))


def unseat(draft: Draft, command: cmd.Unseat) -> None:
    """Empty a seat, whoever holds it; one who is gone was only a member for the seat."""
    seat = _seat(draft.room, command.seat)
    holder = draft.room.seats[seat]
    if holder.is_empty:
        raise Refused("seat_empty", f"nobody sits in seat {seat}")
    draft.add(ev.Vacated(seat))
    member = draft.room.members.get(holder.member or "")
    if member and draft.room.is_gone(member.name) and not draft.room.is_player(member.name):
        draft.add(ev.Left(member.name))


def vacate(draft: Draft, member: str) -> None:
    """Empty every seat of `member`."""
    for seat in draft.room.seats_of(member):
        draft.add(ev.Vacated(seat))


def seat_name(room: Room, wanted: str) -> str:
    """`wanted`, or `wanted 2` and so on if a seat has that name."""
    return _unused(wanted, _seat_names(room))


def bot_name(room: Room, bot: str) -> str:
    """What a new bot is called: its kind, and a number if the name is in use here."""
    return _unused(bot_kind(bot), [*_seat_names(room), *room.members])


def _seat_names(room: Room) -> list[str]:
    return [holder.name for holder in room.seats if holder.name and not holder.is_empty]


def _unused(wanted: str, taken: list[str]) -> str:
    name, number = wanted, 1
    while any(same_name(name, other) for other in taken):
        number += 1
        name = f"{wanted} {number}"
    return name


def _checked_bot(draft: Draft, bot: str) -> str:
    """`bot`, written plainly, if it can be seated."""
    house, game = draft.house, draft.room.settings.game
    if not house.has_bot(bot, game):
        names = ", ".join(house.bots.get(game, ())) or "no bots"
        shown = bot_kind(bot)[:_MOST_CHARS_SHOWN]
        raise Refused("no_such_bot", f"there is no bot {shown!r} for this game; there are {names}")
    try:
        return house.plain_bot(bot)
    except ValueError as error:
        raise Refused("bad_option", str(error)) from None


def _seat(room: Room, number: int) -> Seat:
    if not 0 <= number < len(room.seats):
        last = len(room.seats) - 1
        raise Refused("no_such_seat", f"there is no seat {number}; the seats are 0 to {last}")
    return Seat(number)


def _empty_seat(room: Room, number: int | None) -> Seat:
    """The empty seat `number`, or the first empty one."""
    if number is None:
        empty = room.empty_seats()
        if not empty:
            raise Refused("no_empty_seat", "every seat is taken")
        return empty[0]
    seat = _seat(room, number)
    holder = room.seats[seat]
    if not holder.is_empty:
        raise Refused("seat_taken", f"{holder.name} sits in seat {seat}")
    return seat
