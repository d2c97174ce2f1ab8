"""Room host for tests: it decides on commands, appends entries to a log and applies them.

It does the steps of a server's room host in the same order, without sockets, and with a clock
that only tests advance.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace
from tests.thin_mirror import ThinMirror

from boxroom_common.phrases import is_known
from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.accepted import AcceptedCommands
from boxroom_engine.room.decide import decide
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.evolve import evolve_entry
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.room import Audience, Member, OnDrop, Room, Settings
from boxroom_engine.room.timers import ClockDue, next_timer
from boxroom_engine.room.view import Snapshot, room_from_snapshot, snapshot, view_of_member

LIMITS = RoomLimits(
    bots={
        "dots": ("random", "easy", "greedy"),
        "noughts": ("greedy",),
        "stonehenge": ("greedy",),
        "subtract-square": ("greedy",),
    },
    stand_in="greedy",
    seats=6,
    members=6,
    longest_game=60,
    chat_chars=40,
    name_chars=12,
    grace_ms=10_000,
    missed_clocks=2,
)

ONE_BOX = Settings(options={"rows": 1, "cols": 1})
"""Two seats and the smallest board: lines h0, h1, v0 and v1; the last line takes the box."""

Answer = tuple[ev.Event, ...] | int | CommandRefused
"""New events, the seq that a repeated command led to before, or a refusal."""


class HostedRoom:
    """A room with its log, created by Ada, who sits in the first seat unless `watch` is set."""

    def __init__(
        self,
        settings: Settings = ONE_BOX,
        *,
        limits: RoomLimits = LIMITS,
        watch: bool = False,
        others: Iterable[str] = (),
        person: str = "",
        code: str = "attic",
    ) -> None:
        self.limits = limits
        self.room = Room(code)
        self.accepted = AcceptedCommands()
        self.log: list[ev.Entry] = []
        self.now_ms = 1_000_000
        self._ids: Counter[str] = Counter()
        self.does(cmd.Create("4711", "Ada", settings, watch, person=person))
        for name in others:
            self.enter(name, admitted=True)

    # The work of a host

    def answer(self, command: cmd.Command) -> Answer:
        """Answer a command as a server would."""
        try:
            return self._perform(command)
        except CommandRefused as refused:
            return refused

    def _perform(self, command: cmd.Command) -> tuple[ev.Event, ...] | int:
        member, command_id = None, 0
        if isinstance(command, cmd.FromMember):
            member, command_id = command.member, command.command.id
            answer = self.accepted.answer(member, command_id)
            if answer is not None:
                return answer
        decision = decide(self.room, command, self.now_ms, self.limits)
        if not decision.events:
            return ()
        entry = ev.Entry(self.room.seq + 1, self.now_ms, tuple(decision.events), member, command_id)
        self.append(entry)
        assert decision.room == self.room, "the decision and the fold differ"
        return entry.events

    def append(self, entry: ev.Entry) -> None:
        """Append `entry` to the log, and apply it to the room and its accepted commands."""
        self.log.append(entry)
        self.room = evolve_entry(self.room, entry)
        self.accepted.add(entry, self.room)

    # Shortcuts for tests that expect a certain answer

    def does(self, command: cmd.Command) -> tuple[ev.Event, ...]:
        """Return the events of a command, which must be accepted."""
        answer = self.answer(command)
        assert isinstance(answer, tuple), f"{command} gave {answer}"
        return answer

    def refuses(self, command: cmd.Command) -> str:
        """Return the code with which a command is refused; it must change nothing."""
        before = self.room
        answer = self.answer(command)
        assert isinstance(answer, CommandRefused), f"{command} gave {answer}"
        assert is_known(answer.phrase)
        assert self.room is before
        return answer.code

    def asked(
        self, member: str, kind: type[cmd.AnyMemberCommand], /, **fields: Any
    ) -> cmd.FromMember:
        """Return a command of `member` with the next id."""
        self._ids[member] = max(self._ids[member], self.accepted.last_id(member)) + 1
        return cmd.FromMember(member, kind(id=self._ids[member], **fields))

    def ask(
        self, member: str, kind: type[cmd.AnyMemberCommand], /, **fields: Any
    ) -> tuple[ev.Event, ...]:
        """Return the events of a member's command, which must be accepted."""
        return self.does(self.asked(member, kind, **fields))

    def refused(self, member: str, kind: type[cmd.AnyMemberCommand], /, **fields: Any) -> str:
        """Return the code with which a member's command is refused."""
        return self.refuses(self.asked(member, kind, **fields))

    def enter(self, member: str, **fields: Any) -> tuple[ev.Event, ...]:
        return self.does(cmd.Enter(member, **fields))

    def drop(self, member: str) -> tuple[ev.Event, ...]:
        return self.does(cmd.Drop((member,)))

    @property
    def ply(self) -> int:
        """Ply of the running game."""
        assert self.room.state is not None
        return self.room.ply

    @property
    def to_move(self) -> int | None:
        """The seat to move."""
        return self.room.state.to_move if self.room.state is not None else None

    def plays(self, member: str, *moves: str) -> tuple[ev.Event, ...]:
        """Return the events of `moves`, which `member` plays for the seats to move."""
        events: tuple[ev.Event, ...] = ()
        for move in moves:
            events += self.ask(member, cmd.Play, seat=self.to_move, move=move, ply=self.ply)
        return events

    def bot_plays(self, move: str) -> tuple[ev.Event, ...]:
        """Return the events of `move` by the bot that is to move."""
        to_move = self.room.bot_to_move()
        assert to_move is not None
        return self.does(cmd.PlayFor(to_move[0], move, self.ply))

    def misses_the_clock(self, bots_move: str) -> tuple[ev.Event, ...]:
        """Return the events after the clock runs out and a bot plays `bots_move`."""
        timer = next_timer(self.room)
        assert timer is not None
        assert isinstance(timer.due, ClockDue)
        self.now_ms = timer.at_ms
        return self.does(cmd.PlayFor(timer.due.seat, bots_move, timer.due.ply, ev.MoveSource.CLOCK))

    def waits_out_the_grace(self) -> tuple[ev.Event, ...]:
        """Return the events at the end of the next grace time."""
        timer = next_timer(self.room)
        assert timer is not None
        assert isinstance(timer.due, cmd.EndGrace)
        self.now_ms = timer.at_ms
        return self.does(timer.due)


