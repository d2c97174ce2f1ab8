"""The states of a room on one server, in any order of what may happen to it."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tests.server.hosting import LOG, KeptLog, bots_of, create
from tests.server.manual_clock import ManualClock

from boxroom_engine.room import commands as cmd
from boxroom_server.computing import ComputingThread
from boxroom_server.ops.metrics import Metrics
from boxroom_server.options import Options
from boxroom_server.rooms.cell import NoSuchRoom, RoomCell, State
from boxroom_server.rooms.host import RETRY_S, RoomHost
from boxroom_server.rooms.hosting import UNNEEDED_S, Hosting
from boxroom_server.rooms.sequencer import Asleep
from boxroom_server.storage.memory.storage import MemoryLedger
from boxroom_server.storage.peers import NoPeers, RoomStatus
from boxroom_server.storage.room_log import CannotSave, Damaged, LogFollower, RoomRecord
from boxroom_server.storage.storage import Storage

RECORD = RoomRecord(LOG, "attic", "Ada", "0123456789", None, 0)

OPTIONS = Options(empty_room_s=60.0)

TURNS = st.integers(0, 9)
"""Turns of the event loop from one thing that happens to the next one."""


class AtOnce(ComputingThread):
    """Computes on the event loop, so that a test happens again in the same order."""

    async def run(self, compute: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return compute(*args, **kwargs)


class Cluster(NoPeers):
    """A cluster, of which this server owns the room or not."""

    node = "this one"
    is_owner = True

    def owns(self, log: str) -> bool:
        return self.is_owner


class AnyOrder(RuleBasedStateMachine):
    """A room that Ada has made before this server was started, and all that happens to it.

    Requests to the log wait until the machine draws their outcome.
    """

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.log, self.clock, self.peers = KeptLog(), ManualClock(), Cluster()
        self.evicted: list[RoomCell] = []
        self.callers: list[asyncio.Task[RoomHost]] = []
        self.others: list[asyncio.Task[None]] = []  # ends of the room
        self.stop: asyncio.Task[None] | None = None  # of the server
        self.sleep: asyncio.Task[None] | None = None  # of the cell, as the server stops
        self.may_fail = False  # whether a request has failed, or the log was lost
        self.is_known = False  # whether the owner has reported a status, or the room is new

    @initialize(is_new=st.booleans(), lasts=st.sampled_from([0, 10, 20, 40]))
    def make_room(self, is_new: bool, lasts: int) -> None:
        self.lasts = lasts  # steps until the room or the server may end
        self.runner.run(self.begin(is_new))

    async def begin(self, is_new: bool) -> None:
        storage = Storage(self.log, MemoryLedger(), peers=self.peers)
        self.hosting = Hosting(OPTIONS, storage, self.clock, bots_of(), metrics=Metrics())
        self.hosting.computing_thread = AtOnce()
        self.cell = RoomCell(RECORD, self.hosting, self.evicted.append)
        self.cell.begin()
        assert self.cell.host is not None
        self.cell.host.submit(create(), ignore)
        await turn(3)
        self.log.waiting.pop().set_result(None)
        await turn(3)
        if not is_new:
            await self.cell.sleep()
            self.cell = RoomCell(RECORD, self.hosting, self.evicted.append)
            self.hosting.tasks.start(self.cell.wake_if_owned())
        self.is_known = is_new

    def do(self, happen: Callable[[], object], turns: int) -> None:
        """Have something happen on the event loop, which goes on for a while."""

        self.lasts -= 1

        async def happens() -> None:
            happen()
            await turn(turns)

        self.runner.run(happens())
        if self.cell.state is State.GONE:
            self.runner.run(turn(9))  # until a task that was waking it has ended

    # What may happen

    @rule(turns=TURNS)
    def caller_needs_the_host(self, turns: int) -> None:
        self.do(lambda: self.callers.append(asyncio.create_task(self.cell.awake_host())), turns)

    @precondition(lambda self: self.log.waiting)
    @rule(turns=TURNS, which=st.integers(0, 3))
    def request_passes(self, turns: int, which: int) -> None:
        self.do(lambda: self.answer(which, None), turns)

    @precondition(lambda self: self.log.waiting)
    @rule(turns=TURNS, which=st.integers(0, 3))
    def request_fails(self, turns: int, which: int) -> None:
        self.may_fail = True
        self.do(lambda: self.answer(which, CannotSave("the disk fails")), turns)

    def answer(self, which: int, outcome: CannotSave | None) -> None:
        request = self.log.waiting.pop(which % len(self.log.waiting))
        if not request.done():  # else it was cancelled
            request.set_result(outcome)

    @rule(is_damaged=st.sampled_from([False, False, False, True]))
    def log_is_damaged_or_repaired(self, is_damaged: bool) -> None:
        self.log.is_damaged = is_damaged

    @precondition(lambda self: self.log.followers)
    @rule(turns=TURNS)
    def log_is_lost(self, turns: int) -> None:
        self.may_fail = True
        self.do(self.log.lose, turns)

    @precondition(lambda self: self.cell.host is not None)
    @rule(turns=TURNS)
    def member_comes_in(self, turns: int) -> None:
        assert self.cell.host is not None
        submit = self.cell.host.submit
        self.do(lambda: submit(cmd.Enter("Bob"), ignore), turns)

    @rule(turns=TURNS, seconds=st.sampled_from([RETRY_S, UNNEEDED_S, OPTIONS.empty_room_s]))
    def time_passes(self, turns: int, seconds: float) -> None:
        self.do(lambda: self.clock.advance(seconds), turns)

    @precondition(lambda self: self.lasts <= 0)
    @rule(turns=TURNS)
    def operator_closes(self, turns: int) -> None:
        self.do(lambda: self.others.append(asyncio.create_task(self.cell.close())), turns)

    @precondition(lambda self: self.lasts <= 0)
    @rule(turns=TURNS)
    def another_server_closes(self, turns: int) -> None:
        self.log.is_behind, self.log.is_deleted = False, True
        self.do(self.cell.removed, turns)

    @rule(turns=TURNS, is_owner=st.booleans())
    def owner_changes(self, turns: int, is_owner: bool) -> None:
        self.peers.is_owner = is_owner
        self.do(self.cell.owner_changed, turns)

    @rule(turns=TURNS)
    def owner_reports(self, turns: int) -> None:
        self.is_known = True
        self.do(lambda: self.cell.status_changed(RoomStatus(names=("Ada",))), turns)

    @precondition(lambda self: not self.log.is_deleted)
    @rule()
    def another_server_has_appended(self) -> None:
        self.log.is_behind = True

    @precondition(lambda self: self.stop is None and self.lasts <= 0)
    @rule(turns=TURNS)
    def server_stops(self, turns: int) -> None:
        def stop() -> None:
            self.hosting.is_stopping = True
            self.stop = asyncio.create_task(self.end())

        self.do(stop, turns)

    async def end(self) -> None:
        """Do what the directory does at the end."""
        await self.hosting.tasks.cancel()
        self.sleep = asyncio.create_task(self.cell.sleep())
        await asyncio.wait([self.sleep])

    @precondition(lambda self: self.sleep is not None)
    @rule(turns=TURNS)
    def sleep_takes_too_long(self, turns: int) -> None:
        assert self.sleep is not None
        self.do(self.sleep.cancel, turns)

    # Invariants

    @property
    def hosts(self) -> list[LogFollower]:
        """Hosts that take commands."""
        return [host for host in self.log.hosts if not is_ending(host)]

    @invariant()
    def awake_if_there_is_a_host(self) -> None:
        assert (self.cell.state is State.AWAKE) == (self.cell.host is not None)
        assert len(self.hosts) <= 1
        if self.cell.state is not State.WAKING:
            assert all(host is self.cell.host for host in self.hosts)

    @invariant()
    def gone_once_and_for_good(self) -> None:
        assert self.evicted == [self.cell] * (self.cell.state is State.GONE)

    @invariant()
    def owner_has_the_activities_of_one(self) -> None:
        if self.cell.hosted is not None:
            assert self.cell.hosted.is_owner is self.peers.is_owner

    @invariant()
    def any_name_may_be_in_an_unknown_room(self) -> None:
        if self.stop is not None:
            return  # its host may be saving or closing it, and nobody asks for names any more
        names = self.hosting.names_in_rooms
        match self.cell.state:
            case State.ASLEEP:
                is_known = self.is_known or self.log.was_damaged
                assert ("Zoe" in names) is not is_known
                assert ("Bob" in names) is not is_known, "only a host knows Bob"
            case State.AWAKE | State.GONE:
                assert "Zoe" not in names
            case State.WAKING:
                pass  # a host that isn't awake yet may show them

    @invariant()
    def asleep_in_the_end(self) -> None:
        if self.stop is not None and self.stop.done():
            assert self.cell.state in (State.ASLEEP, State.GONE)

    @invariant()
    def callers_are_told_the_truth(self) -> None:
        for caller in [it for it in self.callers if it.done()]:
            self.callers.remove(caller)
            match caller.exception():
                case None:
                    assert caller.result().room.log == LOG
                case NoSuchRoom():
                    assert self.cell.state is State.GONE
                case Asleep():
                    assert self.hosting.is_stopping
                case Damaged():
                    assert self.log.was_damaged
                case error:
                    assert isinstance(error, CannotSave)
                    assert self.may_fail

    # The end

    def teardown(self) -> None:
        if not hasattr(self, "cell"):
            return
        with self.runner:
            self.runner.run(self.let_all_pass())
            self.callers_are_told_the_truth()
            self.asleep_in_the_end()
            assert not self.callers
            assert all(task.done() for task in self.others)
            state = self.cell.state
            assert self.hosts == ([] if self.cell.host is None else [self.cell.host])
            if state is not State.GONE and self.stop is None:
                if self.peers.is_owner and not self.log.was_damaged:
                    assert state is State.AWAKE
                self.owner_changes(turns=0, is_owner=True)
                assert self.runner.run(self.wake()) is self.cell.host

    async def let_all_pass(self) -> None:
        """Answer all requests, and let the time for further attempts pass."""
        self.log.is_damaged = False
        for _ in range(20):
            await self.answer_all()
            self.clock.advance(RETRY_S)
            await turn(20)

    async def answer_all(self) -> None:
        while self.log.waiting:
            self.answer(0, None)
        await turn(20)

    async def wake(self) -> RoomHost:
        """Wake the room while no time passes, in which it may expire."""
        waking = asyncio.create_task(self.cell.awake_host())
        while not waking.done():
            await turn(1)
            await self.answer_all()
        return await waking


async def turn(turns: int) -> None:
    """Let the event loop go on for a number of turns."""
    for _ in range(turns):
        await asyncio.sleep(0)


def is_ending(host: LogFollower) -> bool:
    """Return whether a host takes no commands any more."""
    assert isinstance(host, RoomHost)
    return host._closing is not None or host._sequencer._state.value != "open"


def ignore(outcome: object) -> None:
    """Ignore the outcome of a command."""


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(max_examples=40, stateful_step_count=40)


@pytest.mark.long
def test_any_long_order() -> None:
    many = settings(
        max_examples=1_000, stateful_step_count=40, suppress_health_check=list(HealthCheck)
    )
    run_state_machine_as_test(AnyOrder, settings=many)


def test_a_host_that_gives_up_while_it_wakes_does_not_become_the_host() -> None:
    for turns in range(9):
        room = AnyOrder()
        room.make_room(is_new=False, lasts=99)
        room.request_passes(turns=9, which=0)
        room.log_is_lost(turns=turns)
        room.request_passes(turns=9, which=0)
        room.teardown()
