"""The host of one room: performs the effects that the room's sequencer asks for.

The sequencer decides what happens, and in which order; the rules are the engine's. The host
appends to the log, sends entries to the members' connections, and hands them to its *activities*:
bot turns, timers, hints and expiry, which give commands to the host as sessions do, the list of
open rooms with the names in rooms. Other servers can host the same room at the same time; what only
one of them does, the *owner*'s activities do (`boxroom_server.storage.peers`).

A host is *awake* until it is closed, which ends the room, or put to *sleep*, which doesn't.
Another host may continue from the log of a sleeping room.
"""

import asyncio
import logging
from collections.abc import MutableMapping, Sequence
from functools import partial
from typing import Protocol, assert_never

from websockets.frames import CloseCode

from boxroom_engine.room import commands as cmd
from boxroom_engine.room.accepted import AcceptedCommands
from boxroom_engine.room.decision import CommandRefused, refusal
from boxroom_engine.room.events import Entry, MoveSource, Played
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.powers import Power, powers
from boxroom_engine.room.room import Room
from boxroom_engine.room.text import same_name
from boxroom_server.clock import Clock
from boxroom_server.rooms.replay_buffer import ReplayBuffer
from boxroom_server.rooms.room_connections import Membership, RoomConnections
from boxroom_server.rooms.sequencer import (
    Answer,
    AnswerCallback,
    Append,
    Asleep,
    Check,
    Outcome,
    PreparedEntry,
    Publish,
    Sequencer,
    Stop,
)
from boxroom_server.storage.room_log import CannotSave, Conflict, RoomLog
from boxroom_server.tasks import Tasks

logger = logging.getLogger(__name__)

RETRY_S = 1.0
"""Time after a failure, such as a log's, until the server tries again."""


class Activity(Protocol):
    """Something that a room does by itself, by commands to its host."""

    def start(self) -> None:
        """Do what is due in the room as it is now."""

    def entry_saved(self, entry: Entry, before: Room, after: Room) -> None:
        """React to an entry of the room: it was `before`, and is `after` now."""

    async def stop(self) -> None:
        """End for good."""


