"""Items that are processed at the end of a tick."""

import asyncio

from boxroom_server.net.tick_batch import TickBatch


async def test_items_are_processed_in_order_at_the_end_of_the_tick() -> None:
    done: list[int] = []
    batch = TickBatch(done.append)
    for number in range(3):
        batch.add(number)
    assert done == []
    await asyncio.sleep(0)
    assert done == [0, 1, 2]


async def test_items_processed_early_are_not_processed_again() -> None:
    done: list[int] = []
    batch = TickBatch(done.append)
    batch.add(1)
    batch.run()
    batch.add(2)
    assert done == [1]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert done == [1, 2]


async def test_items_added_while_processing_wait_for_the_next_tick() -> None:
    done: list[int] = []

    def process(number: int) -> None:
        done.append(number)
        if number < 3:
            batch.add(number + 1)

    batch = TickBatch(process)
    batch.add(1)
    await asyncio.sleep(0)
    assert done == [1]
    for _ in range(3):
        await asyncio.sleep(0)
    assert done == [1, 2, 3]
