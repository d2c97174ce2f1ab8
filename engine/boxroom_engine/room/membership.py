"""Coming, going, coming back, and the host's powers over members."""

from collections.abc import Iterable

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.draft import Draft
from boxroom_engine.room.refusal import Refused
from boxroom_engine.room.room import OnDrop, Phase, Room
from boxroom_engine.room.seating import bot_name, seat_name, vacate
from boxroom_engine.room.settings import check_settings
from boxroom_engine.room.text import same_name


def create(draft: Draft, command: cmd.Create) -> None:
    """The first events of a room's log."""
    if draft.room.seq:
        raise Refused("room_exists", f"there is a room {draft.room.code} already")
    check_settings(command.settings, draft.house)
    draft.add(ev.Created(draft.room.code, command.log, command.member, command.settings))
    draft.add(ev.Joined(command.member))
    if not command.watch:
        _sit_in_first_empty_seat(draft, command.member)


def enter(draft: Draft, command: cmd.Enter) -> None:
    """In, or back; with the seats that are one's own."""
    room, name = draft.room, command.member
    if name in room.barred:
        raise Refused("barred", "you were sent out of this room for good")
    owns_seat = room.is_player(name)
    wants_seat = not command.watch and room.phase is not Phase.PLAYING
    gets_seat = wants_seat and bool(room.empty_seats())
    if name in room.members:
        if not room.is_connected(name):
            draft.add(ev.Returned(name))
    else:
        if room.settings.private and not (command.admitted or owns_seat):
            raise Refused("wrong_password", "this room is private, and that isn't its password")
        if len(room.members) >= draft.house.members and not owns_seat:
            raise Refused("room_full", f"this room has {draft.house.members} members: no more fit")
        if not owns_seat and not gets_seat:
            _check_room_for_spectator(draft)
        draft.add(ev.Joined(name))
    if room.host is None:
        draft.add(ev.HostPassed(name))
    for seat in room.seats_of(name):
        draft.take_back(seat)
    if name not in room.members and not owns_seat and gets_seat:
        _sit_in_first_empty_seat(draft, name)


def _check_room_for_spectator(draft: Draft) -> None:
    room, most = draft.room, draft.house.spectators
    if sum(not room.is_player(name) for name in room.members) >= most:
        raise Refused("room_full", f"this room has {most} spectators: no more fit")


def _sit_in_first_empty_seat(draft: Draft, name: str) -> None:
    if empty := draft.room.empty_seats():
        draft.add(ev.Sat(empty[0], name, seat_name(draft.room, name)))


def leave(draft: Draft, name: str) -> None:
    """Out of one's own accord: no grace time."""
    if draft.room.phase is Phase.PLAYING:
        for seat in draft.room.seats_of(name):
            draft.drop_out(seat)
    else:
        vacate(draft, name)
    draft.add(ev.Left(name))
    draft.pass_host_on(name)


def drop(draft: Draft, command: cmd.Drop) -> None:
    """The connection is lost; a player's seat is kept for the grace time."""
    room, name = draft.room, command.member
    if not room.is_connected(name):
        return
    if room.is_player(name):
        draft.add(ev.Dropped(name, draft.now_ms + draft.house.grace_ms))
    else:
        draft.add(ev.Left(name))
        draft.pass_host_on(name)


def end_grace(draft: Draft, command: cmd.EndGrace) -> None:
    """Nobody came back in time."""
    name = command.member
    member = draft.room.members.get(name)
    if member is None or member.grace_until_ms != command.until_ms:
        raise Refused("stale", f"{name} isn't absent, or has another grace time")
    if draft.now_ms < command.until_ms:
        raise Refused("too_early", f"the grace time of {name} isn't over")
    if draft.room.phase is Phase.PLAYING and draft.room.is_player(name):
        draft.add(ev.GraceOver(name))
        for seat in draft.room.seats_of(name):
            draft.drop_out(seat)
    else:
        vacate(draft, name)
        draft.add(ev.Left(name))
    draft.pass_host_on(name)


def wake(draft: Draft, command: cmd.Wake) -> None:
    """Nobody is connected any more: a fresh grace time for all, and no time lost on the clock."""
    room = draft.room
    if any(not room.is_gone(name) for name in room.members):
        deadline_ms = room.deadline_ms
        if deadline_ms is not None:
            deadline_ms += command.down_ms
        draft.add(ev.Woken(draft.now_ms + draft.house.grace_ms, deadline_ms))


def kick(draft: Draft, host: str, command: cmd.Kick) -> None:
    """Out for the room's life; in a running game the seat goes on by a bot or is out.

    Also somebody who left in the middle of the game, for whose seat the others would wait.
    """
    _send_out(draft, _other(_candidates(draft.room), host, command.member, "kick"))


def expel(draft: Draft, command: cmd.Expel) -> None:
    """The same for anybody by who runs the server; the host's powers pass on."""
    candidates = _candidates(draft.room)
    name = next((known for known in candidates if same_name(known, command.member)), None)
    if name is None:
        raise Refused("no_such_member", f"there is no {command.member} in {draft.room.code}")
    _send_out(draft, name)
    draft.pass_host_on(name)


def _candidates(room: Room) -> Iterable[str]:
    """The members, and who left the running game and has a seat in it."""
    owners = (holder.member for holder in room.seats if holder.member is not None)
    return dict.fromkeys((*room.members, *owners))


def _send_out(draft: Draft, name: str) -> None:
    state = draft.room.running
    if state is None:
        vacate(draft, name)
    else:
        for seat in draft.room.seats_of(name):
            if seat in state.withdrawn:
                continue
            if draft.room.settings.on_drop is OnDrop.BOT:
                bot = draft.house.stand_in
                draft.add(ev.BotSat(seat, bot, bot_name(draft.room, bot)))
            else:
                draft.withdraw(seat, ev.Why.KICKED)
    draft.add(ev.Kicked(name))


def hand_over(draft: Draft, host: str, command: cmd.HandOver) -> None:
    """Another member becomes the host."""
    name = _other(draft.room.members, host, command.member, "hand over to")
    if not draft.room.is_connected(name):
        raise Refused("no_such_member", f"{name} is away: hand over to somebody who is here")
    draft.add(ev.HostPassed(name))


def _other(candidates: Iterable[str], host: str, name: str, deed: str) -> str:
    """The one of `candidates` called `name`, in any case, who isn't the host."""
    found = next((known for known in candidates if same_name(known, name)), None)
    if found is None:
        here = ", ".join(candidates)
        raise Refused("no_such_member", f"there is no {name} here; here are {here}")
    if found == host:
        raise Refused("yourself", f"you can't {deed} yourself")
    return found
