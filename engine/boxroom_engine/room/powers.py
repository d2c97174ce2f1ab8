"""The powers of a room's host as a list for menus: what each does now, or why it isn't possible.

The list is made of commands with their arguments filled in, and asks `decide` about each of them,
so that it never says anything else than the rules.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from boxroom_engine.phrases import Phrase
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.decide import decide
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.room import RequestedSettings, Room

MOST_PEOPLE = 8
"""People up to which each of them has powers of its own in the list."""


class Power(Struct, frozen=True, gc=False, omit_defaults=True):
    """A command that a host can give, or could at another time."""

    power: str
    """The command's type, such as `kick`; `power.kick` is the phrase that says what it does."""
    name: str = ""
    """The person or player for whom it is; "": it is for none, or one has still to be chosen."""
    arguments: dict[str, int | str] = {}
    """The command's fields; empty if it has none, or if some have still to be chosen."""
    is_open: bool = False
    """Whether fields have still to be chosen."""
    refused: Phrase | None = None
    """Why it isn't possible now, and what is instead; null: it is possible."""
    message: str = ""
    """The same in English, which a server adds for clients without the phrase."""


def powers(room: Room, member: str, now_ms: int, limits: RoomLimits) -> tuple[Power, ...]:
    """Return the powers of `member` in the order in which they are shown; none but for the host."""
    if member != room.host:
        return ()
    return tuple(
        Power(
            str(wanted.command.__struct_config__.tag),
            wanted.name,
            {} if wanted.is_open else _arguments(wanted.command),
            wanted.is_open,
            _refusal(room, cmd.FromMember(member, wanted.command), now_ms, limits),
        )
        for wanted in _commands(room, member, limits)
    )


def _arguments(command: cmd.AnyMemberCommand) -> dict[str, int | str]:
    """Return the seat and the member of `command`, as far as it has them."""
    fields = {name: getattr(command, name, None) for name in ("seat", "member")}
    return {name: value for name, value in fields.items() if value is not None}


def _refusal(room: Room, command: cmd.FromMember, now_ms: int, limits: RoomLimits) -> Phrase | None:
    try:
        decide(room, command, now_ms, limits)
    except CommandRefused as refused:
        return refused.phrase
    return None


class _Wanted(Struct, frozen=True):
    command: cmd.AnyMemberCommand
    name: str = ""
    is_open: bool = False
    """Whether an argument of the command is only an example."""


def _commands(room: Room, host: str, limits: RoomLimits) -> Iterator[_Wanted]:
    yield _Wanted(cmd.Start(1))
    other = replace(room.settings, hints=not room.settings.hints)
    yield _Wanted(cmd.Configure(1, RequestedSettings.of(other)), is_open=True)
    bot = next(iter(limits.bots.get(room.settings.game, ())), "")
    yield _Wanted(cmd.SeatBot(1, bot), is_open=True)
    yield _Wanted(cmd.Fill(1, bot), is_open=True)
    yield _Wanted(cmd.Pause(1) if room.pause is None else cmd.Unpause(1))
    yield from _stand_in(room, host)
    yield _Wanted(cmd.Abort(1))
    yield from _for_seats(room, host)
    yield from _for_people(room, host)


def _stand_in(room: Room, host: str) -> Iterator[_Wanted]:
    """Yield the stand-in for the person to move, if it is another one."""
    seat = None if room.running is None else room.running.to_move
    if seat is not None and room.seats[seat].member not in (None, host):
        yield _Wanted(cmd.StandIn(1, seat), room.seats[seat].name or "")


def _for_seats(room: Room, host: str) -> Iterator[_Wanted]:
    for seat, holder in enumerate(room.seats):
        if not holder.is_empty and holder.member != host:
            yield _Wanted(cmd.Unseat(1, seat), holder.name or "")


def _for_people(room: Room, host: str) -> Iterator[_Wanted]:
    others = [name for name in room.members if name != host]
    talking = [name for name in others if name not in room.muted]
    yield from _each_of(talking, cmd.Mute)
    yield from _each_of(sorted(room.muted), cmd.Unmute)
    yield from _each_of(others, cmd.Kick)
    yield from _each_of(sorted(room.barred), cmd.Unbar)
    yield from _each_of([name for name in others if room.is_connected(name)], cmd.HandOver)


_OfPerson = cmd.Mute | cmd.Unmute | cmd.Kick | cmd.Unbar | cmd.HandOver


def _each_of(names: Iterable[str], kind: type[_OfPerson]) -> Iterator[_Wanted]:
    """Yield a command for each of `names`, or if they are many an example that stands for all."""
    named = [_Wanted(kind(1, name), name) for name in names]
    if len(named) <= MOST_PEOPLE:
        yield from named
    else:
        yield _Wanted(named[0].command, is_open=True)
