"""The host of one room: decides on commands one at a time, appends entries, and publishes them.

The rules are the engine's `decide`; the state is the fold of the entries that the log delivers.
The host also runs timers and bots, and closes a room that has been empty for a while.

A host is *awake* until it is closed, which ends the room, or put to *sleep*, which doesn't. An
asleep host does nothing any more and leaves commands unanswered. Another host continues from the
log.
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
from boxroom_engine.wire.messages import Thinking
from boxroom_server.bots.pool import BotPool
from boxroom_server.clock import Cancellable, Clock
from boxroom_server.net.connection import Connection
from boxroom_server.net.frames import Outgoing
from boxroom_server.ops.metrics import Metrics
from boxroom_server.rooms.bot_turns import BotTurns
from boxroom_server.rooms.hints import Hints
from boxroom_server.rooms.pending_entry import PendingEntry
from boxroom_server.rooms.replay_buffer import ReplayBuffer
from boxroom_server.rooms.room_connections import Membership, RoomConnections
from boxroom_server.storage.ledger import finished_game
from boxroom_server.storage.room_log import CannotSave, Conflict
from boxroom_server.storage.storage import Storage
from boxroom_server.tasks import Tasks

logger = logging.getLogger(__name__)

RETRY_S = 1.0
"""Time after a failure, such as a log's, until the host tries again."""

CHECKPOINT_EVERY = 200
"""Events between two checkpoints, so that waking needn't read the whole log."""

Outcome = int | Refusal | Exception
"""Outcome of a command: the seq that it led to, its refusal, or an error."""

Answer = Callable[[Outcome], None]
"""Receives the outcome of a command."""


class Asleep(Exception):
    """The room sleeps: a command was neither accepted nor refused, and may be repeated later."""


