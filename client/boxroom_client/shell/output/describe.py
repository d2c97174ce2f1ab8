"""The state of a room as lines for people: game, members, settings, scores, open rooms. Pure."""

import shlex
from collections.abc import Container, Iterator, Sequence

from boxroom_client.servers.address import Address
from boxroom_client.shell import room_settings
from boxroom_client.shell.output.wording import bot_options, sentence
from boxroom_client.text_width import left_aligned, text_width
from boxroom_common.phrases import say
from boxroom_engine.bots.levels import called
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


def game_of(room: Room) -> Game:
    """Return the game on the board, or the one that the room would start."""
    return room.state.game if room.state else room.settings.make_game()


def standing(room: Room, me: str) -> Iterator[str]:
    """Yield a few sentences about the room for a member who has just come in."""
    what = room_settings.in_words(room.settings)
    yield say("room.standing", room=room.code, what=what, seats=_seats(room))
    match room.phase:
        case Phase.WAITING:
            yield waiting(room, me)
        case Phase.PLAYING:
            key = "room.playing" if room.is_player(me) else "room.watching"
            yield say(key, names=[*map(called, room.players)])
            if me in room.joining_next():
                yield say("event.joins_next_you")
            yield from cautions(room)
        case Phase.OVER:
            again = f" {say('advice.rematch')}" if room.can_vote(me) else ""
            yield f"{say('room.over')}{again}"
    for holder in room.seats:
        if holder.coached:
            yield say("event.coached", name=holder.name or "?")


def can_review(room: Room) -> bool:
    """Return whether the game on the board is over, and can be reviewed."""
    if room.state is None or room.phase is not Phase.OVER:
        return False
    return obstacle_to_review(room.state.game) is None


def review_offer(room: Room, me: str) -> str:
    """Return the last part of the keys by which a review is offered: a loser reads another one."""
    has_lost = bool(room.winners) and not set(room.winners) & set(room.seats_of(me))
    return "review" if has_lost else "review_better"


def cautions(room: Room) -> tuple[str, ...]:
    """Return the warnings of bots that may play this game badly or slowly."""
    if room.state is None:
        return ()
    bots = dict.fromkeys(seat.bot for seat in room.seats if seat.bot is not None)
    said = (caution(bot, room.state.game) for bot in bots)
    return tuple(sentence(str(line)) for line in said if line is not None)


def waiting(room: Room, me: str) -> str:
    """Return what has to happen before the game starts, and who can start it."""
    if room.host != me:
        begins = say("wait_for_host" if room.host else "wait_no_host", name=room.host or "")
        sit = "" if room.is_player(me) or not room.free_seats else f" {say('advice.sit')}"
        return f"{begins}{sit}"
    if room.lacking:
        return say("advice.wait_seats", n=room.lacking)
    return say("advice.start_now" if room.free_seats else "advice.wait_start")


def invitation(room: Room, address: Address | None, page: PageUrl | None = None) -> Iterator[str]:
    """Yield what to send to friends, with the line that they type, which begins with spaces.

    `address` is the one by which others reach the server; None if they can't. `page` is the page
    that it has for browsers; None if it has none. The password of a private room isn't known here.
    """
    if address is None:
        yield say("invitation.only_here")
        return
    yield say("invitation.line")
    yield f"  {joining_line(room, address)}"
    is_for_others = page is not None and not is_page_out_of_reach(page)
    if page is not None:
        yield say("invitation.page_qr" if is_for_others else "invitation.page")
        yield f"  {page.to_room(room.code)}"
    if room.settings.private:
        yield say("invitation.private")
    if address.ca_file is not None:
        yield say("invitation.certificate")
    if is_loopback(address.host):
        yield say("invitation.line_here" if is_for_others else "invitation.all_here")


def is_page_out_of_reach(page: PageUrl) -> bool:
    """Return whether the link to `page` means the machine that opens it."""
    return is_loopback(page.host)


def no_link(address: Address | None, page: PageUrl | None) -> str:
    """Return why there is no link for phones, and what to do instead."""
    if address is None:
        return say("invitation.only_here")
    if page is None:
        return say("invitation.no_page")
    return say("invitation.page_here", page=str(page))


def identity_link() -> Iterator[str]:
    """Yield what to know about the link that brings an identity to another device."""
    yield say("identity_link.use")
    yield say("identity_link.care")


def joining_line(room: Room, address: Address) -> str:
    """Return the command line that joins `room` on the server at `address`."""
    server = str(address).removesuffix(f":{TLS_PORT if address.secure else DEFAULT_PORT}")
    authority = "" if address.ca_file is None else f" --ca {shlex.quote(address.ca_file)}"
    return f"boxroom join {server}{authority} --room {shlex.quote(room.code)}"


