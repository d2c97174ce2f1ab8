"""The host of one room: takes commands one at a time, decides, appends, hands on.

The rules are the engine's `decide`; the state is the fold of what the log hands back. Beside
that the host keeps three things going that rooms can't do by themselves: timers, bots, and
the end of a room in which nobody is left.

A host is *awake* until it is closed, which ends the room, or put to *sleep*, which doesn't:
then it does nothing any more, and what it is asked stays unanswered. Another host goes on
from the log.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial

from websockets.frames import CloseCode

from boxroom_engine.games.protocol import Seat
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.decide import accepted_seq, decide
from boxroom_engine.room.decision import Decision, Refusal
from boxroom_engine.room.events import Entry, HintAsked, MoveSource, Played
from boxroom_engine.room.evolve import evolve_entry, with_command
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.room import OVER, Room
from boxroom_engine.room.text import same_name
from boxroom_engine.room.timers import ClockDue, next_timer
from boxroom_engine.wire.messages import (
    Thinking,
)
from boxroom_server.bots.pool import BotPool
from boxroom_server.clock import Cancellable, Clock
from boxroom_server.net.outbox import Outbox, Outgoing
from boxroom_server.ops.metrics import Metrics
from boxroom_server.rooms.bot_turns import BotTurns
from boxroom_server.rooms.hints import Hints
from boxroom_server.rooms.membership import Membership
from boxroom_server.rooms.pending_entry import PendingEntry
from boxroom_server.rooms.replay_buffer import ReplayBuffer
from boxroom_server.rooms.room_connections import RoomConnections
from boxroom_server.storage.ledger import finished_game
from boxroom_server.storage.room_log import CannotSave, Conflict
from boxroom_server.storage.storage import Storage
from boxroom_server.tasks import Tasks

logger = logging.getLogger(__name__)

RETRY_S = 1.0
"""How long after a failure, such as a log's, the host looks again at what is due."""

CHECKPOINT_EVERY = 200
"""Events after which what they come to is kept, so that waking needn't read them all."""

Outcome = int | Refusal | Exception
"""What came of a command: the seq that it led to, why it was refused, or what failed."""

Answer = Callable[[Outcome], None]


class Asleep(Exception):
    """The room sleeps: nothing was done, and it isn't refused; it may be asked again later."""


