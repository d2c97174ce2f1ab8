"""Turns: one at a time, the least penalty first, and only so many that wait."""

import asyncio

import pytest
from tests.cases import each
from tests.server.talk import until

from boxroom_server.people.turns import TooManyWaiting, Turns

ONE_LOOP = True


class Workers:
    """Workers that each want one turn, which ends when the test says so."""

    def __init__(self, most_waiting: int) -> None:
        self.turns = Turns(most_waiting)
        self.begun: list[str] = []
        self.may_end = asyncio.Semaphore(0)

    async def start(self, name: str, penalty: float = 0.0) -> asyncio.Task[None]:
        """Let a worker ask for a turn."""
        task = asyncio.create_task(self._work(name, penalty))
        await asyncio.sleep(0)
        return task

    async def _work(self, name: str, penalty: float) -> None:
        async with self.turns.turn(penalty):
            self.begun.append(name)
            await self.may_end.acquire()

    async def end(self, number: int) -> None:
        """Let so many turns end."""
        for _ in range(number):
            self.may_end.release()
            for _ in range(4):
                await asyncio.sleep(0)


async def test_the_least_penalty_comes_first_and_of_equals_the_first() -> None:
    workers = Workers(10)
    asked = [("a", 5.0), ("b", 2.0), ("c", 0.0), ("d", 2.0), ("e", 1.0)]
    tasks = [await workers.start(name, penalty) for name, penalty in asked]
    assert workers.begun == ["a"]
    await workers.end(5)
    assert workers.begun == ["a", "c", "e", "b", "d"]
    await asyncio.gather(*tasks)
    await workers.start("f")
    assert workers.begun[-1] == "f"


async def test_who_has_the_most_penalty_is_turned_away() -> None:
    workers = Workers(2)
    tasks = [await workers.start(name, 1.0) for name in "abc"]
    tasks.append(await workers.start("d", 0.5))
    tasks.append(await workers.start("e", 1.5))
    await workers.end(3)
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    assert workers.begun == ["a", "d", "b"]
    assert [type(each) for each in ended] == [
        type(None),
        type(None),
        TooManyWaiting,
        type(None),
        TooManyWaiting,
    ]


@each("cancelled", ["waiting", "called"])
async def test_a_turn_that_is_cancelled_is_the_next_ones(cancelled: str) -> None:
    workers = Workers(10)
    first, second, third = [await workers.start(name) for name in "abc"]
    if cancelled == "called":
        workers.may_end.release()
        await until(lambda: len(workers.turns._waiting) == 1)
        assert workers.begun == ["a"]
    second.cancel()
    await asyncio.gather(second, return_exceptions=True)
    await workers.end(2)
    await asyncio.gather(first, third)
    assert workers.begun == ["a", "c"]


async def test_a_turn_that_ends_while_the_next_one_is_cancelled_passes_on() -> None:
    workers = Workers(10)
    first, second, third = [await workers.start(name) for name in "abc"]
    workers.may_end.release()
    second.cancel()  # in the same tick: the first one ends before the second one learns of it
    await workers.end(1)
    await asyncio.gather(first, third)
    assert workers.begun == ["a", "c"]


async def test_an_error_ends_the_turn() -> None:
    turns = Turns(1)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            async with turns.turn(0.0):
                raise ZeroDivisionError
