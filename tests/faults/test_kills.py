"""Everything at once: bad connections, and a server that is killed again and again.

Recording clients in two rooms play, chat and make mistakes at random, over proxies that delay, cut
and leave messages half; meanwhile the server's process gets SIGKILL at random moments and is
started again on what it has saved. In the end `history` checks what the clients have recorded.
"""

import os
import random
from pathlib import Path

import pytest
from tests.faults.recorded_rooms import recorded_rooms
from tests.faults.server_process import NO_LIMITS, ServerProcess, free_port

ROOMS = ("attic", "cellar")


async def end(server: ServerProcess) -> None:
    """Stop the server, which must not have logged an error."""
    assert await server.stop() == 0
    assert "Traceback" not in server.logged_errors()
    assert "ERROR" not in server.logged_errors()


@pytest.mark.long
async def test_lines_that_never_hold(tmp_path: Path, seed: int) -> None:
    """`test_soak` has a short form, without a process of the server's own."""
    async with ServerProcess(free_port(), tmp_path / "errors", *NO_LIMITS, "--memory") as server:
        async with recorded_rooms(ROOMS, server.port, random.Random(seed)) as progress:
            await progress.wait_for_answers(10_000)
        await end(server)


async def check_kills(folder: Path, seed: int, kills: int) -> None:
    rng = random.Random(seed)
    kept = ("--data", str(folder / "kept"))
    async with ServerProcess(free_port(), folder / "errors", *NO_LIMITS, *kept) as server:
        async with recorded_rooms(ROOMS, server.port, rng) as progress:
            for _ in range(kills):
                await progress.wait_for_answers(rng.randint(1, 200))
                await server.kill()
                await server.start()
            await progress.wait_for_answers(200)
        await end(server)


async def test_a_server_that_is_killed(tmp_path: Path, seed: int) -> None:
    await check_kills(tmp_path, seed, kills=2)


@pytest.mark.long
async def test_a_server_that_is_killed_a_thousand_times(tmp_path: Path, seed: int) -> None:
    await check_kills(tmp_path, seed, kills=int(os.environ.get("BOXROOM_KILLS", "1000")))
