"""Effects on the members: who is here, who is away, and who has gone."""

from collections.abc import Iterable, Iterator
from typing import assert_never

from msgspec.structs import replace

from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Member, PrivateLine, Room
from boxroom_engine.standings import with_new_name


def with_member(room: Room, member: Member, seq: int) -> Room:
    """Return the room with `member` in its place, or behind the others."""
    return replace(room, seq=seq, members={**room.members, member.name: member})


def with_changed_member(room: Room, event: ev.Renamed | ev.WentAway | ev.CameBack) -> Room:
    """Return the room after what a member tells about itself."""
    if isinstance(event, ev.Renamed):
        return _renamed(room, event)
    text = event.text if isinstance(event, ev.WentAway) else None
    return with_member(room, replace(room.members[event.member], away=text), room.seq)


def _renamed(room: Room, event: ev.Renamed) -> Room:
    """Put the new name of a member in every place of the old one, but for what was said."""
    former, name = event.member, event.name

    def new(known: str | None) -> str | None:
        return name if known == former else known

    def with_new(names: Iterable[str]) -> Iterator[str]:
        return (name if each == former else each for each in names)

    members = {
        each: replace(member, name=name) if each == former else member
        for each, member in room.members.items()
    }
    person = members[former].person if former in members else ""
    return replace(
        room,
        host=new(room.host),
        seats=tuple(
            replace(holder, name=new(holder.name), member=name)
            if holder.member == former
            else holder
            for holder in room.seats
        ),
        members={member.name: member for member in members.values()},
        players=tuple(with_new(room.players)),
        rematch=frozenset(with_new(room.rematch)),
        muted=frozenset(with_new(room.muted)),
        private=tuple(_with_new_name(line, (former, person), name) for line in room.private),
        table=with_new_name(room.table, former, name),
        series=with_new_name(room.series, former, name),
    )


def _with_new_name(line: PrivateLine, former: tuple[str, str], name: str) -> PrivateLine:
    """Return a private message, which that person may go on reading under another name."""
    member, to = (
        name if known == former else known[0]
        for known in zip((line.member, line.to), line.persons, strict=True)
    )
    return replace(line, member=member, to=to)


def woken(room: Room, event: ev.Woken, seq: int, at_ms: int) -> Room:
    """Return the room after a start of the server: all who were here are absent."""
    absent = {
        name: Member(name, connected=False, grace_until_ms=event.until_ms)
        for name in room.members
        if not room.is_gone(name)
    }
    members = {**room.members, **absent}
    return replace(
        room,
        seq=seq,
        members=members,
        deadline_ms=event.deadline_ms,
        turn_since_ms=None
        if room.running is None
        else room.time_ms(at_ms),  # nobody could move meanwhile
        request=None,
    )


def with_clock_stopped_for(room: Room, member: str) -> Room:
    """Stop a clock that runs for `member`, who is gone; `TookBack` starts it again."""
    seat = room.state.to_move if room.state is not None else None
    if room.deadline_ms is None or seat is None or room.seats[seat].member != member:
        return room
    return replace(room, deadline_ms=None)


def without_member(room: Room, name: str, seq: int) -> Room:
    """Return the room without the member called `name`."""
    members = {other: member for other, member in room.members.items() if other != name}
    return replace(room, seq=seq, members=members, rematch=room.rematch - {name})


def kicked(room: Room, name: str, seq: int) -> Room:
    """Remove and bar a member; a seat that withdrew keeps its name on the board."""
    seats = tuple(
        replace(holder, member=None, bot=None, coached=False) if holder.member == name else holder
        for holder in room.seats
    )
    without = without_member(room, name, seq)
    request = None if room.is_player(name) else room.request
    return replace(without, seats=seats, barred=room.barred | {name}, request=request)


def ruled(room: Room, event: ev.Unbarred | ev.Muted | ev.Unmuted, seq: int) -> Room:
    """Return the room after the host has decided who may come in, or talk."""
    names = {event.member}
    match event:
        case ev.Unbarred():
            return replace(room, seq=seq, barred=room.barred - names)
        case ev.Muted():
            return replace(room, seq=seq, muted=room.muted | names)
        case ev.Unmuted():
            return replace(room, seq=seq, muted=room.muted - names)
        case _:
            assert_never(event)
