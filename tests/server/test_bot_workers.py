"""Bots in processes of their own, and what becomes of those that misbehave."""

import asyncio
import multiprocessing
import os
import random
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from tests.server import bad_bots

from boxroom_engine.bots.registry import bots_for
from boxroom_engine.games.registry import KINDS, make_game
from boxroom_server.bot_workers import BotWorkers, choose_move

ONE_LOOP = True

STATE = make_game("dots", {"rows": 2, "cols": 2}, 2).initial()


@asynccontextmanager
async def bad_workers(workers: int = 1, limit_s: float = 0.2) -> AsyncIterator[BotWorkers]:
    bots = BotWorkers(workers, limit_s, random.Random(1), bad_bots.choose)
    try:
        yield bots
    finally:
        await bots.stop()
        assert not [it for it in multiprocessing.active_children() if it.is_alive()]


async def test_every_bot_plays_every_game_from_beginning_to_end() -> None:
    bots = BotWorkers(2, 5.0, random.Random(1))
    for kind in KINDS.values():
        for bot in bots_for(kind):
            state = kind.make({}, 2).initial()
            for _ in range(4):
                state = state.play(await bots.choose(bot, state))
    await bots.stop()


def test_the_same_seed_gives_the_same_move() -> None:
    for bot in ("random", "greedy"):
        assert choose_move(bot, STATE, 5.0, seed=7) == choose_move(bot, STATE, 5.0, seed=7)


async def test_warming_up_starts_what_the_first_move_needs() -> None:
    async with bad_workers() as bots:
        bots.warm_up()
        pool = bots._pool
        assert pool is not None
        assert pool.active
        bots.warm_up()
        await bots.choose("plays", STATE)
        assert bots._pool is pool


@pytest.mark.parametrize("bot", bad_bots.BAD)
async def test_a_bot_that_gives_no_legal_move_is_replaced_by_chance(
    bot: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with bad_workers() as bots:
        for _ in range(2):
            assert await bots.choose(bot, STATE) in STATE.legal_moves()
            assert bot in caplog.text
            caplog.clear()
        assert await bots.choose("good", STATE) == STATE.legal_moves()[0]
        assert caplog.text == ""


async def test_a_bot_that_nobody_knows_is_replaced_by_chance() -> None:
    bots = BotWorkers(1, 5.0, random.Random(1))
    assert await bots.choose("deep thought", STATE) in STATE.legal_moves()
    await bots.stop()


async def test_what_a_bot_prints_goes_nowhere_near_its_move() -> None:
    async with bad_workers() as bots:
        assert await bots.choose("prints", STATE) == STATE.legal_moves()[0]


async def test_one_bot_that_hangs_keeps_no_other_from_playing() -> None:
    async with bad_workers(workers=2, limit_s=30) as bots:
        hanging = asyncio.ensure_future(bots.choose("sleeps", STATE))
        for _ in range(5):
            assert await bots.choose("good", STATE) == STATE.legal_moves()[0]
        assert not hanging.done()
        hanging.cancel()
        await asyncio.wait([hanging])
        for _ in range(5):
            assert await bots.choose("good", STATE) == STATE.legal_moves()[0]


async def test_many_at_once_all_get_a_move() -> None:
    async with bad_workers(workers=2) as bots:
        names = [*("good",) * 20, "spins", *("good",) * 20, "crashes", *("good",) * 20]
        moves = await asyncio.gather(*(bots.choose(name, STATE) for name in names))
        assert set(moves) <= set(STATE.legal_moves())
        assert moves.count(STATE.legal_moves()[0]) >= 60


async def test_a_process_that_dies_with_nothing_to_do_is_no_loss(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with bad_workers() as bots:
        assert await bots.choose("good", STATE) == STATE.legal_moves()[0]
        (worker,) = multiprocessing.active_children()
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGKILL)
        await asyncio.to_thread(worker.join)
        for _ in range(3):  # a move may fail until it is noticed, and is played all the same
            assert await bots.choose("good", STATE) in STATE.legal_moves()
        caplog.clear()
        assert await bots.choose("good", STATE) == STATE.legal_moves()[0]
        assert caplog.text == ""


async def test_a_pool_that_answers_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boxroom_server.bot_workers.START_S", 0.0)
    monkeypatch.setattr("boxroom_server.bot_workers.GRACE_S", 0.0)
    async with bad_workers(workers=2, limit_s=0.001) as bots:  # no process starts so soon
        moves = await asyncio.gather(*(bots.choose("good", STATE) for _ in range(4)))
        assert set(moves) <= set(STATE.legal_moves())
        assert bots._pool is None


async def test_stopping_ends_processes_whatever_they_do() -> None:
    async with bad_workers(workers=2, limit_s=1000) as bots:
        asking = [asyncio.ensure_future(bots.choose("spins", STATE)) for _ in range(5)]
        await asyncio.sleep(0)
        for task in asking:
            task.cancel()
        await asyncio.wait(asking)


async def test_stopping_what_never_started_or_twice_does_nothing() -> None:
    bots = BotWorkers(1, 1.0, random.Random(1))
    await bots.stop()
    await bots.choose("plays", STATE)
    await bots.stop()
    await bots.stop()


@pytest.mark.long
async def test_a_bot_that_ignores_signals_is_killed() -> None:
    async with bad_workers() as bots:
        assert await bots.choose("ignores signals", STATE) in STATE.legal_moves()
        assert await bots.choose("good", STATE) == STATE.legal_moves()[0]
