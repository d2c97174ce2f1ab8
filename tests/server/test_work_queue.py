"""Work in portions: order, size, and errors."""

import asyncio

import pytest

from boxroom_server.work_queue import WorkQueue

ONE_LOOP = True


async def test_items_are_handled_in_order_and_a_few_in_each_tick() -> None:
    handled: list[int] = []
    queue = WorkQueue(handled.append, 8)
    for number in range(20):
        queue.add(number)
    assert handled == []
    counts = []
    while len(handled) < 20:
        await asyncio.sleep(0)
        counts.append(len(handled))
    assert counts == [8, 16, 20]
    assert handled == list(range(20))


async def test_it_goes_on_with_what_comes_later() -> None:
    handled: list[str] = []
    queue = WorkQueue(handled.append, 8)
    for item in ("early", "late"):
        queue.add(item)
        await asyncio.sleep(0)
    assert handled == ["early", "late"]


async def test_an_error_keeps_no_other_item_waiting(caplog: pytest.LogCaptureFixture) -> None:
    inverses: list[float] = []
    queue = WorkQueue[int](lambda number: inverses.append(1 / number), 2)
    for number in (0, 2, 0, 4):
        queue.add(number)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert inverses == [0.5, 0.25]
    assert caplog.text.count("ZeroDivisionError: ") == 2
