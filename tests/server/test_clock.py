"""The server's clock, and jumps of the time of day that it doesn't follow."""

import asyncio

import pytest
from tests.server.manual_clock import NOON_MS, ManualClock
from tests.server.talk import until

from boxroom_server.clock import CHECK_EVERY_S, MIN_JUMP_MS, SystemClock, log_jumps_forever

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


@pytest.mark.parametrize("jump_ms", [-3_600_000, 3_600_000, 181 * 86_400_000])
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
