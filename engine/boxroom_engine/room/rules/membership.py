"""Rules of membership: create, enter, leave, drop and return, kick, mute, pass the host on."""

from collections.abc import Iterable

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.decision import CommandRefused, Decision, refusal
from boxroom_engine.room.limits import first_same
from boxroom_engine.room.room import Member, OnDrop, Phase, Room
from boxroom_engine.room.rules.playing import granted_settings, start_if_all_voted
from boxroom_engine.room.rules.seating import bot_name, take_seat, vacate
from boxroom_engine.room.text import same_name


def create(decision: Decision, command: cmd.Create) -> None:
    """Begin the log of a new room."""
    if decision.room.seq:
        raise refusal("room_exists", name=decision.room.code)
    settings = granted_settings(command.settings, 0, decision.limits)
    decision.add(ev.Created(decision.room.code, command.log, command.member, settings))
    decision.add(ev.Joined(command.member, command.node, command.person))
    if not command.watch:
        take_seat(decision, command.member)


def enter(decision: Decision, command: cmd.Enter) -> None:
    """Let a member in or back in, with the seats that the member owns."""
    name = command.member
    if name in decision.room.barred:
        raise refusal("barred")
    if command.former_name is not None:
        _rename(decision, command.former_name, name)
    room = decision.room
    owns_seat = room.is_player(name)
    if room.seq >= decision.limits.events and not (owns_seat and room.phase is Phase.PLAYING):
        raise refusal("room_ended", n=decision.limits.events)
    wants_seat = not command.watch and room.phase is not Phase.PLAYING
    gets_seat = wants_seat and room.free_seats > len(room.joining_next())
    if name in room.members:
        if room.members[name] != Member(name, node=command.node, person=command.person):
            decision.add(ev.Returned(name, command.node, command.person))
    else:
        if room.settings.private and not (command.admitted or owns_seat):
            raise refusal("wrong_password")
        most = decision.limits.members
        if len(room.members) >= most and not owns_seat:
            raise refusal("room_full", n=most)
        if not owns_seat and not gets_seat:
            _check_space_for_spectator(decision)
        decision.add(ev.Joined(name, command.node, command.person))
    if room.host is None:
        decision.add(ev.HostPassed(name))
    for seat in room.seats_of(name):
        decision.take_back(seat)
    if name in room.members or owns_seat:
        if decision.events:
            start_if_all_voted(decision)
        return
    if gets_seat:
        take_seat(decision, name)
    elif not command.watch and room.settings.seat_range is not None and room.free_places > 0:
        decision.add(ev.RematchWanted(name))


def _rename(decision: Decision, former: str, name: str) -> None:
    """Let the membership of `former` go on as `name`; without one, this is an ordinary entry."""
    room = decision.room
    if former == name or not (former in room.members or room.is_player(former)):
        return
    if room.phase is Phase.PLAYING:
        raise refusal("game_on.rename")
    holders = (holder.name for holder in room.seats if holder.name)
    rows = (row.name for row in (*room.table, *room.series))
    others = {*holders, *room.members, *rows} - {former}
    like = decision.limits.look_alike(name, sorted(others))
    if like is not None and not same_name(like, name):
        raise refusal("looks_alike", name=name, like=like)
    if like is not None:
        raise refusal("name_taken.seat", name=name)
    decision.add(ev.Renamed(former, name))


def _check_space_for_spectator(decision: Decision) -> None:
    most = decision.limits.spectators
    if decision.room.spectators >= most:
        raise refusal("room_full.spectators", n=most)


def leave(decision: Decision, name: str) -> None:
    """Remove a member who leaves deliberately: without a grace time."""
    if decision.room.phase is Phase.PLAYING:
        for seat in decision.room.seats_of(name):
            decision.drop_out(seat)
    else:
        vacate(decision, name)
    decision.add(ev.Left(name))
    decision.pass_host_on(name)


def drop(decision: Decision, command: cmd.Drop) -> None:
    """Record lost connections; a player keeps the seat for the grace time."""
    for name in command.members:
        room = decision.room
        if room.is_connected(name) and room.members[name].node == command.node:
            _drop(decision, name)


def _drop(decision: Decision, name: str) -> None:
    if decision.room.is_player(name):
        decision.add(ev.Dropped(name, decision.time_ms + decision.limits.grace_ms))
    else:
        decision.add(ev.Left(name))
        decision.pass_host_on(name)


