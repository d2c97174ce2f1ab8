"""Rounds of games over bad connections, for any time: a server that runs on holds no more.

After every round, when all clients have left and their rooms have expired, the process has as many
tasks, timers, descriptors and rooms as before the first; and its memory stops growing once it has
warmed up. The same names come every time: a server stores names, a few hundred bytes for each,
until there are too many. BOXROOM_SOAK_MINUTES is the duration of the long form.
"""

import asyncio
import gc
import os
import random
import time

import pytest
from tests.faults.parameters import UNLIMITED
from tests.faults.recorded_rooms import recorded_rooms
from tests.faults.resources import (
    LEAST_SIZES,
    ResourceCounts,
    count_resources,
    has_grown,
    no_logged_errors,
    resident_bytes,
    scheduled,
)

from boxroom_server.options import Options
from boxroom_server.server import Server, serve

LIMIT_S = 30.0
GROWTH_BYTES = 8 * 2**20
"""Difference in the memory of a process that is no leak."""

OPTIONS = Options(
    host="127.0.0.1",
    port=0,
    pace_s=0.0,
    grace_s=0.2,
    # Longer than bad connections may keep all members of a room away at once.
    empty_room_s=1.0,
    drain_s=0.2,
    messages_per_s=1e6,
    **UNLIMITED,
)


def count(server: Server) -> ResourceCounts:
    return count_resources(server, scheduled(asyncio.get_running_loop()))


async def play_a_round(server: Server, rng: random.Random, answers: int) -> None:
    """Play in two rooms with a checker, as in the run with kills; then all clients leave."""
    async with recorded_rooms(["left", "right"], server.port, rng) as progress:
        await progress.wait_for_answers(answers)


async def until_as_before(server: Server, before: ResourceCounts) -> None:
    """Wait until everything that the round has left behind is gone."""
    until_s = time.monotonic() + LIMIT_S
    while (now := count(server)).is_more_than(before):
        assert time.monotonic() < until_s, f"there was {before}, and there is {now}"
        await asyncio.sleep(0.01)


async def soak(seed: int, seconds: float, answers: int) -> None:
    rng = random.Random(seed)
    sizes: list[int] = []
    with no_logged_errors():
        async with serve(OPTIONS, rng=random.Random(seed)) as server:
            before = count(server)
            until_s = time.monotonic() + seconds
            while time.monotonic() < until_s or len(sizes) < LEAST_SIZES:
                await play_a_round(server, rng, answers)
                await until_as_before(server, before)
                gc.collect()
                sizes.append(resident_bytes())
    print(f"{len(sizes)} rounds, {sizes[-1] / 2**20:.0f} MiB, grown by {has_grown(sizes)} bytes")
    assert has_grown(sizes) < GROWTH_BYTES


async def test_rounds_of_games(seed: int) -> None:
    await soak(seed, seconds=0.0, answers=100)


@pytest.mark.long
async def test_rounds_of_games_for_long(seed: int) -> None:
    minutes = float(os.environ.get("BOXROOM_SOAK_MINUTES", "60"))
    await soak(seed, 60.0 * minutes, answers=400)


def test_growth_shows() -> None:
    assert has_grown([100, 200, 200, 200, 200, 200, 200, 200]) == 0
    assert has_grown([100, 200, 210, 220, 230, 240, 250, 260]) == 40
