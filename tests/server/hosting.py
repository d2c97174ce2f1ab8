"""Rooms hosted without sockets, and logs that are slow, blocked or failing."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from tests.server.manual_clock import ManualClock

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.accepted import AcceptedCommands
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.room import Room, Settings
from boxroom_server.bots.jobs import Choose, choose_move
from boxroom_server.bots.pool import BotPool
from boxroom_server.ops.metrics import Metrics
from boxroom_server.options import Options
from boxroom_server.rooms.activities.bot_turns import BotTurns
from boxroom_server.rooms.activities.expiry import Expiry
from boxroom_server.rooms.activities.hints import Hints
from boxroom_server.rooms.activities.timers import Outages, Timers
from boxroom_server.rooms.host import RoomHost
from boxroom_server.storage.memory.room_log import MemoryLog
from boxroom_server.storage.memory.storage import memory_storage
from boxroom_server.storage.room_log import CannotSave, LogFollower, OpenLog, StoredLog
from boxroom_server.storage.storage import Storage
from boxroom_server.tasks import Tasks

LOG = "4711"
"""Name of the log of the room `attic`."""

LIMITS = Options(grace_s=120.0, chat_chars=100).room_limits()


class _Recorder:
    """A follower that keeps the entries of a log, and appends none."""

    def __init__(self, entries: list[ev.Entry]) -> None:
        self._entries = entries

    def entry_saved(self, entry: ev.Entry) -> None:
        self._entries.append(entry)

    def append_failed(self, entry: ev.Entry, error: Exception) -> None:
        """Ignore it: the entry is another follower's."""

    def log_lost(self) -> None:
        raise AssertionError("no entries get lost in these tests")


class _OpenDelayedLog:
    """An open log whose appends wait for `delay`, and fail with the error that it returns."""

    def __init__(
        self,
        inner: OpenLog,
        follower: LogFollower,
        delay: Callable[[], Awaitable[CannotSave | None]],
        tasks: Tasks,
    ) -> None:
        self._inner = inner
        self._follower = follower
        self._delay = delay
        self._tasks = tasks
        self.save_checkpoint = inner.save_checkpoint
        self.check = inner.check
        self.close = inner.close

    def append(self, entry: ev.Entry, text: bytes) -> None:
        self._tasks.start(self._append(entry, text))

    async def _append(self, entry: ev.Entry, text: bytes) -> None:
        error = await self._delay()
        if error is None:
            self._inner.append(entry, text)
        else:
            self._follower.append_failed(entry, error)


class SlowLog(MemoryLog):
    """A log in which an append takes a random number of turns of the event loop."""

    def __init__(self, rng: random.Random, most_turns: int = 4) -> None:
        super().__init__()
        self._rng = rng
        self._most_turns = most_turns
        self._tasks = Tasks()
        self.saved: list[ev.Entry] = []
        """All entries so far, of all logs."""
        self._recorded: set[str] = set()  # names of the logs that are recorded

    def open(self, log: str, follower: LogFollower) -> OpenLog:
        if log not in self._recorded:
            self._recorded.add(log)
            super().open(log, _Recorder(self.saved))
        return _OpenDelayedLog(super().open(log, follower), follower, self._wait, self._tasks)

    async def _wait(self) -> None:
        for _ in range(self._rng.randrange(2 * self._most_turns + 1)):
            await asyncio.sleep(0)

    @property
    def events(self) -> list[ev.Event]:
        """All events so far; event number `seq` is at index `seq - 1`."""
        return [event for entry in self.saved for event in entry.events]


class GateLog(MemoryLog):
    """A log that saves only while its gate is open."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.gate.set()
        self.at_gate = asyncio.Event()
        """Set while an operation waits at the gate."""
        self.fails = False
        """Whether the next append fails after the gate."""
        self._tasks = Tasks()

    def open(self, log: str, follower: LogFollower) -> OpenLog:
        return _OpenDelayedLog(super().open(log, follower), follower, self._pass, self._tasks)

    async def delete(self, log: str, last_seq: int | None = None) -> bool:
        await self._pass()
        return await super().delete(log, last_seq)

    async def _pass(self) -> CannotSave | None:
        self.at_gate.set()
        await self.gate.wait()
        self.at_gate.clear()
        fails, self.fails = self.fails, False
        return CannotSave("the disk is full") if fails else None


class KeptLog(MemoryLog):
    """The log of the room `attic`, which can be read again; a test lets each request pass."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[ev.Entry] = []
        """Its entries so far."""
        self.waiting: list[asyncio.Future[CannotSave | None]] = []
        """Requests that wait for a test: None lets one pass, an error is its outcome."""
        self.is_damaged = False
        """Whether a read lacks the first entry."""
        self.was_damaged = False
        """Whether one has lacked it."""
        self.is_behind = False
        """Whether another server has appended an entry that hasn't been delivered here."""
        self.is_deleted = False
        """Whether this or another server has deleted it."""
        self.hosts: list[LogFollower] = []
        """All that have ever followed it."""
        self._tasks = Tasks()
        super().open(LOG, _Recorder(self.entries))

    @property
    def followers(self) -> list[LogFollower]:
        """Its present followers."""
        return [it for it in self.hosts if LOG in self._tails and it in self._tails[LOG].followers]

    def lose(self) -> None:
        """Have its followers give up."""
        for host in self.followers:
            host.log_lost()

    def open(self, log: str, follower: LogFollower) -> OpenLog:
        self.hosts.append(follower)
        return _OpenDelayedLog(super().open(log, follower), follower, self._pass, self._tasks)

    async def _pass(self) -> CannotSave | None:
        self.waiting.append(asyncio.get_running_loop().create_future())
        return await self.waiting[-1]

    async def read(self, log: str) -> StoredLog:
        if (error := await self._pass()) is not None:
            raise error
        assert not self.is_deleted, "a deleted log is read"
        self.was_damaged = self.was_damaged or self.is_damaged
        return StoredLog(None, tuple(self.entries[self.is_damaged :]))

    async def delete(self, log: str, last_seq: int | None = None) -> bool:
        await self._pass()
        if self.is_behind and last_seq is not None and not self.is_deleted:
            return False
        self.is_deleted = True
        return await super().delete(log, last_seq)


