"""Rooms hosted without sockets, and logs that are slow, blocked or failing."""

import asyncio
import random
from collections.abc import Callable
from typing import Any

from tests.server.manual_clock import ManualClock

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.decision import Refusal
from boxroom_engine.room.room import Room, Settings
from boxroom_server.bots.pool import BotPool
from boxroom_server.bots.process import Choose, choose_move
from boxroom_server.ops.metrics import Metrics
from boxroom_server.options import Options
from boxroom_server.rooms.host import RoomHost
from boxroom_server.storage.memory.room_log import MemoryLog
from boxroom_server.storage.memory.storage import memory_storage
from boxroom_server.storage.room_log import CannotSave, SaveCallback
from boxroom_server.tasks import Tasks

LOG = "4711"
"""Name of the log of the room `attic`."""

LIMITS = Options(grace_s=120.0, chat_chars=100).room_limits()


class SlowLog(MemoryLog):
    """A log in which an append takes a random number of turns of the event loop."""

    def __init__(self, rng: random.Random, most_turns: int = 4) -> None:
        super().__init__()
        self._rng = rng
        self._most_turns = most_turns
        self._tasks = Tasks()
        self.saved: list[ev.Entry] = []
        """All entries so far."""

    def append(self, log: str, entry: ev.Entry, text: bytes, on_saved: SaveCallback) -> None:
        self._tasks.start(self._append(log, entry, text, on_saved))

    async def _append(self, log: str, entry: ev.Entry, text: bytes, on_saved: SaveCallback) -> None:
        await self._wait()
        errors: list[Exception | None] = []
        super().append(log, entry, text, errors.append)
        if errors == [None]:
            self.saved.append(entry)
        await self._wait()
        on_saved(*errors)

    async def _wait(self) -> None:
        for _ in range(self._rng.randrange(self._most_turns + 1)):
            await asyncio.sleep(0)

    @property
    def events(self) -> list[ev.Event]:
        """All events so far; event number `seq` is at index `seq - 1`."""
        return [event for entry in self.saved for event in entry.events]


class GateLog(MemoryLog):
    """A log that reports outcomes only while its gate is open."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.gate.set()
        self.at_gate = asyncio.Event()
        """Set while an operation waits at the gate."""
        self.fails = False
        """Whether the next append fails after the gate."""
        self._tasks = Tasks()

    def append(self, log: str, entry: ev.Entry, text: bytes, on_saved: SaveCallback) -> None:
        self._tasks.start(self._append(log, entry, text, on_saved))

    async def _append(self, log: str, entry: ev.Entry, text: bytes, on_saved: SaveCallback) -> None:
        errors: list[Exception | None] = []
        if not self.fails:
            super().append(log, entry, text, errors.append)
        await self._pass()
        if self.fails:
            self.fails = False
            errors.append(CannotSave("the disk is full"))
        on_saved(*errors)

    async def delete(self, log: str) -> None:
        await self._pass()
        await super().delete(log)

    async def _pass(self) -> None:
        self.at_gate.set()
        await self.gate.wait()
        self.at_gate.clear()


class FailingLog(MemoryLog):
    """A log whose next `failures` appends fail."""

    failures = 0

    def append(self, log: str, entry: ev.Entry, text: bytes, on_saved: SaveCallback) -> None:
        if self.failures:
            self.failures -= 1
            on_saved(CannotSave("the disk is full"))
        else:
            super().append(log, entry, text, on_saved)


def bots_of(choose: Choose = choose_move, limit_s: float = 5.0) -> BotPool:
    """Return a pool with one worker."""
    return BotPool(1, limit_s, random.Random(1), choose)


def hosted(
    log: MemoryLog,
    clock: ManualClock,
    bots: BotPool | None = None,
    *,
    expired: Callable[[RoomHost], None] = lambda _: None,
    pace_s: float = 0.0,
    room: Room | None = None,
    metrics: Metrics | None = None,
) -> RoomHost:
    """Return a host of the room `attic`, or of another room in its present state."""
    return RoomHost(
        room or Room("attic"),
        room.log if room is not None else LOG,
        memory_storage(log),
        limits=LIMITS,
        clock=clock,
        bots=bots or bots_of(),
        metrics=metrics or Metrics(),
        pace_s=pace_s,
        empty_room_s=60.0,
        expired=expired,
    )


async def done(host: RoomHost, command: cmd.Command) -> int:
    """Perform `command`, which is accepted, and return its seq."""
    outcome = await host.perform(command)
    assert not isinstance(outcome, Refusal), outcome
    return outcome


async def refused(host: RoomHost, command: cmd.Command) -> str:
    """Perform `command`, which is refused, and return the code."""
    outcome = await host.perform(command)
    assert isinstance(outcome, Refusal), outcome
    return outcome.code


def create(member: str = "Ada", **settings: Any) -> cmd.Create:
    """Return a command to create a room, by default with the smallest board."""
    return cmd.Create(LOG, member, Settings(**{"options": {"rows": 1, "cols": 1}, **settings}))


async def event_after(log: MemoryLog, wanted: Callable[[ev.Event], bool]) -> ev.Event:
    """Wait for the next event of the room `attic` that is `wanted`."""
    found: asyncio.Future[ev.Event] = asyncio.get_running_loop().create_future()

    def check(entry: ev.Entry) -> None:
        for event in entry.events:
            if wanted(event) and not found.done():
                found.set_result(event)

    unfollow = log.follow(LOG, check)
    try:
        async with asyncio.timeout(20):
            return await found
    finally:
        unfollow()
