"""Background tasks: none is collected early, and failures are logged."""

import asyncio
import gc
import logging

import pytest

from boxroom_server.tasks import Tasks


async def test_a_task_lives_although_nobody_holds_it() -> None:
    tasks, done = Tasks(), asyncio.Event()

    async def work() -> None:
        await asyncio.sleep(0)
        done.set()

    tasks.start(work())
    gc.collect()
    await asyncio.wait_for(done.wait(), 5)


async def test_a_failure_is_logged_and_reported(caplog: pytest.LogCaptureFixture) -> None:
    tasks, reported = Tasks(), asyncio.Event()

    async def work() -> None:
        raise ValueError("the roof is on fire")

    tasks.start(work(), failed=reported.set)
    await asyncio.wait_for(reported.wait(), 5)
    assert "the roof is on fire" in caplog.text


async def test_cancelling_ends_what_runs_and_is_no_failure(
    caplog: pytest.LogCaptureFixture,
) -> None:
    tasks, ended, reported = Tasks(), asyncio.Event(), asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            ended.set()

    tasks.start(work(), failed=reported.set)
    await asyncio.sleep(0)
    await tasks.cancel()
    assert ended.is_set()
    assert not reported.is_set()
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    await tasks.cancel()  # nothing is left to cancel
