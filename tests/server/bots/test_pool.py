"""Assignment of rooms to bot queues, and stand-ins for bots that misbehave."""

import asyncio
import multiprocessing
import random
import resource
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from tests.server import bad_bots

from boxroom_engine.games.registry import KINDS, make_game
from boxroom_server.bots.jobs import Choose, choose_move
from boxroom_server.bots.pool import QUICK_BOTS, BotPool
from boxroom_server.ops.metrics import Metrics

ONE_LOOP = True

STATE = make_game("dots", {"rows": 2, "cols": 2}, 2).initial()
MOVES = STATE.legal_moves()


@asynccontextmanager
async def pool(
    workers: int = 1,
    limit_s: float = 1000.0,
    choose: Choose = bad_bots.choose,
    metrics: Metrics | None = None,
) -> AsyncIterator[BotPool]:
    bots = BotPool(workers, limit_s, random.Random(1), choose, metrics)
    try:
        yield bots
    finally:
        await bots.stop()
        assert not multiprocessing.active_children()


async def test_a_position_of_every_game_reaches_a_bot() -> None:
    async with pool() as bots:
        for kind in KINDS.values():
            state = kind.make({}, 2).initial()
            assert (await bots.ask("attic", "greedy", state)).move in state.legal_moves()


# Bots that misbehave


async def test_another_bot_plays_for_one_that_gives_no_legal_move(
    caplog: pytest.LogCaptureFixture,
) -> None:
    metrics = Metrics()
    async with pool(metrics=metrics) as bots:
        for bot in ("raises", "is off the board", "crashes", "raises"):
            caplog.clear()
            assert (await bots.choose("attic", bot, STATE)).move == MOVES[0]
            (record,) = caplog.records
            assert bot in record.message
            assert record.__dict__["fields"] == {"room": "attic", "bot": bot}
            caplog.clear()
            assert (await bots.choose("attic", "good", STATE)).move == MOVES[0]
            assert caplog.text == ""
    failures = {bot: count for bot, count in metrics.bot_failures.items() if count}
    assert failures == {"raises": 2, "is off the board": 1, "crashes": 1}


async def test_another_bot_plays_for_one_that_does_not_answer() -> None:
    metrics = Metrics()
    async with pool(limit_s=1.0, metrics=metrics) as bots:
        assert (await bots.choose("attic", "sleeps", STATE)).move in MOVES
    assert metrics.bot_failures["sleeps"] == 1


async def test_the_stand_in_completes_a_box_for_an_unknown_bot() -> None:
    game = make_game("dots", {"rows": 1, "cols": 1}, 2)
    state = game.initial()
    for move in ("h0", "h1", "v0"):
        state = state.play(game.parse_move(move))
    async with pool(choose=choose_move) as bots:
        assert game.format_move((await bots.choose("attic", "deep thought", state)).move) == "v1"


async def test_where_no_bot_gives_a_move_any_is_played() -> None:
    async with pool(choose=bad_bots.answer_nonsense) as bots:
        moves = {(await bots.choose("attic", "chain", STATE)).move for _ in range(8)}
    assert moves <= set(MOVES)
    assert len(moves) > 1


async def test_many_at_once_all_get_a_move() -> None:
    async with pool(workers=2) as bots:
        names = [*("good",) * 20, "raises", *("good",) * 20, "crashes", *("good",) * 20]
        moves = await asyncio.gather(
            *(bots.choose(f"room {number % 7}", name, STATE) for number, name in enumerate(names))
        )
        assert {each.move for each in moves} <= set(MOVES)
        assert [each.move for each in moves].count(MOVES[0]) >= 60


# Queues


async def test_a_room_keeps_its_process_until_that_dies() -> None:
    async with pool(workers=2) as bots:
        rooms = ("attic", "cellar", "attic", "attic", "cellar")
        moves = [(await bots.choose(room, "counts", STATE)).move for room in rooms]
        assert moves == [MOVES[0], MOVES[0], MOVES[1], MOVES[2], MOVES[1]]
        await bots.choose("attic", "crashes", STATE)
        assert (await bots.choose("attic", "counts", STATE)).move == MOVES[0]
        assert (await bots.choose("cellar", "counts", STATE)).move == MOVES[2]


async def test_a_new_room_takes_the_queue_with_the_fewest_rooms() -> None:
    async with pool(workers=2) as bots:
        for room in ("attic", "cellar", "hall"):
            await bots.choose(room, "counts", STATE)  # attic and hall, cellar
        assert (await bots.choose("loft", "counts", STATE)).move == MOVES[1]  # with cellar
        bots.release("attic")
        bots.release("hall")
        bots.release("nowhere")
        assert (await bots.choose("shed", "counts", STATE)).move == MOVES[2]  # the empty one


async def test_of_queues_with_as_many_rooms_it_takes_the_one_where_fewer_wait() -> None:
    async with pool(workers=2) as bots:
        for room in ("attic", "cellar"):
            await bots.choose(room, "counts", STATE)
        asking = [asyncio.ensure_future(bots.choose("attic", "sleeps", STATE)) for _ in range(2)]
        await asyncio.sleep(0)
        assert (await bots.choose("hall", "counts", STATE)).move == MOVES[1]
        for task in asking:
            task.cancel()
        await asyncio.wait(asking)


async def test_many_rooms_have_no_more_processes_than_there_are_queues() -> None:
    async with pool(workers=2) as bots:
        for bot in ("good", "greedy"):
            bots.warm_up("room 0", bot)
        warm = set(multiprocessing.active_children())
        assert len(warm) == 2  # one of either kind
        for number in range(20):
            await bots.choose(f"room {number}", "good", STATE)
            await bots.choose(f"room {number}", "greedy", STATE)
        processes = set(multiprocessing.active_children())
        assert warm < processes
        assert len(processes) == 3


async def test_bots_that_only_look_do_not_wait_for_those_that_think() -> None:
    async with pool() as bots:
        thinking = asyncio.ensure_future(bots.choose("attic", "sleeps", STATE))
        for bot in QUICK_BOTS:
            for name in (bot, f"{bot}:with=options"):
                assert (await bots.choose("attic", name, STATE)).move == MOVES[0]
        assert not thinking.done()
        thinking.cancel()
        await asyncio.wait([thinking])


async def test_a_process_that_cannot_start_early_starts_with_the_first_move() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    async with pool() as bots:
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))  # a pipe needs two more
        try:
            bots.warm_up("attic", "good")
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert not multiprocessing.active_children()
        assert (await bots.choose("attic", "good", STATE)).move == MOVES[0]


async def test_stopping_ends_processes_whatever_they_do() -> None:
    async with pool(workers=2) as bots:
        asking = [asyncio.ensure_future(bots.choose("attic", "spins", STATE)) for _ in range(5)]
        await asyncio.sleep(0)
        for task in asking:
            task.cancel()
        await asyncio.wait(asking)


# What is seen from outside


async def test_waiting_moves_are_counted() -> None:
    async with pool() as bots:
        assert bots.moves_waiting == 0
        moves = [asyncio.ensure_future(bots.ask("attic", "spins", STATE)) for _ in range(3)]
        await asyncio.sleep(0)
        assert bots.moves_waiting == 2
        for move in moves:
            move.cancel()
        await asyncio.gather(*moves, return_exceptions=True)
        assert bots.moves_waiting == 0