class RoomHost:
    """The host of `room`, whose log is called `log`."""

    def __init__(
        self,
        room: Room,
        accepted: AcceptedCommands,
        log: str,
        recent_entries: Sequence[Entry] = (),
        *,
        room_log: RoomLog,
        limits: RoomLimits,
        clock: Clock,
        moves: MutableMapping[MoveSource, int],
        node: str = "",
    ) -> None:
        self.activities: tuple[Activity, ...] = ()
        """Set before the first command; the host stops them at its end."""
        self.replay_buffer = ReplayBuffer(recent_entries)
        """The latest entries."""
        self.connections = RoomConnections(self.replay_buffer, clock)
        """The connections of the members."""
        self.ended: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        """Done when this host has ended by itself: whether the room is closed."""
        self._sequencer = Sequencer(
            room, accepted, limits, self.connections.names, is_shared=bool(node)
        )
        self._log_name = log
        self._room_log = room_log
        self._log = room_log.open(log, self)
        self._limits = limits
        self._clock = clock
        self._moves = moves  # metrics: moves by their source
        self._node = node  # of this server, in a cluster
        self._is_performing = False  # guards `_perform_effects` against re-entrance
        self._tasks = Tasks()  # commands that are repeated until they are saved
        # Members that are to drop out, by their servers; not empty while a task does that.
        self._lost_members: dict[str, list[str]] = {}
        self._stopped = asyncio.Event()  # set by the sequencer's effect `Stop`
        self._closing: asyncio.Task[None] | None = None  # set by `close`

    @property
    def room(self) -> Room:
        """The room as of the last saved entry."""
        return self._sequencer.room

    @property
    def is_busy(self) -> bool:
        """Whether a command waits for its answer."""
        return self._sequencer.is_busy

    # Commands

    def submit(self, command: cmd.Command, callback: AnswerCallback) -> None:
        """Perform `command` after those before it, and call `callback` with the outcome.

        Nothing else happens in the room between the command and its answer. Both happen before
        this returns if no other command waits and the log saves at once.
        """
        self._sequencer.submit(command, callback)
        self._perform_effects()

    async def perform(self, command: cmd.Command) -> int:
        """Perform `command`, and return the seq that it led to.

        Raises:
            CommandRefused: it is refused.
            CannotSave: it is the server's own command, and can't be saved now.
            Asleep: this host is asleep.
        """
        future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.submit(command, partial(_resolve, future))
        return await future

    async def enter(
        self,
        membership: Membership,
        command: cmd.Create | cmd.Enter,
        after: tuple[str, int] | None = None,
    ) -> int:
        """Let a member in, and send it the room, or the events after number `after[1]`.

        `after[0]` is the log that these events belong to.

        Raises:
            CommandRefused: the member may not come in.
            Asleep: this host is asleep.
        """
        if membership.connection.is_closing:  # perhaps of a ban: it mustn't stay here
            raise refusal("not_a_member.closing")
        future: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def admit(outcome: Outcome) -> None:
            if isinstance(outcome, int):
                last_id = self._sequencer.accepted.last_id(membership.name)
                self.connections.add(membership, self.room, last_id, after)
            _resolve(future, outcome)

        self.submit(command, admit)
        return await future

    def connection_lost(self, membership: Membership) -> None:
        """Remove `membership`, whose connection has closed, and let its member drop out."""
        if membership.in_room:
            self.connections.remove(membership)
            self.drop(membership.name, self._node)

    def depart(self, membership: Membership) -> None:
        """Let a member leave whom another room lets in over the same connection."""
        if membership.in_room:
            self.connections.remove(membership)
            name = membership.name
            leave = cmd.Leave(self._sequencer.accepted.last_id(name) + 1)
            self._tasks.start(self._perform_until_saved(cmd.FromMember(name, leave)))

    def drop(self, member: str, node: str) -> None:
        """Let a member drop out that was connected to the server `node`, and isn't any more."""
        if not self._lost_members:
            self._tasks.start(self._drop_lost_members())
        self._lost_members.setdefault(node, []).append(member)

    async def _drop_lost_members(self) -> None:
        """Let those drop out who are lost, together with those who are lost meanwhile."""
        while self._lost_members:
            node, members = next(iter(self._lost_members.items()))
            self._lost_members[node] = []
            await self._perform_until_saved(cmd.Drop(tuple(members), node))
            if not self._lost_members[node]:
                del self._lost_members[node]

    def expel(self, name: str) -> None:
        """Expel `name` for good, if it is a member, has a seat, or is about to come in."""
        people = (*self.room.members, *(holder.member or "" for holder in self.room.seats))
        if self.is_busy or any(same_name(known, name) for known in people):
            self._tasks.start(self._perform_until_saved(cmd.Expel(name)))

    async def _perform_until_saved(self, command: cmd.Drop | cmd.Expel | cmd.FromMember) -> None:
        """Perform `command` again and again until it is saved, as the other members wait for it."""
        while True:
            try:
                await self.perform(command)
                return
            except (Asleep, CommandRefused):
                return
            except Exception as error:
                logger.warning(
                    "room %s can't save yet that a member is gone: %r", self.room.code, error
                )
                await self._clock.sleep(RETRY_S)

    def powers(self, member: str) -> tuple[Power, ...]:
        """Return what `member` can do as the host of the room, and why not the rest."""
        return powers(self.room, member, self._clock.now_ms(), self._limits)

    def has_accepted(self, asked: cmd.FromMember) -> bool:
        """Return whether `asked` repeats an accepted command, such as a final `leave`."""
        try:
            return self._sequencer.accepted.answer(asked.member, asked.command.id) is not None
        except CommandRefused:
            return False  # too old to be known

    # The log's follower

    def entry_saved(self, entry: Entry) -> None:
        self._sequencer.entry_saved(entry)
        self._perform_effects()

    def append_failed(self, entry: Entry, error: Conflict | CannotSave) -> None:
        self._sequencer.append_failed(entry, error)
        self._perform_effects()

    def _log_checked(self) -> None:
        self._sequencer.log_checked()
        self._perform_effects()

    def log_lost(self) -> None:
        self.give_up()

    # Effects

    def _perform_effects(self) -> None:
        """Perform what the sequencer asks for, until it needs more input."""
        if self._is_performing:
            return  # the loop below goes on with it
        self._is_performing = True
        now_ms = self._clock.now_ms()
        try:
            while (effect := self._sequencer.next_effect(now_ms)) is not None:
                # A `match` would take a tenth of all instructions of a move.
                if type(effect) is Append:
                    prepared = effect.prepared
                    self._log.append(prepared.entry, prepared.stored)
                elif type(effect) is Publish:
                    self._publish(effect.saved)
                    if effect.callback is not None:
                        effect.callback(effect.saved.after.seq)
                elif type(effect) is Answer:
                    effect.callback(effect.outcome)
                elif type(effect) is Stop:
                    self._stopped.set()
                elif type(effect) is Check:
                    self._log.check(self._log_checked)
                else:
                    assert_never(effect)
        finally:
            self._is_performing = False

    def _publish(self, saved: PreparedEntry) -> None:
        """Send the members a saved entry, and keep, count and follow it up."""
        entry, before, room = saved.entry, saved.before, saved.after
        self.replay_buffer.add(entry)
        self.connections.publish(saved, self._sequencer.accepted)
        if entry.member is None:  # before those are forgotten who aren't members any more
            self.connections.leave_to_others(entry, room, self._node)
        if room.members is not before.members:
            self.connections.keep(room.members.keys())
        for event in entry.events:
            if type(event) is Played:
                self._moves[event.by] += 1
        for activity in self.activities:
            activity.entry_saved(entry, before, room)

    def save_checkpoint(self) -> None:
        """Save the room as it is now, so that waking needn't read the whole log."""
        self._log.save_checkpoint(self.room, self._sequencer.accepted)

    # The end

    async def close(self) -> None:
        """End the room: stop all of its activities, and delete its log.

        If another server has appended to it meanwhile, only this host ends.
        """
        if self._closing is None:
            self._closing = asyncio.ensure_future(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        self._sequencer.end()
        await self._stop()
        self.ended.set_result(await self._room_log.delete(self._log_name, self.room.seq))

    def give_up(self) -> None:
        """End only this host; its members come back, to another one."""
        if self._closing is None:
            self._closing = asyncio.ensure_future(self._give_up())

    async def _give_up(self) -> None:
        self.ended.set_result(False)
        await asyncio.sleep(0)  # so that no member comes in here any more
        self._sequencer.abandon()
        await self._stop()
        text = "the server has lost the room for a moment: come in again"
        self.connections.close_all(text, CloseCode.SERVICE_RESTART)

    async def end(self) -> None:
        """End this host of a room that another server has closed."""
        if self._closing is None:
            self._closing = asyncio.ensure_future(self._end())
        await asyncio.shield(self._closing)

    async def _end(self) -> None:
        self._sequencer.end()
        await self._stop()
        self.connections.close_all("the room was closed")
        self.ended.set_result(True)

    async def sleep(self) -> None:
        """Stop all activities after the pending append, without ending the room.

        If this is cancelled, because the log takes too long, that append stays unanswered.
        """
        try:
            if self._closing is not None:
                await self._closing
            else:
                self._sequencer.sleep()
                await self._stop()
        finally:
            self._sequencer.abandon()
            self._perform_effects()

    async def _stop(self) -> None:
        """Wait for the pending append, then stop following the log, tasks and activities."""
        self._perform_effects()
        await self._stopped.wait()
        self._log.close(self)
        await self._tasks.cancel()
        for activity in self.activities:
            await activity.stop()


def _resolve(future: asyncio.Future[int], outcome: Outcome) -> None:
    """Set the result of `future` to the outcome of a command, unless it was cancelled."""
    if future.done():
        return
    if isinstance(outcome, Exception):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
