"""Timers of one room: clocks of moves, and grace times of members who dropped out."""

from boxroom_engine.games.protocol import Seat
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.events import Entry, MoveSource
from boxroom_engine.room.room import Room
from boxroom_engine.room.timers import ClockDue, next_timer
from boxroom_server.clock import Cancellable, Clock
from boxroom_server.rooms.activities.bot_turns import BotTurns
from boxroom_server.rooms.host import RETRY_S, RoomHost
from boxroom_server.rooms.sequencer import Asleep
from boxroom_server.storage.room_log import CannotSave
from boxroom_server.storage.storage import Storage
from boxroom_server.tasks import Tasks


class Outages:
    """The time in which nothing could be saved in `storage`."""

    def __init__(self, storage: Storage, clock: Clock) -> None:
        self._storage = storage
        self._clock = clock
        self._ended_ms = 0  # length of all that have ended
        self._since_ms: int | None = None  # begin of the one that is on
        storage.saving.on_failure_change.append(self._failure_changed)
        self._failure_changed()

    @property
    def total_ms(self) -> int:
        """Length of all outages so far."""
        present_ms = 0 if self._since_ms is None else self._clock.now_ms() - self._since_ms
        return self._ended_ms + present_ms

    @property
    def is_on(self) -> bool:
        """Whether there is one now."""
        return self._since_ms is not None

    def _failure_changed(self) -> None:
        if self._storage.saving.failure is None:
            self._ended_ms, self._since_ms = self.total_ms, None
        elif self._since_ms is None:
            self._since_ms = self._clock.now_ms()


class Timers:
    """The timers of the room of `host`: an `Activity`. Only the earliest one runs.

    When a player's clock has run out, the bot `stand_in` plays that move. Time in which the move of
    the player couldn't have been saved doesn't count.
    """

    def __init__(
        self, host: RoomHost, bot_turns: BotTurns, clock: Clock, stand_in: str, outages: Outages
    ) -> None:
        self._host = host
        self._bot_turns = bot_turns
        self._clock = clock
        self._stand_in = stand_in
        self._outages = outages
        self._tasks = Tasks()  # what timers have started
        self._timer: Cancellable | None = None  # the earliest one, or the next attempt
        self._told_late_ms = 0  # how long the entry of this turn waited to be saved
        self._earlier_outages_ms = outages.total_ms  # before this turn

    def start(self) -> None:
        """Set the timer that is the earliest now."""
        self._cancel_timer()
        timer = next_timer(self._host.room, self._late_ms)
        if timer is not None:
            least_s = RETRY_S if self._outages.is_on else 0.0
            delay_s = max(least_s, (timer.at_ms - self._clock.now_ms()) / 1000)
            due = timer.due
            self._timer = self._clock.call_later(delay_s, lambda: self._handle_due(due))

    def entry_saved(self, entry: Entry, before: Room, after: Room) -> None:
        """Set the timer anew if the entry has changed any."""
        deadline_ms = after.deadline_ms
        has_moved = deadline_ms is not None and after.state is not before.state
        if after.pause is not before.pause and not has_moved:
            self.start()  # a pause leaves a clock what was left of it, with its delays
        elif has_moved or deadline_ms != before.deadline_ms:
            self._told_late_ms = max(0, self._clock.now_ms() - entry.at_ms)
            self._earlier_outages_ms = self._outages.total_ms
            self.start()
        elif after.members is not before.members:
            self.start()

    @property
    def _late_ms(self) -> int:
        """How much later than its deadline the clock of this turn runs out."""
        return self._told_late_ms + self._outages.total_ms - self._earlier_outages_ms

    def _is_time_left(self, room: Room) -> bool:
        deadline_ms = room.deadline_ms
        return deadline_ms is not None and self._clock.now_ms() < deadline_ms + self._late_ms

    async def stop(self) -> None:
        """Cancel the timer, and what it has started."""
        await self._tasks.cancel()
        self._cancel_timer()

    def _handle_due(self, due: ClockDue | cmd.EndGrace) -> None:
        self._timer = None
        room = self._host.room
        match due:
            case cmd.EndGrace():
                self._tasks.start(self._end_grace(due), failed=self._retry_later)
            case ClockDue(seat, ply) if room.state is not None and room.ply == ply:
                if self._is_time_left(room):
                    self.start()  # there was an outage meanwhile
                elif not self._bot_turns.is_played(Seat(seat), room, MoveSource.CLOCK):
                    work = self._play_for_player(Seat(seat), room)
                    self._tasks.start(work, failed=self._retry_later)
            case ClockDue():
                self.start()  # the move came in time; the next one has a timer of its own

    async def _end_grace(self, command: cmd.EndGrace) -> None:
        try:
            await self._host.perform(command)
        except CannotSave:
            self._retry_later()
        except Asleep:
            return
        except CommandRefused:
            self.start()  # the timer was early, or isn't the next one any more

    async def _play_for_player(self, seat: Seat, room: Room) -> None:
        try:
            await self._bot_turns.play(self._stand_in, seat, room, MoveSource.CLOCK)
        except CannotSave:
            self._retry_later()
            return
        except Asleep:
            return
        if self._host.room.state is room.state:
            self.start()  # the timer was early

    def _retry_later(self) -> None:
        self._cancel_timer()
        self._timer = self._clock.call_later(RETRY_S, self.start)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
