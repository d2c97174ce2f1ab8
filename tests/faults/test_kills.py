"""Everything at once: lines that never hold, and a server that is killed again and again.

Witnesses at two tables play, talk and err at random, over proxies that delay, cut and leave
messages half; meanwhile the server's process gets SIGKILL at random moments and is started
again on what it has kept. In the end `history` judges what the witnesses have to say.
"""

import os
import random
from pathlib import Path

import pytest
from tests.faults.served import NO_LIMITS, Served, free_port
from tests.faults.tables import tables

ROOMS = ("attic", "cellar")


async def end(server: Served) -> None:
    """Stop the server, which has had nothing to complain about."""
    assert await server.stop() == 0
    assert "Traceback" not in server.complaints()
    assert "ERROR" not in server.complaints()


async def test_lines_that_never_hold(tmp_path: Path, seed: int) -> None:
    async with Served(free_port(), tmp_path / "errors", *NO_LIMITS, "--memory") as server:
        async with tables(ROOMS, server.port, random.Random(seed)) as progress:
            await progress.more(3_000)
        await end(server)


async def check_kills(folder: Path, seed: int, kills: int) -> None:
    rng = random.Random(seed)
    kept = ("--data", str(folder / "kept"))
    async with Served(free_port(), folder / "errors", *NO_LIMITS, *kept) as server:
        async with tables(ROOMS, server.port, rng) as progress:
            for _ in range(kills):
                await progress.more(rng.randint(1, 200))
                await server.kill()
                await server.start()
            await progress.more(200)
        await end(server)


async def test_a_server_that_is_killed(tmp_path: Path, seed: int) -> None:
    await check_kills(tmp_path, seed, kills=20)


@pytest.mark.long
async def test_a_server_that_is_killed_a_thousand_times(tmp_path: Path, seed: int) -> None:
    await check_kills(tmp_path, seed, kills=int(os.environ.get("BOXROOM_KILLS", "1000")))