def end_grace(decision: Decision, command: cmd.EndGrace) -> None:
    """End the grace time of a member who hasn't returned."""
    name = command.member
    member = decision.room.members.get(name)
    if member is None or member.grace_until_ms != command.until_ms:
        raise refusal("stale.grace", name=name)
    if decision.now_ms < command.until_ms:
        raise refusal("too_early.grace", name=name)
    if decision.room.phase is Phase.PLAYING and decision.room.is_player(name):
        decision.add(ev.GraceOver(name))
        for seat in decision.room.seats_of(name):
            decision.drop_out(seat)
    else:
        vacate(decision, name)
        decision.add(ev.Left(name))
    decision.pass_host_on(name)


def wake(decision: Decision, command: cmd.Wake) -> None:
    """Mark all members absent after a restart, with a fresh grace time and no clock time lost."""
    room = decision.room
    if any(not room.is_gone(name) for name in room.members):
        deadline_ms = room.deadline_ms
        if deadline_ms is not None and room.pause is None:
            # A clock has at most its whole time left, whatever the time of day was before.
            whole_ms = (room.settings.clock_s or 0) * 1000
            deadline_ms = min(deadline_ms + command.down_ms, decision.now_ms + whole_ms)
        decision.add(ev.Woken(decision.time_ms + decision.limits.grace_ms, deadline_ms))


def kick(decision: Decision, host: str, command: cmd.Kick) -> None:
    """Remove a member, and bar it; in a running game a bot takes the seat or it withdraws.

    The host may also kick a person who left during the game and still holds a seat, as the
    others might have to wait for that seat.
    """
    _remove(
        decision,
        _find_other(_candidates(decision.room), host, command.member, refusal("yourself.kick")),
    )


def unbar(decision: Decision, command: cmd.Unbar) -> None:
    """Let a person enter again who was removed."""
    barred = sorted(decision.room.barred)
    name = first_same(command.member, barred)
    if name is None:
        if not barred:
            raise refusal("no_such_member.nobody_barred", name=command.member)
        raise refusal("no_such_member.barred", name=command.member, names=barred)
    decision.add(ev.Unbarred(name))


def mute(decision: Decision, host: str, command: cmd.Mute) -> None:
    """Refuse what a member says from now on, also after the member has left and come back."""
    room = decision.room
    name = _find_other(room.members, host, command.member, refusal("yourself.mute"))
    if name in room.muted:
        raise refusal("no_change.muted", name=name)
    decision.add(ev.Muted(name))


def unmute(decision: Decision, command: cmd.Unmute) -> None:
    """Let a muted person talk again; a host who was muted before may also name itself."""
    name = first_same(command.member, sorted(decision.room.muted))
    if name is None:
        raise refusal("no_such_member.muted", name=command.member)
    decision.add(ev.Unmuted(name))


def expel(decision: Decision, command: cmd.Expel) -> None:
    """Remove any member, the host too, for the server's operator."""
    candidates = _candidates(decision.room)
    name = first_same(command.member, candidates)
    if name is None:
        raise refusal("no_such_member.room", name=command.member, room=decision.room.code)
    _remove(decision, name)
    decision.pass_host_on(name)


def _candidates(room: Room) -> Iterable[str]:
    """Return the members, and those who left the running game but still hold a seat in it."""
    owners = (holder.member for holder in room.seats if holder.member is not None)
    return dict.fromkeys((*room.members, *owners))


def _remove(decision: Decision, name: str) -> None:
    state = decision.room.running
    if state is None:
        vacate(decision, name)
    else:
        for seat in decision.room.seats_of(name):
            if seat in state.withdrawn:
                continue
            if decision.room.settings.on_drop is OnDrop.BOT:
                bot = decision.limits.stand_in
                decision.add(ev.BotSat(seat, bot, bot_name(decision.room, bot)))
            else:
                decision.withdraw(seat, ev.WithdrawalReason.KICKED)
    decision.add(ev.Kicked(name))


def hand_over(decision: Decision, host: str, command: cmd.HandOver) -> None:
    """Make another member the host."""
    decision.add(
        ev.HostPassed(find_here(decision.room, host, command.member, refusal("yourself.hand_over")))
    )


def find_here(room: Room, me: str, name: str, for_me: CommandRefused) -> str:
    """Return the connected member called `name`, in any case; raise `for_me` if it is `me`."""
    found = _find_other(room.members, me, name, for_me)
    if not room.is_connected(found):
        raise refusal("no_such_member.away", name=found)
    return found


def _find_other(candidates: Iterable[str], me: str, name: str, for_me: CommandRefused) -> str:
    """Return the candidate called `name`, in any case; raise `for_me` if it is `me`."""
    found = first_same(name, candidates)
    if found is None:
        raise refusal("no_such_member", name=name, names=list(candidates))
    if found == me:
        raise for_me
    return found
