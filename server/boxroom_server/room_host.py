"""The host of one room: takes commands one at a time, decides, appends, hands on.

The rules are the engine's `decide`; the state is the fold of what the log hands back. Beside
that the host keeps three things going that rooms can't do by themselves: timers, bots, and
the end of a room in which nobody is left.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.decide import accepted_seq, decide, last_accepted_id
from boxroom_engine.room.events import By, Entry, HintAsked, Played
from boxroom_engine.room.evolve import evolve_entry
from boxroom_engine.room.house import House
from boxroom_engine.room.refusal import Refusal
from boxroom_engine.room.room import Audience, Room
from boxroom_engine.room.timers import ClockDue, next_timer
from boxroom_engine.room.view import looks_alike, snapshot, view
from boxroom_engine.wire.messages import (
    CLOSE_REPLACED,
    Events,
    Hint,
    InRoom,
    Notice,
    Resumed,
    Thinking,
)
from boxroom_server.bot_workers import BotWorkers
from boxroom_server.clock import Cancellable, Clock
from boxroom_server.guest import Guest
from boxroom_server.hints import Hints
from boxroom_server.metrics import Metrics
from boxroom_server.outbox import Outgoing
from boxroom_server.room_log import Conflict, RoomLog
from boxroom_server.tasks import Tasks

logger = logging.getLogger(__name__)

RECENT_ENTRIES = 250
"""Entries that a host remembers; who missed more gets a snapshot instead of a replay."""

THINKING_SHOWN_AFTER_S = 0.5

RETRY_S = 1.0
"""How long after a failure, such as a log's, the host looks again at what is due."""


Outcome = int | Refusal | Exception
"""What came of a command: the seq that it led to, why it was refused, or what failed."""

Answer = Callable[[Outcome], None]


class _Turn(NamedTuple):
    """What a bot thinks about, and for whom; in no room does it come twice."""

    game: int
    ply: int
    seat: Seat
    by: By


