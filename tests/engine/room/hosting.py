"""A host for the tests: takes commands, decides, appends to a log and folds it, and no more.

It does what a server's host does, in the same order, without sockets and with a clock that
stands still until a test moves it.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.decide import accepted_seq, decide
from boxroom_engine.room.decision import Refusal
from boxroom_engine.room.evolve import evolve_entry, with_command
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.room import Audience, OnDrop, Room, Settings
from boxroom_engine.room.timers import ClockDue, next_timer
from boxroom_engine.room.view import Snapshot, room_from_snapshot, snapshot, view

LIMITS = RoomLimits(
    bots={
        "dots": ("random", "greedy"),
        "noughts": ("greedy",),
        "stonehenge": ("greedy",),
        "subtract-square": ("greedy",),
    },
    seats=6,
    members=6,
    longest_game=60,
    chat_chars=40,
    name_chars=12,
    grace_ms=10_000,
    missed_clocks=2,
)

ONE_BOX = Settings(options={"rows": 1, "cols": 1})
"""Two seats and the smallest board: h0, h1, v0 and v1, and the last one takes the box."""

Answer = tuple[ev.Event, ...] | int | Refusal
"""What happened, or the seq that a repeat led to before, or why nothing happened."""


class HostedRoom:
    """A room with its log. Ada makes it, and sits in the first seat unless watching."""

    def __init__(
        self,
        settings: Settings = ONE_BOX,
        *,
        limits: RoomLimits = LIMITS,
        watch: bool = False,
        others: Iterable[str] = (),
    ) -> None:
        self.limits = limits
        self.room = Room("attic")
        self.log: list[ev.Entry] = []
        self.now_ms = 1_000_000
        self._ids: Counter[str] = Counter()
        self.does(cmd.Create("4711", "Ada", settings, watch))
        for name in others:
            self.enter(name, admitted=True)

    # What a host does

    def answer(self, command: cmd.Command) -> Answer:
        """Take a command as a server would."""
        member, command_id = None, 0
        if isinstance(command, cmd.Asked):
            member, command_id = command.member, command.command.id
            seq = accepted_seq(self.room, member, command_id)
            if seq is not None:
                return seq
        draft = decide(self.room, command, self.now_ms, self.limits)
        if isinstance(draft, Refusal) or not draft.events:
            return draft if isinstance(draft, Refusal) else ()
        entry = ev.Entry(self.room.seq + 1, self.now_ms, tuple(draft.events), member, command_id)
        self.append(entry)
        assert with_command(draft.room, entry) == self.room, "the draft and the fold differ"
        return entry.events

    def append(self, entry: ev.Entry) -> None:
        """Keep and fold what was decided."""
        self.log.append(entry)
        self.room = evolve_entry(self.room, entry)

    # For tests that know how it ends

    def does(self, command: cmd.Command) -> tuple[ev.Event, ...]:
        """The events of a command that is accepted."""
        answer = self.answer(command)
        assert isinstance(answer, tuple), f"{command} gave {answer}"
        return answer

    def refuses(self, command: cmd.Command) -> str:
        """The code of a command that is refused; it changes nothing and says why."""
        before = self.room
        answer = self.answer(command)
        assert isinstance(answer, Refusal), f"{command} gave {answer}"
        assert answer.sentence
        assert self.room is before
        return answer.code

    def asked(self, member: str, kind: type[cmd.AnyMemberCommand], /, **fields: Any) -> cmd.Asked:
        """A command of `member` with the next id."""
        self._ids[member] += 1
        return cmd.Asked(member, kind(id=self._ids[member], **fields))

    def ask(
        self, member: str, kind: type[cmd.AnyMemberCommand], /, **fields: Any
    ) -> tuple[ev.Event, ...]:
        """The events of a member's command."""
        return self.does(self.asked(member, kind, **fields))

    def refused(self, member: str, kind: type[cmd.AnyMemberCommand], /, **fields: Any) -> str:
        """The code with which a member's command is refused."""
        return self.refuses(self.asked(member, kind, **fields))

    def enter(self, member: str, **fields: bool) -> tuple[ev.Event, ...]:
        return self.does(cmd.Enter(member, **fields))

    def drop(self, member: str) -> tuple[ev.Event, ...]:
        return self.does(cmd.Drop(member))

    @property
    def ply(self) -> int:
        """Of the running game's position."""
        assert self.room.state is not None
        return self.room.state.ply

    @property
    def to_move(self) -> int | None:
        """The seat to move."""
        return self.room.state.to_move if self.room.state is not None else None

    def plays(self, member: str, *moves: str) -> tuple[ev.Event, ...]:
        """What `moves` of a member for the seats whose turn it is lead to."""
        events: tuple[ev.Event, ...] = ()
        for move in moves:
            events += self.ask(member, cmd.Play, seat=self.to_move, move=move, ply=self.ply)
        return events

    def bot_plays(self, move: str) -> tuple[ev.Event, ...]:
        """What a bot's move leads to, of the bot whose turn it is."""
        to_move = self.room.bot_to_move()
        assert to_move is not None
        return self.does(cmd.PlayFor(to_move[0], move, self.ply))

    def misses_the_clock(self, bots_move: str) -> tuple[ev.Event, ...]:
        """What it leads to that the clock runs out and a bot plays `bots_move` instead."""
        timer = next_timer(self.room)
        assert timer is not None
        assert isinstance(timer.due, ClockDue)
        self.now_ms = timer.at_ms
        return self.does(cmd.PlayFor(timer.due.seat, bots_move, timer.due.ply, ev.MoveSource.CLOCK))

    def waits_out_the_grace(self) -> tuple[ev.Event, ...]:
        """What it leads to that somebody's grace time ends, the next one that does."""
        timer = next_timer(self.room)
        assert timer is not None
        assert isinstance(timer.due, cmd.EndGrace)
        self.now_ms = timer.at_ms
        return self.does(timer.due)