class RoomHost:
    """The host of the room called `room.code`, whose log is called `log`."""

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
        recent_entries: Sequence[Entry] = (),
    ) -> None:
        self.room = room
        """The room as of the last saved entry."""
        self._log_name = log
        self._room_log = storage.room_log
        self._ledger = storage.ledger
        self._limits = limits
        self._clock = clock
        self._bots = bots
        self._moves = metrics.moves  # counted by the maker of the move
        self._empty_room_s = empty_room_s
        self._expired = expired
        self._replay_buffer = ReplayBuffer(recent_entries)
        self._connections = RoomConnections(self._replay_buffer)
        # Seq of the last checkpoint, or a lower bound for it.
        self._checkpoint_seq = recent_entries[0].seq if recent_entries else room.seq
        # Commands without an answer, in order; the first one may be waiting for the log.
        self._queue: deque[tuple[cmd.Command, Answer]] = deque()
        self._is_processing = False  # guards `_process_queue` against re-entrance
        self._pending_entry: PendingEntry | None = None  # given to the log, outcome unknown
        self._append_waiters: list[asyncio.Future[None]] = []  # see `_wait_for_append`
        self._is_asleep = False  # set for good by `sleep`
        self._tasks = Tasks()
        self._timer: Cancellable | None = None  # for a clock or a grace time
        self._expiry: Cancellable | None = None  # runs while no member is connected
        self._bot_turns = BotTurns(
            bots=bots,
            clock=clock,
            pace_s=pace_s,
            tasks=self._tasks,
            room=lambda: self.room,
            perform=self.perform,
            show_thinking=self._show_thinking,
            check_due=self._check_due,
            retry_later=self._retry_later,
        )
        self._hints = Hints(bots, limits, lambda: self.room, self._connections.send_to, self._tasks)
        self._end: asyncio.Task[None] | None = None  # set by `close`
        # Ends the delivery of entries.
        self._unfollow = self._room_log.follow(log, self._apply)
        self._expire_if_empty()

    async def wake(self, down_ms: int) -> None:
        """Continue a room that was read from its log, after `down_ms` without a server.

        Raises:
            CannotSave: nothing can be saved now.
        """
        if self.room.phase is OVER:
            self._save_game()  # the last server may have ended before that was saved
        await self.perform(cmd.Wake(down_ms))
        self._check_due()

    # Commands

    def submit(self, command: cmd.Command, answer: Answer) -> None:
        """Perform `command` after those before it, and call `answer` with the outcome.

        Nothing else happens in the room between the command and its answer. Both happen before
        this returns if no other command waits and the log saves at once.
        """
        self._queue.append((command, answer))
        self._process_queue()

    async def perform(self, command: cmd.Command) -> int | Refusal:
        """Perform `command`, and return the seq that it led to or its refusal.

        Raises:
            CannotSave: it is the server's own command, and can't be saved now.
            Asleep: this host is asleep.
        """
        future: asyncio.Future[int | Refusal] = asyncio.get_running_loop().create_future()
        self.submit(command, partial(_resolve, future))
        return await future

    async def enter(
        self,
        membership: Membership,
        command: cmd.Create | cmd.Enter,
        after: tuple[str, int] | None = None,
    ) -> int | Refusal:
        """Let a member in, and send it the room, or the events after number `after[1]`.

        `after[0]` is the log that these events belong to.

        Raises:
            Asleep: this host is asleep.
        """
        if membership.connection.is_closing:  # perhaps of a ban: it mustn't stay here
            return Refusal("not_a_member", "your connection is about to end: come in over another")
        future: asyncio.Future[int | Refusal] = asyncio.get_running_loop().create_future()

        def admit(outcome: Outcome) -> None:
            if isinstance(outcome, int):
                if membership.name not in self.room.members:
                    # Another host of the room removed it at once: it may be barred by now.
                    self.submit(command, admit)
                    return
                self._add_connection(membership, after)
            _resolve(future, outcome)

        self.submit(command, admit)
        return await future

    def connection_lost(self, membership: Membership) -> None:
        """Remove `membership`, whose connection has closed, and let its member drop out."""
        if membership.in_room:
            self._remove_connection(membership)
            if not self._is_asleep:
                self._tasks.start(self._perform_until_saved(cmd.Drop(membership.name)))

    def expel(self, name: str) -> None:
        """Expel `name` for good, if it is a member, has a seat, or is about to come in."""
        people = (*self.room.members, *(holder.member or "" for holder in self.room.seats))
        if self._queue or any(same_name(known, name) for known in people):
            self._tasks.start(self._perform_until_saved(cmd.Expel(name)))

    def connection_of(self, name: str) -> Connection | None:
        """Return the connection of the member `name`; None if it isn't connected."""
        membership = self._connections.get(name)
        return membership.connection if membership is not None else None

    def disconnect_all(self, reason: str) -> None:
        """Close all connections, as the room has ended."""
        for membership in self._connections:
            self._remove_connection(membership)
            membership.connection.close(CloseCode.GOING_AWAY, reason)

    async def _perform_until_saved(self, command: cmd.Drop | cmd.Expel) -> None:
        """Perform `command` again and again until it is saved, as the other members wait for it."""
        while True:
            try:
                await self.perform(command)
                return
            except Asleep:
                return
            except Exception as error:
                logger.warning(
                    "room %s can't save yet that a member is gone: %r", self.room.code, error
                )
                await self._clock.sleep(RETRY_S)

    def recent_entries(self) -> Sequence[Entry]:
        """Return the latest entries that are still buffered."""
        return self._replay_buffer.entries

    def has_accepted(self, asked: cmd.FromMember) -> bool:
        """Return whether `asked` repeats an accepted command, such as a final `leave`."""
        return accepted_seq(self.room, asked.member, asked.command.id) is not None

    def _process_queue(self) -> None:
        """Process the queue, until it is empty or the log has to be waited for."""
        if self._is_processing:
            return
        self._is_processing = True
        while self._queue and self._pending_entry is None:
            self._process(self._queue[0][0])
        self._is_processing = False

    def _process(self, command: cmd.Command) -> None:
        """Answer `command`, now or once the log has saved its entry."""
        if self._is_asleep:
            self._answer(Asleep())
            return
        try:
            pending = self._decide(command)
        except Exception as error:
            self._answer(error)
            return
        if isinstance(pending, PendingEntry):
            self._pending_entry = pending
            text = pending.for_spectators.payload
            self._room_log.append(self._log_name, pending.entry, text, self._append_finished)
        else:
            self._answer(pending)

    def _decide(self, command: cmd.Command) -> PendingEntry | int | Refusal:
        """Return the entry of `command`, or its outcome if it adds nothing to the log."""
        member, command_id = None, 0
        if isinstance(command, cmd.FromMember):
            member, command_id = command.member, command.command.id
            seq = accepted_seq(self.room, member, command_id)
            if seq is not None:
                return seq
            if self._hints.is_pending_for(command):
                return Refusal("hint_coming", "a bot is thinking about a hint for you already")
        elif isinstance(command, cmd.Drop) and self._connections.get(command.member) is not None:
            return self.room.seq  # the member came back over another connection
        if self._end is not None or not (self.room.seq or isinstance(command, cmd.Create)):
            code = self.room.code  # of a room that has ended, or whose creation was refused
            return Refusal("no_such_room", f"there is no room {code} here any more")
        now_ms = self._clock.now_ms()
        decision = decide(self.room, command, now_ms, self._limits)
        if not isinstance(decision, Decision):
            return decision
        if not decision.events:
            return self.room.seq
        entry = Entry(self.room.seq + 1, now_ms, tuple(decision.events), member, command_id)
        return PendingEntry.of(self.room, entry, with_command(decision.room, entry))

    def _append_finished(self, error: Exception | None) -> None:
        """Handle the log's outcome for the pending entry."""
        pending, self._pending_entry = self._pending_entry, None
        if pending is None:
            return  # `sleep` has abandoned it
        if error is None:
            self._answer(pending.after.seq)
        elif not isinstance(error, Conflict) or self.room.seq < pending.entry.seq:
            self._answer(error)
        # Otherwise another writer was first: the command is decided again in the newer room.
        if self._append_waiters:
            waiters, self._append_waiters = self._append_waiters, []
            for waiter in waiters:
                waiter.set_result(None)
        if self._queue:
            self._process_queue()

    def _answer(self, outcome: Outcome) -> None:
        command, answer = self._queue.popleft()
        if isinstance(outcome, CannotSave) and isinstance(command, _FROM_CLIENTS):
            outcome = Refusal(
                "cannot_save", f"nothing can be saved now, so nothing was done: {outcome}"
            )
        answer(outcome)

    async def _wait_for_append(self) -> None:
        """Wait until no entry is pending."""
        while self._pending_entry is not None:
            waiter = asyncio.get_running_loop().create_future()
            self._append_waiters.append(waiter)
            await waiter

    # Connections

    def _add_connection(self, membership: Membership, after: tuple[str, int] | None) -> None:
        self._connections.add(membership, self.room, after)
        if self._expiry is not None:
            self._expiry.cancel()
            self._expiry = None

    def _remove_connection(self, membership: Membership) -> None:
        self._connections.remove(membership)
        self._expire_if_empty()

    def _expire_if_empty(self) -> None:
        is_over = self._is_asleep or self._end is not None
        if not self._connections and self._expiry is None and not is_over:
            self._expiry = self._clock.call_later(self._empty_room_s, lambda: self._expired(self))

    # Saved entries

    def _apply(self, entry: Entry) -> None:
        """Fold a saved entry into the room, publish it, and start timers and bots."""
        before, pending = self.room, self._pending_entry
        if pending is None or pending.entry is not entry or pending.before is not before:
            # The entry of another writer, or one that `sleep` has abandoned.
            pending = PendingEntry.of(before, entry, evolve_entry(before, entry))
        self.room = room = pending.after
        self._replay_buffer.add(entry)
        self._connections.publish(pending)
        if room.members is not before.members:
            for membership in self._connections:
                if membership.name not in room.members:
                    self._remove_connection(membership)
        if room.phase is OVER and before.phase is not OVER:
            self._save_game()
        if room.seq >= self._checkpoint_seq + CHECKPOINT_EVERY:
            self._checkpoint_seq = room.seq
            self._room_log.save_checkpoint(self._log_name, room)
        if self._is_asleep:
            return
        if room.members is not before.members or room.deadline_ms != before.deadline_ms:
            self._set_timer()
        for event in entry.events:
            if isinstance(event, Played):
                self._moves[event.by] += 1
            elif isinstance(event, HintAsked):
                self._start_hint(Seat(event.seat))
        self._bot_turns.start_bot_to_move(room)

    def _save_game(self) -> None:
        """Save the game that has ended in the ledger."""
        self._ledger.save_game(finished_game(self._log_name, self.room, self._clock.now_ms()))

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
                self._tasks.start(self._end_grace(due), failed=self._retry_later)
            case ClockDue(seat, ply) if state is not None and state.ply == ply:
                self._bot_turns.start(self._limits.stand_in, Seat(seat), state, MoveSource.CLOCK)
            case ClockDue():
                self._set_timer()  # the move came in time; the next one has a timer of its own

    async def _end_grace(self, command: cmd.EndGrace) -> None:
        try:
            outcome = await self.perform(command)
        except CannotSave:
            self._retry_later()
            return
        if isinstance(outcome, Refusal):
            self._set_timer()  # the timer was early, or isn't the next one any more

    def _retry_later(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._clock.call_later(RETRY_S, self._check_due)

    def _check_due(self) -> None:
        self._set_timer()
        self._bot_turns.start_bot_to_move(self.room)

    # Hints, and bots that think

    def _start_hint(self, seat: Seat) -> None:
        """Start a hint for the player in `seat`, if that player is connected to this host."""
        member = self.room.seats[seat].member
        if member is not None and self._connections.get(member) is not None:
            self._hints.start(member, seat)

    def _show_thinking(self, seat: Seat, bot: str) -> None:
        self._connections.send_all(Outgoing.of(Thinking(seat, bot)))

    # The list of rooms, and the end

    @property
    def is_listed(self) -> bool:
        """Whether the list of open rooms shows this one: public, with a connected member."""
        return not self.room.settings.private and bool(self._connections)

    @property
    def is_empty(self) -> bool:
        """Whether no member is connected."""
        return not self._connections

    async def close(self) -> None:
        """End the room: stop all of its activities, and delete its log."""
        if self._end is None:
            self._end = asyncio.ensure_future(self._close())
        await asyncio.shield(self._end)

    async def close_if_empty(self) -> bool:
        """End the room if no member is connected or about to be; return whether it has ended."""
        await self._wait_for_append()
        if self.is_empty or self._end is not None:
            await self.close()
        return self._end is not None

    async def _close(self) -> None:
        await self._stop_activities()
        await self._room_log.delete(self._log_name)

    async def sleep(self) -> None:
        """Stop all activities after the pending append, without ending the room.

        If this is cancelled, because the log takes too long, that append stays unanswered.
        """
        if self._is_asleep:
            return
        self._is_asleep = True
        try:
            if self._end is not None:
                await self._end
            else:
                await self._stop_activities()
        finally:
            self._pending_entry = None
            while self._queue:
                self._answer(Asleep())

    async def _stop_activities(self) -> None:
        """Wait for the pending append, then stop following the log, tasks, timers and bots."""
        await self._wait_for_append()
        self._unfollow()
        await self._tasks.cancel()  # before the timers, as a task that ends may set one
        for timer in (self._timer, self._expiry):
            if timer is not None:
                timer.cancel()
        self._bots.release(self.room.code)


_FROM_CLIENTS = (cmd.FromMember, cmd.Create, cmd.Enter)
"""Commands that are refused if they can't be saved; for the server's own that is an error."""


def _resolve(future: asyncio.Future[int | Refusal], outcome: Outcome) -> None:
    """Set the result of `future` to the outcome of a command, unless it was cancelled."""
    if future.done():
        return
    if isinstance(outcome, Exception):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
