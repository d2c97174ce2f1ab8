"""A bot process: its answers, its end, and its low priority."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from textwrap import dedent

import pytest
from tests.deploy.system_calls import skip_without_library
from tests.server import bad_bots

from boxroom_engine.games.registry import make_game
from boxroom_server.bots.jobs import BotFailed, choose_move
from boxroom_server.bots.process import BotProcess
from boxroom_server.bots.worker import NICENESS

ROOT = Path(__file__).parents[3]

STATE = make_game("dots", {"rows": 2, "cols": 2}, 2).initial()
FIRST = STATE.legal_moves()[0]


@asynccontextmanager
async def bot_process() -> AsyncIterator[BotProcess]:
    process = BotProcess()
    try:
        await process.ready()
        yield process
    finally:
        await process.end()
        assert not process.is_alive


def test_the_same_seed_gives_the_same_move() -> None:
    for bot in ("random", "greedy"):
        assert choose_move(bot, STATE, 5.0, seed=7) == choose_move(bot, STATE, 5.0, seed=7)


def session_niceness(pid: int) -> int | None:
    """Return the priority of a process's session; None unless Linux has one that may be changed."""
    autogroup = Path(f"/proc/{pid}/autogroup")
    if not os.access(autogroup, os.W_OK):
        return None
    return int(autogroup.read_text().split()[-1])


async def test_it_answers_one_question_after_the_other_also_after_ctrl_c() -> None:
    async with bot_process() as process:
        assert process.pid is not None
        os.kill(process.pid, signal.SIGINT)
        moves = [(await process.run(bad_bots.job("counts", STATE), 5.0)).move for _ in range(3)]
        assert moves == list(STATE.legal_moves()[:3])


async def test_its_priority_is_below_the_servers() -> None:
    async with bot_process() as process:
        assert process.pid is not None
        ours = os.getpriority(os.PRIO_PROCESS, os.getpid())
        assert os.getpriority(os.PRIO_PROCESS, process.pid) == min(ours + NICENESS, 19)
        assert os.getsid(process.pid) == process.pid
        assert session_niceness(process.pid) in (NICENESS, None)


def test_it_plays_where_its_priority_cannot_be_changed() -> None:
    skip_without_library()
    program = dedent("""
        import asyncio
        from tests.deploy.system_calls import Filter
        from tests.server import bad_bots
        from tests.server.bots.test_process import STATE, bot_process

        async def play():
            async with bot_process() as process:
                await process.run(bad_bots.job("good", STATE), 5.0)

        same_priority = Filter()
        same_priority.add("setpriority")
        same_priority.install()
        asyncio.run(play())
    """)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


async def test_a_bot_that_fails_says_why_and_another_may_be_asked() -> None:
    async with bot_process() as process:
        for bot, reason in [
            ("raises", "RuntimeError: no idea"),
            ("raises what can't travel", "Unlucky: noluck"),
            ("raises what can't be said", "Unspeakable"),
            ("exits", "SystemExit: enough"),
            ("gives up", "CancelledError"),
            ("interrupts", "KeyboardInterrupt"),
            ("answers nothing", "TypeError"),
            ("answers nonsense", "TypeError"),
            ("answers in between", "TypeError"),
            ("is unpicklable", "TypeError"),
        ]:
            with pytest.raises(BotFailed, match=reason):
                await process.run(bad_bots.job(bot, STATE), 5.0)
            assert (await process.run(bad_bots.job("prints", STATE), 5.0)).move == FIRST


async def test_a_bot_that_hangs_is_given_up_and_can_be_ended() -> None:
    async with bot_process() as process:
        with pytest.raises(TimeoutError):
            await process.run(bad_bots.job("ignores signals", STATE), 0.01)
        assert process.is_alive


async def test_the_end_of_the_process_is_heard_at_once() -> None:
    async with bot_process() as process:
        with pytest.raises((EOFError, OSError)):
            await process.run(bad_bots.job("crashes", STATE), 1000.0)


async def test_an_answer_that_waits_is_taken_however_late_it_is_read() -> None:
    async with bot_process() as process:
        process._connection.send((bad_bots.job("counts", STATE), 5.0))
        await asyncio.to_thread(process._connection.poll, None)
        answer = await process._receive(0.0)  # as after a hold-up of the server
        assert answer.move == FIRST


async def test_a_process_that_does_not_start_in_time_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("boxroom_server.bots.process.START_S", 0.0)
    process = BotProcess()
    with pytest.raises(TimeoutError):
        await process.ready()
    await process.end()


async def test_a_process_that_nobody_asks_any_more_ends_by_itself() -> None:
    process = BotProcess()
    await process.ready()
    assert (await process.run(bad_bots.job("good", STATE), 5.0)).move == FIRST
    with pytest.raises(BotFailed):
        await process.run(bad_bots.job("raises", STATE), 5.0)
    process._connection.close()
    await asyncio.to_thread(process._process.join)
    assert process._process.exitcode == 0


def test_a_bot_that_hangs_does_not_outlive_a_server_that_is_killed() -> None:
    server = dedent("""
        import asyncio, os, signal
        from tests.server import bad_bots
        from tests.server.bots.test_process import STATE
        from boxroom_server.bots.process import BotProcess

        async def main():
            process = BotProcess()
            await process.ready()
            asking = asyncio.ensure_future(process.run(bad_bots.job("spins", STATE), 1000.0))
            await asyncio.sleep(0)
            os.kill(os.getpid(), signal.SIGKILL)

        if __name__ == "__main__":
            asyncio.run(main())
    """)
    environment = {**os.environ, "PYTHONPATH": "."}
    with subprocess.Popen(
        [sys.executable, "-c", server], stdout=subprocess.PIPE, env=environment
    ) as killed:
        assert killed.stdout is not None
        assert killed.stdout.read() == b""  # the bot's process has this pipe too: it has ended
    assert killed.returncode == -signal.SIGKILL
