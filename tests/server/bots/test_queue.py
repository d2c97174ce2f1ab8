"""A bot queue: one process, whose time many moves share, and which is replaced when it fails."""

import asyncio
import multiprocessing
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest
from tests.cases import each
from tests.server import bad_bots

from boxroom_engine.games.registry import make_game
from boxroom_server.bots.fair_queue import Asker
from boxroom_server.bots.jobs import BotFailed
from boxroom_server.bots.queue import MIN_THINKING_S, BotQueue
from boxroom_server.ops.metrics import Metrics

ONE_LOOP = True

STATE = make_game("dots", {"rows": 3, "cols": 3}, 2).initial()
MOVES = STATE.legal_moves()
ASKER = Asker("Ada", "attic")


@asynccontextmanager
async def bot_queue(
    limit_s: float = 1000.0, metrics: Metrics | None = None
) -> AsyncIterator[BotQueue]:
    made = BotQueue(limit_s, metrics or Metrics())
    try:
        yield made
    finally:
        await made.stop()
        assert not multiprocessing.active_children()


async def choose(queue: BotQueue, bot: str) -> int:
    return (await queue.run(ASKER, bad_bots.job(bot, STATE))).move


async def test_a_bot_that_fails_leaves_its_process_as_it_was() -> None:
    metrics = Metrics()
    async with bot_queue(metrics=metrics) as one:
        assert [await choose(one, "counts") for _ in range(2)] == list(MOVES[:2])
        with pytest.raises(BotFailed):
            await choose(one, "raises")
        assert await choose(one, "counts") == MOVES[2]
    assert sum(metrics.thinking["raises"].counts) == 1  # it has thought as well


async def test_a_process_that_hangs_or_dies_is_replaced() -> None:
    async with bot_queue(limit_s=5.0) as one:
        for bot in ("sleeps", "crashes"):
            assert await choose(one, "counts") == MOVES[0]
            with pytest.raises((TimeoutError, EOFError, OSError)):
                await choose(one, bot)
            assert not multiprocessing.active_children()


async def test_a_process_that_dies_with_nothing_to_do_is_no_loss() -> None:
    async with bot_queue() as one:
        assert await choose(one, "counts") == MOVES[0]
        (process,) = multiprocessing.active_children()
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        await asyncio.to_thread(process.join)
        assert await choose(one, "counts") == MOVES[0]


async def test_who_gives_up_waiting_is_not_counted_any_more() -> None:
    async with bot_queue() as one:
        thinking = asyncio.ensure_future(choose(one, "sleeps"))
        waiting = asyncio.ensure_future(choose(one, "good"))
        await asyncio.sleep(0)
        assert one.waiting == 1
        waiting.cancel()
        await asyncio.wait([waiting])
        assert one.waiting == 0
        thinking.cancel()
        await asyncio.wait([thinking])


async def test_moves_share_the_limit_with_those_that_wait_behind_them() -> None:
    async with bot_queue(limit_s=12.5) as one:
        one.warm_up()
        limits = await asyncio.gather(*(choose(one, "tells its limit") for _ in range(5)))
        assert limits == [MOVES[int(12.5 / among)] for among in (5, 4, 3, 2, 1)]
        for _ in range(3):
            assert await choose(one, "tells its limit") == MOVES[12]


@each("limit_s, least_s", [(1.0, MIN_THINKING_S), (0.01, 0.01)])
async def test_however_many_wait_there_is_a_little_time_to_think(
    limit_s: float, least_s: float
) -> None:
    one = BotQueue(limit_s, Metrics())
    for _ in range(1000):
        one._waiting.add(ASKER, asyncio.get_running_loop().create_future())
    assert one._share_s(ASKER.client) == least_s


async def test_the_many_moves_of_one_client_share_its_part_and_leave_the_rest_to_others() -> None:
    async with bot_queue(limit_s=12.0) as one:
        one.warm_up()
        first = asyncio.ensure_future(choose(one, "good"))
        many = [asyncio.ensure_future(choose(one, "tells its limit")) for _ in range(4)]
        await asyncio.sleep(0)
        other = one.run(Asker("Bob", "cellar"), bad_bots.job("tells its limit", STATE))
        limits = [(await other).move, *(await asyncio.gather(*many))]
        assert first.done()
        assert limits == [MOVES[limit_s] for limit_s in (6, 3, 4, 6, 12)]


async def test_a_move_whose_turn_came_as_it_was_given_up_passes_it_on() -> None:
    async with bot_queue() as one:
        first = asyncio.ensure_future(choose(one, "sleeps"))
        given_up, last = (asyncio.ensure_future(choose(one, "good")) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.wait([first])  # now the second one has the turn
        given_up.cancel()
        assert await last == MOVES[0]


async def test_it_is_told_when_a_bot_begins_to_think() -> None:
    async with bot_queue() as one:
        begun: list[str] = []
        first, second = (
            asyncio.ensure_future(
                one.run(ASKER, bad_bots.job(bot, STATE), partial(begun.append, bot))
            )
            for bot in ("sleeps", "counts")
        )
        await asyncio.sleep(0)
        assert begun == ["sleeps"]
        first.cancel()
        assert (await second).move == MOVES[0]
        assert begun == ["sleeps", "counts"]


async def test_warming_up_starts_what_the_first_move_needs() -> None:
    async with bot_queue() as one:
        await one.stop()
        one.warm_up()
        (process,) = multiprocessing.active_children()
        one.warm_up()
        await choose(one, "good")
        assert multiprocessing.active_children() == [process]
        await one.stop()


async def test_stopping_in_the_middle_of_a_move_fails_it() -> None:
    async with bot_queue() as one:
        await choose(one, "good")
        asking = asyncio.ensure_future(choose(one, "spins"))
        await asyncio.sleep(0)
        await one.stop()
        with pytest.raises((EOFError, OSError)):
            await asking


async def test_how_long_a_bot_thought_is_counted_without_its_wait() -> None:
    seconds = iter((0.0, 0.0, 1.0, 1.0, 10.0, 10.0, 12.0, 12.0))
    metrics = Metrics(now_s=lambda: next(seconds))
    async with bot_queue(metrics=metrics) as one:
        job = bad_bots.job("first:option=1", STATE)
        await asyncio.gather(*(one.run(ASKER, job) for _ in range(2)))
    assert sum(metrics.thinking["first"].counts) == 2
    assert metrics.thinking["first"].total == 3.0
