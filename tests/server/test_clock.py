"""The server's clock, and jumps of the time of day that it doesn't follow."""

import asyncio

import pytest
from tests.cases import each
from tests.server.manual_clock import NOON_MS, ManualClock
from tests.server.simulated_loop import SimulatedLoop, simulate
from tests.server.talk import until

from boxroom_server.clock import (
    BEAT_S,
    CHECK_EVERY_S,
    MIN_JUMP_MS,
    MOST_LATE_MS,
    SystemClock,
    log_jumps_forever,
)

ONE_LOOP = True


class Machine:
    """The two clocks of a machine, in milliseconds."""

    def __init__(self) -> None:
        self.time_of_day = NOON_MS
        self.monotonic = 5_000
        self.clock = SystemClock(lambda: self.time_of_day, lambda: self.monotonic)

    def run(self, ms: int) -> None:
        """Let time pass on both."""
        self.time_of_day += ms
        self.monotonic += ms


def test_it_begins_with_the_time_of_day() -> None:
    assert Machine().clock.now_ms() == NOON_MS


@each("jump_ms", [-3_600_000, 3_600_000, 181 * 86_400_000])
def test_a_jump_of_the_time_of_day_neither_stops_nor_moves_it(jump_ms: int) -> None:
    machine = Machine()
    machine.run(1_000)
    machine.time_of_day += jump_ms
    assert machine.clock.now_ms() == NOON_MS + 1_000
    machine.run(60_000)
    assert machine.clock.now_ms() == NOON_MS + 61_000


async def test_its_time_passes_as_scheduled_calls_count_it() -> None:
    clock = SystemClock()
    called_ms: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    began_ms = clock.now_ms()
    clock.call_later(0.02, lambda: called_ms.set_result(clock.now_ms()))
    assert 18 <= await called_ms - began_ms < 10_000


async def logged(jumps_ms: list[int], caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what is logged in so many minutes, each with a jump of the time of day."""
    clock = ManualClock()
    ahead_ms = 0
    task = asyncio.create_task(log_jumps_forever(clock, lambda: clock.now_ms() + ahead_ms))
    for jump_ms in jumps_ms:
        await until(lambda: clock.waiting == 1)
        ahead_ms += jump_ms
        clock.advance(CHECK_EVERY_S)
    await until(lambda: clock.waiting == 1)
    task.cancel()
    return [record.getMessage() for record in caplog.records]


async def test_a_jump_is_logged_once_with_both_times(caplog: pytest.LogCaptureFixture) -> None:
    (message,) = await logged([0, -3_600_000, 0, 0], caplog)
    assert message == (
        "the time of day has jumped 60 min back, to 2023-11-14 21:15:20 UTC: this server goes on"
        " from 2023-11-14 22:15:20 UTC until it is started again"
    )


async def test_the_next_jump_is_logged_too(caplog: pytest.LogCaptureFixture) -> None:
    messages = await logged([181 * 86_400_000, -181 * 86_400_000], caplog)
    assert len(messages) == 2


async def test_a_small_correction_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert await logged([MIN_JUMP_MS - 1, 1 - MIN_JUMP_MS, -MIN_JUMP_MS + 1], caplog) == []


# Hold-ups


class Timed:
    """A clock on a simulated event loop, which has been started."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, SimulatedLoop)
        self.loop = loop
        self.clock = SystemClock(lambda: NOON_MS, loop.monotonic_ms)
        self.clock.start()

    @property
    def passed_s(self) -> float:
        """Time that has passed by the clock."""
        return (self.clock.now_ms() - NOON_MS) / 1000

    def due_after(self, delay_s: float) -> asyncio.Future[float]:
        """Return the time by the loop in which a call of the clock comes."""
        began_s = self.loop.time()
        came: asyncio.Future[float] = self.loop.create_future()
        self.clock.call_later(delay_s, lambda: came.set_result(self.loop.time() - began_s))
        return came


@each("held_up_s", [0.4, 1.0, 12.0, 3_600.0])
def test_a_hold_up_delays_what_is_due_by_as_long(held_up_s: float) -> None:
    async def check() -> None:
        timed = Timed()
        came = timed.due_after(10.0)
        await asyncio.sleep(3.0)
        timed.loop.hold_up(held_up_s)
        shortest_s = held_up_s + 10.0 - MOST_LATE_MS / 1000
        assert shortest_s <= await came <= held_up_s + 10.0 + 2 * BEAT_S
        assert timed.passed_s == pytest.approx(10.0, abs=0.02)

    simulate(check())


def test_the_time_never_goes_back() -> None:
    async def check() -> None:
        timed, before_s = Timed(), 0.0
        for step in range(200):
            timed.loop.hold_up(step % 7 * 0.09)
            await asyncio.sleep(0.013 * (step % 3))
            assert timed.passed_s >= before_s
            before_s = timed.passed_s

    simulate(check())


def test_what_was_due_before_comes_after_what_has_waited() -> None:
    """Every call comes a beat after the hold-up, when sockets were read."""

    async def check() -> None:
        timed = Timed()
        came = timed.due_after(0.15)
        await asyncio.sleep(0.12)
        timed.loop.hold_up(5.0)
        assert timed.passed_s <= MOST_LATE_MS / 1000 + BEAT_S
        assert await came >= 5.12 + BEAT_S

    simulate(check())


def test_a_busy_loop_makes_no_clock_stand_still_for_ever() -> None:
    async def check() -> None:
        timed = Timed()
        came = timed.due_after(10.0)
        while not came.done():
            timed.loop.hold_up(0.3)
            await asyncio.sleep(0)
        assert await came < 60.0

    simulate(check())


def test_lag_that_is_usual_counts_as_time() -> None:
    async def check() -> None:
        timed = Timed()
        for _ in range(50):
            timed.loop.hold_up(0.1)
            await asyncio.sleep(0.05)
        assert timed.passed_s == pytest.approx(50 * 0.15, abs=0.02)

    simulate(check())


def test_sleep_is_as_long_as_calls_are_late() -> None:
    async def check() -> None:
        timed = Timed()
        sleeping = asyncio.ensure_future(timed.clock.sleep(2.0))
        await asyncio.sleep(1.0)
        timed.loop.hold_up(60.0)
        await sleeping
        assert timed.passed_s == pytest.approx(2.0, abs=0.02)

    simulate(check())


def test_a_call_that_is_cancelled_after_a_hold_up_never_comes() -> None:
    async def check() -> None:
        timed = Timed()
        call = timed.clock.call_later(0.5, lambda: pytest.fail("it was cancelled"))
        timed.loop.hold_up(1.0)
        await asyncio.sleep(0.05)
        call.cancel()
        await asyncio.sleep(5.0)

    simulate(check())


def test_a_clock_that_was_not_started_or_was_stopped_follows_the_machine() -> None:
    async def check() -> None:
        timed = Timed()
        timed.clock.stop()
        timed.loop.hold_up(5.0)
        await asyncio.sleep(1.0)
        assert timed.passed_s == pytest.approx(6.0, abs=0.02)

    simulate(check())