def playing(
    settings: Settings = ONE_BOX, *, limits: RoomLimits = LIMITS, spectators: Iterable[str] = ()
) -> HostedRoom:
    """A game that has begun: Ada in seat 0, Bob in seat 1, greedy bots in the others."""
    room = HostedRoom(settings, limits=limits, others=["Bob"])
    if room.room.empty_seats():
        room.ask("Ada", cmd.Fill, bot="greedy")
    for name in spectators:
        room.enter(name, watch=True)
    room.ask("Ada", cmd.Start)
    return room


def with_policy(on_drop: OnDrop, *, seats: int = 2, clock_s: int | None = None) -> Settings:
    """One row of boxes, one for each seat, and what happens when a player drops out."""
    options: dict[str, int | str] = {"rows": 1, "cols": seats}
    return Settings(options=options, seats=seats, clock_s=clock_s, on_drop=on_drop)


def names(events: Iterable[ev.Event]) -> str:
    """The types of `events` in one string, as they are called on the wire."""
    return " ".join(str(event.__struct_config__.tag) for event in events)


class Mirror:
    """A client's copy of a room: restored from a snapshot, and fed what an audience sees."""

    def __init__(self, seen: Snapshot) -> None:
        self.room = room_from_snapshot(seen)

    def follow(self, entry: ev.Entry, audience: Audience) -> None:
        """Fold what `audience` sees of `entry`, or of what is new in it."""
        assert entry.seq <= self.room.seq + 1, "events are missing"
        new = entry.events[self.room.seq + 1 - entry.seq :]
        seen = tuple(view(event, audience) for event in new)
        self.room = evolve_entry(self.room, ev.Entry(self.room.seq + 1, entry.at_ms, seen))

    def equals(self, room: Room, audience: Audience) -> bool:
        """Whether it knows what `audience` may know of `room`: nothing less, nothing more."""
        known = snapshot(self.room, Audience.SPECTATOR)
        return known == snapshot(room, audience) and self.room.state == room.state