class RoomHost:
    """One room, awake: the one called `room.code`, whose log is called `log`."""

    def __init__(
        self,
        room: Room,
        log: str,
        storage: Storage,
        *,
        limits: RoomLimits,
        clock: Clock,
        bots: BotPool,
        metrics: Metrics,
        pace_s: float,
        empty_room_s: float,
        expired: Callable[["RoomHost"], None],
        recent: Sequence[Entry] = (),
    ) -> None:
        self.room = room
        self._log = log
        self._rooms = storage.rooms
        self._ledger = storage.ledger
        self._limits = limits
        self._clock = clock
        self._bots = bots
        self._moves = metrics.moves
        self._empty_room_s = empty_room_s
        self._expired = expired
        self._recent = ReplayBuffer(recent)
        self._guests = RoomConnections(self._recent)
        self._checkpoint_seq = recent[0].seq if recent else room.seq
        self._waiting: deque[tuple[cmd.Command, Answer]] = deque()
        self._is_working = False
        self._appending: PendingEntry | None = None
        self._until_kept: list[asyncio.Future[None]] = []
        self._is_asleep = False
        self._tasks = Tasks()
        self._timer: Cancellable | None = None
        self._expiry: Cancellable | None = None
        self._turns = BotTurns(
            bots=bots,
            clock=clock,
            pace_s=pace_s,
            tasks=self._tasks,
            room=lambda: self.room,
            perform=self.perform,
            show=self._show_thinking,
            see_what_is_due=self._see_what_is_due,
            try_again_later=self._try_again_later,
        )
        self._hints = Hints(bots, limits, lambda: self.room, self._guests.tell, self._tasks)
        self._end: asyncio.Task[None] | None = None
        self._unfollow = self._rooms.follow(log, self._happened)
        self._expire_if_empty()

    async def wake(self, down_ms: int) -> None:
        """Go on with a room that was read from its log, after `down_ms` in which nobody did.

        Raises:
            CannotSave: it can't go on now.
        """
        if self.room.phase is OVER:
            self._keep_game()  # it may have ended at the very end of the last server
        await self.perform(cmd.Wake(down_ms))
        self._see_what_is_due()

    # Commands

    def submit(self, command: cmd.Command, answer: Answer) -> None:
        """Let `command` happen after those before it; `answer` is given what came of it.

        Nothing happens in the room between the command and its answer, and both happen before
        this returns, if no other command waits and the log keeps at once.
        """
        self._waiting.append((command, answer))
        self._work()

    async def perform(self, command: cmd.Command) -> int | Refusal:
        """Let `command` happen: the seq that it led to, or why it was refused.

        Raises:
            CannotSave: it is the server's own, and can't be kept now.
            Asleep: this host does nothing any more.
        """
        answered: asyncio.Future[int | Refusal] = asyncio.get_running_loop().create_future()
        self.submit(command, partial(_settle, answered))
        return await answered

    async def enter(
        self,
        guest: Membership,
        command: cmd.Create | cmd.Enter,
        after: tuple[str, int] | None = None,
    ) -> int | Refusal:
        """Let `guest` in and send it the room, or the events after seq `after` of that log.

        Raises:
            Asleep: this host does nothing any more.
        """
        if guest.outbox.is_closing:  # it may be on its way out for good, and isn't to stay here
            return Refusal("not_a_member", "your connection is about to end: come in over another")
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

    def lost(self, guest: Membership) -> None:
        """The connection of `guest` is gone."""
        if guest.in_room:
            self._dismiss(guest)
            if not self._is_asleep:
                self._tasks.start(self._insist(cmd.Drop(guest.name)))

    def expel(self, name: str) -> None:
        """Send `name` out for good, if it is here, has a seat, or is about to come in."""
        people = (*self.room.members, *(holder.member or "" for holder in self.room.seats))
        if self._waiting or any(same_name(known, name) for known in people):
            self._tasks.start(self._insist(cmd.Expel(name)))

    def outbox_of(self, name: str) -> Outbox | None:
        """Where what the member `name` sees is sent; None if it isn't connected."""
        guest = self._guests.get(name)
        return guest.outbox if guest is not None else None

    def send_all_away(self, reason: str) -> None:
        """Close everybody's connection: there is nothing to come back to."""
        for guest in self._guests:
            self._dismiss(guest)
            guest.outbox.close(CloseCode.GOING_AWAY, reason)

    async def _insist(self, command: cmd.Drop | cmd.Expel) -> None:
        """Let somebody be gone, however often the log fails: the others wait for it."""
        while True:
            try:
                await self.perform(command)
                return
            except Asleep:
                return
            except Exception as error:
                logger.warning(
                    "room %s can't note yet that somebody is gone: %r", self.room.code, error
                )
                await self._clock.sleep(RETRY_S)

    def last_entries(self) -> Sequence[Entry]:
        """What happened last, as far as it is still known here."""
        return self._recent.entries

    def remembers(self, asked: cmd.FromMember) -> bool:
        """Whether `asked` is the repeat of an accepted command, such as the last one: leave."""
        return accepted_seq(self.room, asked.member, asked.command.id) is not None

    def _work(self) -> None:
        """Do what waits, until nothing does or the log takes its time."""
        if self._is_working:
            return
        self._is_working = True
        while self._waiting and self._appending is None:
            self._attempt(self._waiting[0][0])
        self._is_working = False

    def _attempt(self, command: cmd.Command) -> None:
        """Answer `command`, now or when the log has kept what it leads to."""
        if self._is_asleep:
            self._answer(Asleep())
            return
        try:
            step = self._step_for(command)
        except Exception as error:
            self._answer(error)
            return
        if isinstance(step, PendingEntry):
            self._appending = step
            text = step.for_spectators.payload
            self._rooms.append(self._log, step.entry, text, self._appended)
        else:
            self._answer(step)

    def _step_for(self, command: cmd.Command) -> PendingEntry | int | Refusal:
        """What `command` adds to the log; or its outcome if it adds nothing."""
        member, command_id = None, 0
        if isinstance(command, cmd.FromMember):
            member, command_id = command.member, command.command.id
            seq = accepted_seq(self.room, member, command_id)
            if seq is not None:
                return seq
            if self._hints.are_coming_for(command):
                return Refusal("hint_coming", "a bot is thinking about a hint for you already")
        elif isinstance(command, cmd.Drop) and self._guests.get(command.member) is not None:
            return self.room.seq  # it came back over another connection
        if self._end is not None or not (self.room.seq or isinstance(command, cmd.Create)):
            code = self.room.code  # of a room that has ended, or whose creation was refused
            return Refusal("no_such_room", f"there is no room {code} here any more")
        now_ms = self._clock.now_ms()
        draft = decide(self.room, command, now_ms, self._limits)
        if not isinstance(draft, Decision):
            return draft
        if not draft.events:
            return self.room.seq
        entry = Entry(self.room.seq + 1, now_ms, tuple(draft.events), member, command_id)
        return PendingEntry.of(self.room, entry, with_command(draft.room, entry))

    def _appended(self, error: Exception | None) -> None:
        """The log has come to an end with what it was given."""
        step, self._appending = self._appending, None
        if step is None:
            return  # it was given up
        if error is None:
            self._answer(step.after.seq)
        elif not isinstance(error, Conflict) or self.room.seq < step.entry.seq:
            self._answer(error)
        # Else another writer was first, and the room has moved on: it is decided again.
        if self._until_kept:
            waiting, self._until_kept = self._until_kept, []
            for kept in waiting:
                kept.set_result(None)
        if self._waiting:
            self._work()

    def _answer(self, outcome: Outcome) -> None:
        command, answer = self._waiting.popleft()
        if isinstance(outcome, CannotSave) and isinstance(command, _FROM_PEOPLE):
            outcome = Refusal(
                "cannot_save", f"nothing can be saved now, so nothing was done: {outcome}"
            )
        answer(outcome)

    async def _settled(self) -> None:
        """Return when the log has come to an end with what it was given."""
        while self._appending is not None:
            kept = asyncio.get_running_loop().create_future()
            self._until_kept.append(kept)
            await kept

    # Guests

    def _admit(self, guest: Membership, after: tuple[str, int] | None) -> None:
        self._guests.admit(guest, self.room, after)
        if self._expiry is not None:
            self._expiry.cancel()
            self._expiry = None

    def _dismiss(self, guest: Membership) -> None:
        self._guests.dismiss(guest)
        self._expire_if_empty()

    def _expire_if_empty(self) -> None:
        is_over = self._is_asleep or self._end is not None
        if not self._guests and self._expiry is None and not is_over:
            self._expiry = self._clock.call_later(self._empty_room_s, lambda: self._expired(self))

    # What happened

    def _happened(self, entry: Entry) -> None:
        """The log has kept `entry`: fold it, hand it on, and see what is due next."""
        before, step = self.room, self._appending
        if step is None or step.entry is not entry or step.before is not before:
            step = PendingEntry.of(before, entry, evolve_entry(before, entry))  # of another writer
        self.room = room = step.after
        self._recent.add(entry)
        self._guests.hand_on(step)
        if room.members is not before.members:
            for guest in self._guests:
                if guest.name not in room.members:
                    self._dismiss(guest)
        if room.phase is OVER and before.phase is not OVER:
            self._keep_game()
        if room.seq >= self._checkpoint_seq + CHECKPOINT_EVERY:
            self._checkpoint_seq = room.seq
            self._rooms.keep_checkpoint(self._log, room)
        if self._is_asleep:
            return
        if room.members is not before.members or room.deadline_ms != before.deadline_ms:
            self._set_timer()
        for event in entry.events:
            if isinstance(event, Played):
                self._moves[event.by] += 1
            elif isinstance(event, HintAsked):
                self._have_advised(Seat(event.seat))
        self._turns.let_bot_think(room)

    def _keep_game(self) -> None:
        """Note the game that has ended in the ledger."""
        self._ledger.keep_game(finished_game(self._log, self.room, self._clock.now_ms()))

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
                self._turns.have_played(self._limits.stand_in, Seat(seat), state, MoveSource.CLOCK)
            case ClockDue():
                self._set_timer()  # the move came in time; now another one is due

    async def _end_grace(self, command: cmd.EndGrace) -> None:
        try:
            outcome = await self.perform(command)
        except CannotSave:
            self._try_again_later()
            return
        if isinstance(outcome, Refusal):
            self._set_timer()  # it fired early, or another timer is the next one now

    def _try_again_later(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._clock.call_later(RETRY_S, self._see_what_is_due)

    def _see_what_is_due(self) -> None:
        self._set_timer()
        self._turns.let_bot_think(self.room)

    # What only some are told

    def _have_advised(self, seat: Seat) -> None:
        """Have a bot think for the person in `seat`, if it is here who has to be told."""
        member = self.room.seats[seat].member
        if member is not None and self._guests.get(member) is not None:
            self._hints.find(member, seat)

    def _show_thinking(self, seat: Seat, bot: str) -> None:
        self._guests.send_all(Outgoing.of(Thinking(seat, bot)))

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
        await asyncio.shield(self._end)

    async def close_if_empty(self) -> bool:
        """End the room unless somebody is there or about to come in; whether it has ended."""
        await self._settled()
        if self.is_empty or self._end is not None:
            await self.close()
        return self._end is not None

    async def _close(self) -> None:
        await self._rest()
        await self._rooms.forget(self._log)

    async def sleep(self) -> None:
        """Do nothing any more; what was handed to the log comes to its end.

        If this is cancelled, because the log takes too long, that stays unanswered.
        """
        if self._is_asleep:
            return
        self._is_asleep = True
        try:
            if self._end is not None:
                await self._end
            else:
                await self._rest()
        finally:
            self._appending = None
            while self._waiting:
                self._answer(Asleep())

    async def _rest(self) -> None:
        """End everything that goes on by itself."""
        await self._settled()
        self._unfollow()
        await self._tasks.cancel()  # before the timers: what ends here may set one
        for waiting in (self._timer, self._expiry):
            if waiting is not None:
                waiting.cancel()
        self._bots.release(self.room.code)


_FROM_PEOPLE = (cmd.FromMember, cmd.Create, cmd.Enter)


def _settle(answered: asyncio.Future[int | Refusal], outcome: Outcome) -> None:
    """Give the outcome of a command to who waits for it, if somebody still does."""
    if answered.done():
        return
    if isinstance(outcome, Exception):
        answered.set_exception(outcome)
    else:
        answered.set_result(outcome)
