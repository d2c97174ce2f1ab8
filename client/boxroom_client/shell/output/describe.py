"""The state of a room as lines for people: game, members, settings, scores, open rooms. Pure."""

import shlex
from collections.abc import Iterator, Sequence

from boxroom_client.servers.address import Address
from boxroom_client.shell import room_settings
from boxroom_client.shell.output.wording import bot_options
from boxroom_client.text_width import left_aligned, text_width
from boxroom_engine.bots.registry import caution
from boxroom_engine.games.drawing import Ink, Span
from boxroom_engine.games.protocol import Game, Seat
from boxroom_engine.games.registry import KINDS
from boxroom_engine.review.review import obstacle_to_review
from boxroom_engine.room.room import Phase, Room, SeatHolder
from boxroom_engine.wire.links import PageUrl
from boxroom_engine.wire.messages import RoomListed
from boxroom_engine.wire.ports import DEFAULT_PORT, TLS_PORT
from boxroom_engine.wire.urls import is_loopback
from boxroom_engine.wording import listed


def game_of(room: Room) -> Game:
    """Return the game on the board, or the one that the room would start."""
    return room.state.game if room.state else room.settings.make_game()


def standing(room: Room, me: str) -> Iterator[str]:
    """Yield a few sentences about the room for a member who has just come in."""
    yield f"Room {room.code}: {room_settings.in_words(room.settings)}, {_seats(room)}."
    match room.phase:
        case Phase.WAITING:
            yield waiting(room, me)
        case Phase.PLAYING:
            watching = "" if room.is_player(me) else "A game is on, and you are watching. "
            yield f"{watching}In order of play: {listed(room.players)}."
            yield from cautions(room)
        case Phase.OVER:
            yield "The game is over." + (
                " Type /rematch to play again." if room.is_player(me) else ""
            )


def can_review(room: Room) -> bool:
    """Return whether the game on the board is over, and can be reviewed."""
    if room.state is None or room.phase is not Phase.OVER:
        return False
    return obstacle_to_review(room.state.game) is None


def cautions(room: Room) -> tuple[str, ...]:
    """Return the warnings of bots that may play this game badly or slowly."""
    if room.state is None:
        return ()
    bots = dict.fromkeys(seat.bot for seat in room.seats if seat.bot is not None)
    said = (caution(bot, room.state.game) for bot in bots)
    return tuple(f"{line[0].upper()}{line[1:]}" for line in said if line is not None)


def waiting(room: Room, me: str) -> str:
    """Return what has to happen before the game starts, and who can start it."""
    empty = len(room.empty_seats())
    seats = "1 seat is" if empty == 1 else f"{empty} seats are"
    if room.host != me:
        whose = f"when {room.host}, the host, starts it" if room.host else "with a host"
        sit = "" if room.is_player(me) or not empty else " /sit takes a seat."
        return f"The game begins {whose}.{sit}"
    if not empty:
        return "You are the host. All seats are taken: /start starts the game."
    return (
        f"You are the host. {seats} empty: wait for somebody to join, or type /bot greedy."
        " /start starts the game, /set changes it."
    )


_ONLY_HERE = "This game is at this computer only. boxroom host makes a room that others can join."


def invitation(room: Room, address: Address | None, page: PageUrl | None = None) -> Iterator[str]:
    """Yield what to send to friends, with the line that they type, which begins with spaces.

    `address` is the one by which others reach the server; None if they can't. `page` is the page
    that it has for browsers; None if it has none. The password of a private room isn't known here.
    """
    if address is None:
        yield _ONLY_HERE
        return
    yield "Friends join with this line:"
    yield f"  {joining_line(room, address)}"
    is_for_others = page is not None and not is_page_out_of_reach(page)
    if page is not None:
        to_phones = "; /qr shows it to a phone" if is_for_others else ""
        yield f"Or they open this link in a browser{to_phones}:"
        yield f"  {page.to_room(room.code)}"
    if room.settings.private:
        yield "It asks them for the password, which you have to tell them."
    if address.ca_file is not None:
        yield "They need that file, with the certificate of your authority."
    if is_loopback(address.host):
        what = "The line" if is_for_others else "That"
        yield f"{what} works on this machine only: no server answers at an address of its network."


def is_page_out_of_reach(page: PageUrl) -> bool:
    """Return whether the link to `page` means the machine that opens it."""
    return is_loopback(page.host)


def no_link(address: Address | None, page: PageUrl | None) -> str:
    """Return why there is no link for phones, and what to do instead."""
    if address is None:
        return _ONLY_HERE
    if page is None:
        return "This server has no page for browsers. /invite shows the line for terminals."
    return f"{page} works on this machine only: no server answers at an address of its network."


def identity_link() -> Iterator[str]:
    """Yield what to know about the link that brings an identity to another device."""
    yield "Open this link in a browser within five minutes. It works once, and brings you there"
    yield "with your name and seat. Whoever opens it plays as you: give it to nobody else."


