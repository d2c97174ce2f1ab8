"""What waits for the end of a turn."""

import asyncio

from boxroom_server.net.tick_batch import TickBatch


async def test_everything_is_done_in_order_at_the_end_of_the_turn() -> None:
    done: list[int] = []
    turn = TickBatch(done.append)
    for number in range(3):
        turn.add(number)
    assert done == []
    await asyncio.sleep(0)
    assert done == [0, 1, 2]


async def test_what_is_done_early_is_not_done_again() -> None:
    done: list[int] = []
    turn = TickBatch(done.append)
    turn.add(1)
    turn.go()
    turn.add(2)
    assert done == [1]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert done == [1, 2]


async def test_what_comes_up_in_the_work_is_for_the_next_round() -> None:
    done: list[int] = []

    def work(number: int) -> None:
        done.append(number)
        if number < 3:
            turn.add(number + 1)

    turn = TickBatch(work)
    turn.add(1)
    await asyncio.sleep(0)
    assert done == [1]
    for _ in range(3):
        await asyncio.sleep(0)
    assert done == [1, 2, 3]