class _OpenFailingLog:
    """An open `FailingLog`."""

    def __init__(self, log: "FailingLog", inner: OpenLog, follower: LogFollower) -> None:
        self._log = log
        self._inner = inner
        self._follower = follower
        self.check = inner.check
        self.save_checkpoint = inner.save_checkpoint
        self.close = inner.close

    def append(self, entry: ev.Entry, text: bytes) -> None:
        if self._log.failures:
            self._log.failures -= 1
            self._follower.append_failed(entry, CannotSave("the disk is full"))
        else:
            self._inner.append(entry, text)


class FailingLog(MemoryLog):
    """A log whose next `failures` appends fail."""

    failures = 0

    def open(self, log: str, follower: LogFollower) -> OpenLog:
        return _OpenFailingLog(self, super().open(log, follower), follower)


def bots_of(choose: Choose = choose_move, limit_s: float = 5.0) -> BotPool:
    """Return a pool with one worker."""
    return BotPool(1, limit_s, random.Random(1), choose)


def hosted(
    log: MemoryLog,
    clock: ManualClock,
    bots: BotPool | None = None,
    *,
    pace_s: float = 0.0,
    room: Room | None = None,
    limits: RoomLimits = LIMITS,
    storage: Storage | None = None,
) -> RoomHost:
    """Return a host of the room `attic`, or of another room in its present state."""
    host = RoomHost(
        room or Room("attic"),
        AcceptedCommands(),
        room.log if room is not None else LOG,
        room_log=log,
        limits=limits,
        clock=clock,
        moves=Metrics().moves,
    )
    bots = bots or bots_of()
    turns = BotTurns(host, bots, clock, pace_s)
    host.activities += (
        turns,
        Timers(host, turns, clock, limits.stand_in, Outages(storage or memory_storage(log), clock)),
        Hints(host, bots, limits),
        Expiry(host, clock, 60.0),
    )
    return host


class Outage:
    """A storage in memory that a test keeps from saving; only the server's parts hear of it."""

    def __init__(self, log: MemoryLog | None = None) -> None:
        self.storage = memory_storage(log)

    def begin(self) -> None:
        self._change("the disk is full")

    def end(self) -> None:
        self._change(None)

    def _change(self, reason: str | None) -> None:
        self.storage.saving.failure = reason
        for listener in self.storage.saving.on_failure_change:
            listener()


Wanted = TypeVar("Wanted")


def activity(host: RoomHost, kind: type[Wanted]) -> Wanted:
    """Return the activity of that kind."""
    return next(each for each in host.activities if isinstance(each, kind))


def is_at_rest(host: RoomHost) -> bool:
    """Return whether no task of the host or its activities is running."""
    owners = (host, *host.activities)
    return not any(tasks._running for owner in owners if (tasks := getattr(owner, "_tasks", None)))


async def done(host: RoomHost, command: cmd.Command) -> int:
    """Perform `command`, which is accepted, and return its seq."""
    return await host.perform(command)


async def outcome_of(host: RoomHost, command: cmd.Command) -> int | CommandRefused:
    """Perform `command`, and return its seq or its refusal."""
    try:
        return await host.perform(command)
    except CommandRefused as refused:
        return refused


async def refused(host: RoomHost, command: cmd.Command) -> str:
    """Perform `command`, which is refused, and return the code."""
    outcome = await outcome_of(host, command)
    assert isinstance(outcome, CommandRefused), outcome
    return outcome.code


def create(member: str = "Ada", **settings: Any) -> cmd.Create:
    """Return a command to create a room, by default with the smallest board."""
    return cmd.Create(LOG, member, Settings(**{"options": {"rows": 1, "cols": 1}, **settings}))


async def event_after(log: MemoryLog, wanted: Callable[[ev.Event], bool]) -> ev.Event:
    """Wait for the next event of the room `attic` that is `wanted`."""
    found: asyncio.Future[ev.Event] = asyncio.get_running_loop().create_future()

    class Check(_Recorder):
        def entry_saved(self, entry: ev.Entry) -> None:
            for event in entry.events:
                if wanted(event) and not found.done():
                    found.set_result(event)

    check = Check([])
    opened = MemoryLog.open(log, LOG, check)
    try:
        async with asyncio.timeout(20):
            return await found
    finally:
        opened.close(check)