def joining_line(room: Room, address: Address) -> str:
    """Return the command line that joins `room` on the server at `address`."""
    server = str(address).removesuffix(f":{TLS_PORT if address.secure else DEFAULT_PORT}")
    authority = "" if address.ca_file is None else f" --ca {shlex.quote(address.ca_file)}"
    return f"boxroom join {server}{authority} --room {shlex.quote(room.code)}"


def _seats(room: Room) -> str:
    seats, empty = len(room.seats), len(room.empty_seats())
    return room_settings.number_of_seats(seats) + (f", {empty} empty" if empty else "")


def members(room: Room, me: str, *, ascii_only: bool) -> Iterator[str]:
    """Yield a line for each seat, and one with the spectators."""
    for seat, holder in enumerate(room.seats):
        mark = room.mark(Seat(seat)).text(ascii_only=ascii_only)
        yield f"  {seat + 1:>{len(str(len(room.seats)))}} {mark} {_holder(holder, room, me)}"
    watching = [
        name + _remarks(room, name, me) for name in room.members if not room.is_player(name)
    ]
    if watching:
        yield f"  Watching: {', '.join(watching)}"
    if room.barred:
        yield f"  Sent out: {', '.join(sorted(room.barred))}"


def _holder(holder: SeatHolder, room: Room, me: str) -> str:
    if holder.is_empty:
        return f"{holder.name} (out)" if holder.name else "empty"
    name = holder.name or "?"
    if holder.member is None:
        options = bot_options(holder.bot)
        return f"{name} (bot, {options})" if options else f"{name} (bot)"
    keyboard = "" if holder.name == holder.member else f", at the keyboard of {holder.member}"
    bot = f", {holder.bot} plays for now" if holder.bot else ""
    return f"{name}{_remarks(room, holder.member, me)}{keyboard}{bot}"


def _remarks(room: Room, name: str, me: str) -> str:
    remarks = [
        *(["you"] if name == me else []),
        *(["host"] if name == room.host else []),
        *([] if room.is_connected(name) else ["away"]),
    ]
    return f" ({', '.join(remarks)})" if remarks else ""


def settings(room: Room, me: str) -> Iterator[str]:
    """Yield the settings as a table, and who can change them."""
    table = list(room_settings.rows(room.settings))
    names = max(len(name) for name, _, _ in table)
    values = max(len(value) for _, value, _ in table)
    for name, value, meaning in table:
        yield f"  {name:<{names}}  {value:<{values}}  {meaning}"
    if room.host == me:
        yield 'Between games you change them so: "/set seats 3 clock 30".'
    elif room.host is not None:
        yield f"{room.host}, the host, can change them between games."


def scores(room: Room, columns: int, *, ascii_only: bool) -> list[list[Span]]:
    """Return the mark, name and score of each player, in as many rows as needed."""
    rows: list[list[Span]] = [[]]
    used = 0
    points = room.state.scores if room.state is not None else (0,) * len(room.seats)
    out = room.state.withdrawn if room.state is not None else frozenset()
    for seat, holder in enumerate(room.seats):
        mark = room.mark(Seat(seat)).text(ascii_only=ascii_only)
        name = room.players[seat] if room.players else (holder.name or "-")
        text = f" {name} {points[seat]}{' (out)' if seat in out else ''}"
        if used and used + 3 + 1 + text_width(text) > columns:
            rows.append([])
            used = 0
        gap = [Span("   ", Ink.GAP)] if used else []
        rows[-1] += [*gap, Span(mark, Ink.OWNED, Seat(seat)), Span(text, Ink.DOT)]
        used = sum(text_width(span.text) for span in rows[-1])
    return rows


def open_rooms(rooms: Sequence[RoomListed], here: str | None = None) -> Iterator[str]:
    """Yield the open rooms of a server as a table, numbered from 1."""
    if not rooms:
        yield "There are no open rooms."
        return
    widest = max(text_width(listed_room.room) for listed_room in rooms)
    for number, listed_room in enumerate(rooms, start=1):
        mark = "  (you are here)" if listed_room.room == here else ""
        yield (
            f"  {number:>{len(str(len(rooms)))}}  {left_aligned(listed_room.room, widest)}"
            f"  {_what_is_played(listed_room)}{mark}"
        )


def _what_is_played(room: RoomListed) -> str:
    game = (
        room_settings.in_words(room.settings) if room.settings.game in KINDS else room.settings.game
    )
    there = [
        _number(room.people, "person", "people"),
        _number(room.bots, "bot", "bots"),
        _number(room.spectators, "spectator", "spectators"),
        _number(room.empty_seats, "empty seat", "empty seats"),
    ]
    phase = {"waiting": "waiting", "playing": "playing", "over": "between games"}
    return f"{game}; {phase.get(room.phase, 'open')}; {', '.join(filter(None, there))}"


def _number(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}" if number else ""