class RoomHost:
    """One room, awake."""

    def __init__(
        self,
        code: str,
        log: RoomLog,
        house: House,
        clock: Clock,
        bots: BotWorkers,
        *,
        metrics: Metrics,
        pace_s: float,
        empty_room_s: float,
        expired: Callable[["RoomHost"], None],
    ) -> None:
        self.room = Room(code)
        self._log = log
        self._house = house
        self._clock = clock
        self._bots = bots
        self._moves = metrics.moves
        self._pace_s = pace_s
        self._empty_room_s = empty_room_s
        self._expired = expired
        self._guests: dict[str, Guest] = {}
        self._recent: deque[Entry] = deque(maxlen=RECENT_ENTRIES)
        self._waiting: deque[tuple[cmd.Command, Answer]] = deque()
        self._is_working = False
        self._appending: asyncio.Future[None] | None = None
        self._tasks = Tasks()
        self._timer: Cancellable | None = None
        self._expiry: Cancellable | None = None
        self._thinking: set[_Turn] = set()
        self._hints = Hints(bots, house, lambda: self.room, self._tell, self._tasks)
        self._end: asyncio.Task[None] | None = None
        self._unfollow = log.follow(code, self._happened)
        self._expire_if_empty()

    # Commands

    def submit(self, command: cmd.Command, answer: Answer) -> None:
        """Let `command` happen after those before it; `answer` is given what came of it.

        Nothing happens in the room between the command and its answer, and both happen before
        this returns, if no other command waits and the log keeps at once.
        """
        self._waiting.append((command, answer))
        if not self._is_working:
            self._is_working = True
            self._work()

    async def perform(self, command: cmd.Command) -> int | Refusal:
        """Let `command` happen: the seq that it led to, or why it was refused."""
        answered: asyncio.Future[int | Refusal] = asyncio.get_running_loop().create_future()
        self.submit(command, partial(_settle, answered))
        return await answered

    async def enter(
        self, guest: Guest, command: cmd.Create | cmd.Enter, after: tuple[str, int] | None = None
    ) -> int | Refusal:
        """Let `guest` in and send it the room, or the events after seq `after` of that log."""
        answered: asyncio.Future[int | Refusal] = asyncio.get_running_loop().create_future()

        def admit(outcome: Outcome) -> None:
            if isinstance(outcome, int):
                if guest.name not in self.room.members:
                    # Another host of the room sent it out at once: it may be barred by now.
                    self.submit(command, admit)
                    return
                self._admit(guest, after)
            _settle(answered, outcome)

        self.submit(command, admit)
        return await answered

    def lost(self, guest: Guest) -> None:
        """The connection of `guest` is gone."""
        if guest.in_room:
            self._dismiss(guest)
            self._tasks.start(self._drop(guest.name))

    async def _drop(self, name: str) -> None:
        """Let `name` drop out, however often the log fails: the others wait for it."""
        while True:
            try:
                await self.perform(cmd.Drop(name))
                return
            except Exception:
                logger.exception("room %s couldn't note that somebody is gone", self.room.code)
                await self._clock.sleep(RETRY_S)

    def remembers(self, asked: cmd.Asked) -> bool:
        """Whether `asked` is the repeat of an accepted command, such as the last one: leave."""
        return accepted_seq(self.room, asked.member, asked.command.id) is not None

    def _work(self) -> None:
        """Do what waits, until nothing does or the log takes its time."""
        while self._waiting:
            command, _ = self._waiting[0]
            outcome = self._attempt(command)
            if outcome is None:
                return
            self._answer(outcome)
        self._is_working = False

    def _attempt(self, command: cmd.Command) -> Outcome | None:
        """What came of `command`; None if the log takes its time."""
        try:
            while True:
                entry = self._entry_for(command)
                if not isinstance(entry, Entry):
                    return entry
                kept = self._log.append(self.room.code, entry)
                if not kept.done():
                    self._appending = kept
                    kept.add_done_callback(partial(self._appended, entry))
                    return None
                outcome = self._outcome_of(entry, kept)
                if outcome is not None:
                    return outcome
        except Exception as error:
            return error

    def _entry_for(self, command: cmd.Command) -> Entry | int | Refusal:
        """What `command` adds to the log; or its outcome if it adds nothing."""
        member, command_id = None, 0
        if isinstance(command, cmd.Asked):
            member, command_id = command.member, command.command.id
            seq = accepted_seq(self.room, member, command_id)
            if seq is not None:
                return seq
        if self._end is not None or not (self.room.seq or isinstance(command, cmd.Create)):
            code = self.room.code  # of a room that has ended, or whose creation was refused
            return Refusal("no_such_room", f"there is no room {code} here any more")
        if isinstance(command, cmd.Drop) and command.member in self._guests:
            return self.room.seq  # it came back over another connection
        if isinstance(command, cmd.Asked) and self._hints.are_coming_for(command):
            return Refusal("hint_coming", "a bot is thinking about a hint for you already")
        now_ms = self._clock.now_ms()
        events = decide(self.room, command, now_ms, self._house)
        if isinstance(events, Refusal):
            return events
        if not events:
            return self.room.seq
        return Entry(self.room.seq + 1, now_ms, tuple(events), member, command_id)

    def _appended(self, entry: Entry, kept: asyncio.Future[None]) -> None:
        """The log took its time with `entry`, and has come to an end with it."""
        self._appending = None
        outcome = self._outcome_of(entry, kept)
        if outcome is not None:
            self._answer(outcome)
        self._work()

    def _outcome_of(self, entry: Entry, kept: asyncio.Future[None]) -> Outcome | None:
        """What came of appending `entry`; None if that has to be decided again."""
        error = kept.exception()
        if error is None:
            return entry.last_seq
        if isinstance(error, Conflict) and self.room.seq >= entry.seq:
            return None  # another writer was first, and the room has moved on
        assert isinstance(error, Exception)
        return error

    def _answer(self, outcome: Outcome) -> None:
        _, answer = self._waiting.popleft()
        answer(outcome)

    # Guests

    def _admit(self, guest: Guest, after: tuple[str, int] | None) -> None:
        """From here on `guest` is sent what happens: what it missed, in one step with that."""
        replaced = self._guests.get(guest.name)
        if replaced is not None and replaced is not guest:
            self._dismiss(replaced)
            replaced.outbox.close(CLOSE_REPLACED, "you came in over another connection")
        self._guests[guest.name] = guest
        guest.in_room = True
        if self._expiry is not None:
            self._expiry.cancel()
            self._expiry = None
        audience = self.room.audience(guest.name)
        last_id = last_accepted_id(self.room, guest.name)
        missed = self._missed(after)
        if after is None or missed is None:
            seen = snapshot(self.room, audience)
            guest.outbox.send(Outgoing(InRoom(guest.name, audience, last_id, seen)))
            return
        guest.outbox.send(Outgoing(Resumed(guest.name, self.room.code, after[1], last_id)))
        for events in missed:
            seen_events = tuple(view(event, audience) for event in events.events)
            guest.outbox.send(Outgoing(Events(events.seq, events.at_ms, seen_events)))

    def _missed(self, after: tuple[str, int] | None) -> list[Events] | None:
        """What happened after a seq of a log, without a gap; None if that isn't known here."""
        if after is None:
            return None
        log, seq = after
        oldest = self._recent[0].seq if self._recent else self.room.seq + 1
        if log != self.room.log or not oldest - 1 <= seq <= self.room.seq:
            return None
        missed = []
        for entry in self._recent:
            seen = max(0, seq + 1 - entry.seq)
            if seen < len(entry.events):
                missed.append(Events(entry.seq + seen, entry.at_ms, entry.events[seen:]))
        return missed

    def _dismiss(self, guest: Guest) -> None:
        guest.in_room = False
        if self._guests.get(guest.name) is guest:
            del self._guests[guest.name]
        self._expire_if_empty()

    def _expire_if_empty(self) -> None:
        if not self._guests and self._expiry is None:
            self._expiry = self._clock.call_later(self._empty_room_s, lambda: self._expired(self))

    # What happened

    def _happened(self, entry: Entry) -> None:
        """The log has kept `entry`: fold it, hand it on, and see what is due next."""
        before = self.room
        self.room = evolve_entry(before, entry)
        self._recent.append(entry)
        self._hand_on(entry)
        if self.room.members is not before.members:
            for guest in list(self._guests.values()):
                if guest.name not in self.room.members:
                    self._dismiss(guest)
        if self.room.members is not before.members or self.room.deadline_ms != before.deadline_ms:
            self._set_timer()
        for event in entry.events:
            if isinstance(event, Played):
                self._moves[event.by] += 1
            elif isinstance(event, HintAsked):
                self._have_advised(Seat(event.seat))
        self._let_bot_think()

    def _hand_on(self, entry: Entry) -> None:
        if looks_alike(entry):
            outgoing = Outgoing(Events(entry.seq, entry.at_ms, entry.events))
            for guest in self._guests.values():
                guest.outbox.send(outgoing)
            return
        by_audience = {
            audience: Outgoing(
                Events(
                    entry.seq,
                    entry.at_ms,
                    tuple(view(event, audience) for event in entry.events),
                )
            )
            for audience in Audience
        }
        for guest in self._guests.values():
            guest.outbox.send(by_audience[self.room.audience(guest.name)])

    # Timers

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        timer = next_timer(self.room)
        if timer is not None:
            delay_s = max(0, timer.at_ms - self._clock.now_ms()) / 1000
            due = timer.due
            self._timer = self._clock.call_later(delay_s, lambda: self._due(due))

    def _due(self, due: ClockDue | cmd.EndGrace) -> None:
        self._timer = None
        state = self.room.state
        match due:
            case cmd.EndGrace():
                self._tasks.start(self._end_grace(due), failed=self._try_again_later)
            case ClockDue(seat, ply) if state is not None and state.ply == ply:
                self._have_played(self._house.stand_in, Seat(seat), state, By.CLOCK)
            case ClockDue():
                self._set_timer()  # the move came in time; now another one is due

    async def _end_grace(self, command: cmd.EndGrace) -> None:
        if isinstance(await self.perform(command), Refusal):
            self._set_timer()  # it fired early, or another timer is the next one now

    def _try_again_later(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._clock.call_later(RETRY_S, self._see_what_is_due)

    def _see_what_is_due(self) -> None:
        self._set_timer()
        self._let_bot_think()

    # Bots

    def _let_bot_think(self) -> None:
        """If a bot is to move, have it think."""
        to_move, state = self.room.bot_to_move(), self.room.state
        if to_move is not None and state is not None:
            seat, bot = to_move
            self._have_played(bot, seat, state, By.BOT)

    def _have_played(self, bot: str, seat: Seat, state: State, by: By) -> None:
        """Have `bot` play in `state`, unless it thinks about that already."""
        turn = _Turn(self.room.game_number, state.ply, seat, by)
        if turn not in self._thinking:
            self._thinking.add(turn)
            self._tasks.start(self._play_bot(bot, state, turn), failed=self._try_again_later)

    async def _play_bot(self, bot: str, state: State, turn: _Turn) -> None:
        """Get a move from a worker and play it, unless the room has moved on by then."""
        try:
            move = await self._think(bot, state, turn)
            if self.room.state is state:  # another game may have come to the same ply
                text = state.game.format_move(move)
                await self.perform(cmd.PlayFor(turn.seat, text, turn.ply, turn.by))
        finally:
            self._thinking.discard(turn)
        if self.room.state is state:
            # The person took the seat back, or the timer was early; either may be past again.
            self._see_what_is_due()

    def _have_advised(self, seat: Seat) -> None:
        """Have a bot think for the person in `seat`, if it is here who has to be told."""
        member = self.room.seats[seat].member
        if member in self._guests:
            self._hints.find(member, seat)

    def _tell(self, member: str, message: Hint | Notice) -> None:
        """Tell `member` alone, if still here."""
        if member in self._guests:
            self._guests[member].outbox.send(Outgoing(message))

    async def _think(self, bot: str, state: State, turn: _Turn) -> Move:
        """The move of `bot`, which takes the time that eyes need to follow."""
        thinking = self._clock.call_later(
            THINKING_SHOWN_AFTER_S, lambda: self._show_thinking(turn.seat, bot)
        )
        pace_s = self._pace_s if turn.by is By.BOT else 0
        pace = asyncio.ensure_future(self._clock.sleep(pace_s))
        try:
            move = await self._bots.choose(self.room.code, bot, state)
            await pace
            return move
        finally:
            thinking.cancel()
            pace.cancel()

    def _show_thinking(self, seat: Seat, bot: str) -> None:
        outgoing = Outgoing(Thinking(seat, bot))
        for guest in self._guests.values():
            guest.outbox.send(outgoing)

    # The list of rooms, and the end

    @property
    def is_listed(self) -> bool:
        """Whether the list of open rooms shows this one: public, with somebody in it."""
        return not self.room.settings.private and bool(self._guests)

    @property
    def is_empty(self) -> bool:
        """Whether nobody is connected."""
        return not self._guests

    async def close(self) -> None:
        """End the room: no command, no timer, no bot, no log."""
        if self._end is None:
            self._end = asyncio.ensure_future(self._close())
        await self._end

    async def close_if_empty(self) -> bool:
        """End the room unless somebody is there or about to come in; whether it has ended."""
        while self._appending is not None:
            await asyncio.wait([self._appending])
        if self.is_empty or self._end is not None:
            await self.close()
        return self._end is not None

    async def _close(self) -> None:
        if self._appending is not None:
            await asyncio.wait([self._appending])
        self._unfollow()
        await self._tasks.cancel()  # before the timers: what ends here may set one
        for waiting in (self._timer, self._expiry):
            if waiting is not None:
                waiting.cancel()
        self._bots.release(self.room.code)
        await self._log.forget(self.room.code)


def _settle(answered: asyncio.Future[int | Refusal], outcome: Outcome) -> None:
    """Give the outcome of a command to who waits for it, if somebody still does."""
    if answered.done():
        return
    if isinstance(outcome, Exception):
        answered.set_exception(outcome)
    else:
        answered.set_result(outcome)