def _seats(room: Room) -> str:
    seats, empty = say("settings.seats", n=len(room.seats)), len(room.empty_seats())
    return say("room.seats_empty", seats=seats, empty=empty) if empty else seats


def members(
    room: Room, me: str, *, ascii_only: bool, ignored: Container[str] = ()
) -> Iterator[str]:
    """Yield a line for each seat, and one with the spectators; it names those who are `ignored`."""
    for seat, holder in enumerate(room.seats):
        mark = room.mark(Seat(seat)).text(ascii_only=ascii_only)
        who = _holder(holder, room, me, ignored)
        yield f"  {seat + 1:>{len(str(len(room.seats)))}} {mark} {who}"
    watching = [
        name + _remarks(room, name, me, ignored)
        for name in room.members
        if not room.is_player(name)
    ]
    if watching:
        yield f"  {say('spectators')}: {', '.join(watching)}"
    if room.barred:
        yield f"  {say('barred')}: {', '.join(sorted(room.barred))}"


def _holder(holder: SeatHolder, room: Room, me: str, ignored: Container[str]) -> str:
    if holder.is_empty:
        return f"{called(holder.name)} ({say('out')})" if holder.name else say("empty")
    name = called(holder.name or "?")
    if holder.member is None:
        options = bot_options(holder.bot)
        return f"{name} ({', '.join(filter(None, (say('bot'), options)))})"
    is_own = holder.name == holder.member
    device = "" if is_own else f", {say('member.device', name=holder.member)}"
    bot = f", {say('bot_plays', bot=called(holder.bot))}" if holder.bot else ""
    return f"{name}{_remarks(room, holder.member, me, ignored)}{device}{bot}"


def _remarks(room: Room, name: str, me: str, ignored: Container[str]) -> str:
    remarks = [
        *([say("you")] if name == me else []),
        *([say("host")] if name == room.host else []),
        *([say("muted")] if name in room.muted else []),
        *([] if room.is_connected(name) else [say("away")]),
        *filter(None, [away_note(room, name)]),
        *([say("ignored")] if name in ignored else []),
    ]
    return f" ({', '.join(remarks)})" if remarks else ""


def away_note(room: Room, name: str) -> str:
    """Return the note that a member is gone for a moment; empty for one who isn't."""
    member = room.members.get(name)
    if member is None or member.away is None:
        return ""
    return say("back_soon_why" if member.away else "back_soon", text=member.away)


def settings(room: Room, me: str) -> Iterator[str]:
    """Yield the settings as a table, and who can change them."""
    table = list(room_settings.rows(room.settings))
    names = max(len(name) for name, _, _ in table)
    values = max(len(value) for _, value, _ in table)
    for name, value, meaning in table:
        yield f"  {name:<{names}}  {value:<{values}}  {meaning}"
    if room.host == me:
        yield say("advice.set")
    elif room.host is not None:
        yield say("settings.of_host", name=room.host)


def scores(room: Room, columns: int, *, ascii_only: bool) -> list[list[Span]]:
    """Return the mark, name and score of each player, in as many rows as needed."""
    rows: list[list[Span]] = [[]]
    used = 0
    points = room.state.scores if room.state is not None else (0,) * len(room.seats)
    out = room.state.withdrawn if room.state is not None else frozenset()
    for seat, holder in enumerate(room.seats):
        mark = room.mark(Seat(seat)).text(ascii_only=ascii_only)
        name = called(room.players[seat] if room.players else (holder.name or "-"))
        is_out = f" ({say('out')})" if seat in out else ""
        text = f" {name} {points[seat]}{is_out}"
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
        yield say("rooms.none")
        return
    widest = max(text_width(listed_room.room) for listed_room in rooms)
    for number, listed_room in enumerate(rooms, start=1):
        mark = f"  ({say('here')})" if listed_room.room == here else ""
        yield (
            f"  {number:>{len(str(len(rooms)))}}  {left_aligned(listed_room.room, widest)}"
            f"  {_what_is_played(listed_room)}{mark}"
        )


def _what_is_played(room: RoomListed) -> str:
    game = (
        room_settings.in_words(room.settings) if room.settings.game in KINDS else room.settings.game
    )
    counts = {
        "people": room.people,
        "bots": room.bots,
        "watching_n": room.spectators,
        "empty_seats": room.empty_seats,
    }
    there = ", ".join(say(key, n=number) for key, number in counts.items() if number)
    phase = room.phase if room.phase in tuple(Phase) else "rooms.open"  # of a newer server
    return f"{game}; {say(phase)}; {there}"