def playing(
    settings: Settings = ONE_BOX, *, limits: RoomLimits = LIMITS, spectators: Iterable[str] = ()
) -> HostedRoom:
    """Return a room in a game: Ada in seat 0, Bob in seat 1, greedy bots in the other seats."""
    room = HostedRoom(settings, limits=limits, others=["Bob"])
    if room.room.empty_seats():
        room.ask("Ada", cmd.Fill, bot="greedy")
    for name in spectators:
        room.enter(name, watch=True)
    room.ask("Ada", cmd.Start)
    return room


def with_policy(on_drop: OnDrop, *, seats: int = 2, clock_s: int | None = None) -> Settings:
    """Return settings for one row of boxes, one for each seat, with an `on_drop` policy."""
    options: dict[str, int | str] = {"rows": 1, "cols": seats}
    return Settings(options=options, seats=seats, clock_s=clock_s, on_drop=on_drop)


def names(events: Iterable[ev.Event]) -> str:
    """Return the wire types of `events` in one string."""
    return " ".join(str(event.__struct_config__.tag) for event in events)


class Mirror:
    """A client's mirror of a room: made from a snapshot, then updated with an audience's view.

    Beside it is that of a client without rules, which must know the same.
    """

    def __init__(self, seen: Snapshot) -> None:
        self.room = room_from_snapshot(seen)
        self._thin = ThinMirror(seen)

    def follow(self, entry: ev.Entry, audience: Audience, member: Member | None = None) -> None:
        """Apply the events of `entry` that are new here, as `member` of `audience` sees them."""
        assert entry.seq <= self.room.seq + 1, "events are missing"
        new = entry.events[self.room.seq + 1 - entry.seq :]
        seen = tuple(view_of_member(event, audience, member) for event in new)
        seen_entry = ev.Entry(self.room.seq + 1, entry.at_ms, seen)
        self.room = evolve_entry(self.room, seen_entry)
        self._thin.follow(seen_entry)

    def equals(self, room: Room, audience: Audience, member: Member | None = None) -> bool:
        """Whether the mirror equals `room` as that member sees it, no more and no less."""
        seen = snapshot(room, audience, member)
        known = replace(snapshot(self.room, Audience.SPECTATOR), private=self.room.private)
        assert self._thin.equals(known), "the mirror without rules differs"
        return known == seen and self.room.state == room.state
