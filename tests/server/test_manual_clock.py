"""The clock of the tests, and the server's own."""

import asyncio

from tests.server.manual_clock import NOON_MS, ManualClock

from boxroom_server.clock import Clock, SystemClock

ONE_LOOP = True


def test_both_clocks_are_clocks() -> None:
    clocks: list[Clock] = [ManualClock(), SystemClock()]
    assert all(clock.now_ms() >= NOON_MS for clock in clocks)


async def test_calls_are_made_in_order_each_at_its_time() -> None:
    clock, made = ManualClock(), []
    clock.call_later(2, lambda: made.append(("two", clock.now_ms() - NOON_MS)))
    clock.call_later(1, lambda: made.append(("one", clock.now_ms() - NOON_MS)))
    clock.call_later(1, lambda: made.append(("never", 0))).cancel()
    clock.advance(0.5)
    assert made == []
    clock.advance(5)
    assert made == [("one", 1000), ("two", 2000)]
    assert clock.now_ms() == NOON_MS + 5500


async def test_sleepers_wake() -> None:
    clock = ManualClock()
    sleeper = asyncio.ensure_future(clock.sleep(3))
    await asyncio.sleep(0)
    clock.advance(2.9)
    await asyncio.sleep(0)
    assert not sleeper.done()
    clock.advance(0.1)
    await sleeper
    await clock.sleep(0)


async def test_the_system_clock_calls_and_sleeps() -> None:
    clock, called = SystemClock(), asyncio.Event()
    clock.call_later(0, called.set)
    await clock.sleep(0)
    await asyncio.wait_for(called.wait(), 5)
