"""Kills at drawn changes of the disk, in every stage of a server's life, and while a client saves.

The process is killed at a change or some microseconds later, from the first change on. Afterwards
a server starts there, and all is there that was acknowledged before.
"""

import os
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.faults.client_life import ClientLife
from tests.faults.recorded_disk import RecordedDisk
from tests.faults.server_life import Life, Stage
from tests.faults.server_process import Ended
from websockets.exceptions import WebSocketException

KILLS = int(os.environ.get("BOXROOM_STAGE_KILLS", "300"))
"""Kills of servers in a long run, and of as many clients."""


class Killed(NamedTuple):
    """A stage in which a process is killed, and those before it."""

    stage: Stage
    before: Sequence[Stage] = ()
    changes: int = 256
    """About the largest number of changes that the stage makes."""


GOES_ON = (Life.open_after_kill, Life.say)
"""Stages that may follow on any others, so that one life has many kills."""

RESTORED = (Life.open, Life.say, Life.back_up, Life.stop)

STAGES: Mapping[str, Killed] = {
    "opening a new folder": Killed(Life.open),
    "the first commits": Killed(Life.say, [Life.open]),
    "opening after a kill": Killed(Life.open_after_kill, GOES_ON),
    "upgrading": Killed(Life.upgrade),
    "many commits, with a checkpoint": Killed(Life.say_much, GOES_ON, 4096),
    "compaction": Killed(Life.idle, GOES_ON, 32),
    "stopping": Killed(Life.stop, GOES_ON, 32),
    "backup": Killed(Life.back_up, GOES_ON, 64),
    "restoring": Killed(Life.restore, RESTORED, 64),
    "opening what was restored": Killed(Life.open, [*RESTORED, Life.restore], 64),
}
"""Stages by the names that are counted."""


async def kill_in(life: Life, disk: RecordedDisk, killed: Killed, rng: random.Random) -> bool:
    """Kill a process in that stage, check, and return whether it was before the stage was over."""
    for stage in killed.before:
        await stage(life)
    kill_at_any(disk, killed.changes, rng)
    has_ended = True
    with suppress(Ended, OSError, WebSocketException):
        await killed.stage(life)
        has_ended = False
    disk.kill_no_more()
    await life.kill()
    await life.check(disk.root)
    return has_ended


def kill_at_any(disk: RecordedDisk, changes: int, rng: random.Random) -> None:
    """Draw a moment, an early one more likely than a late one."""
    disk.kill_at(round(changes ** rng.random()), rng.choice([0, rng.randrange(2000)]))


async def kill_servers(
    folder: Path, library: Path, names: Sequence[str], rng: random.Random
) -> None:
    """Kill a process in each of the stages with those names; the last life goes on where it can."""
    counts = Counter[str]()
    for number, name in enumerate(names):
        print(f"kill {number}, in {name}")
        killed = STAGES[name]
        if number == 0 or killed.before is not GOES_ON:
            here = folder / str(number)
            here.mkdir()
            disk = RecordedDisk(here, library)
            life = Life(disk, here / "errors")
        async with life:
            has_ended = await kill_in(life, disk, killed, rng)
        counts[name if has_ended else f"{name}, after its end"] += 1
    for name, count in sorted(counts.items()):
        print(f"{count:5} kills in {name}")


async def test_a_server(tmp_path: Path, disk_library: Path, seed: int) -> None:
    rng = random.Random(seed)
    await kill_servers(tmp_path, disk_library, rng.sample([*STAGES], 3), rng)


@pytest.mark.long
async def test_a_server_often(tmp_path: Path, disk_library: Path, seed: int) -> None:
    names, rng = [*STAGES] * (KILLS // len(STAGES)), random.Random(seed)
    rng.shuffle(names)
    await kill_servers(tmp_path, disk_library, names, rng)


async def kill_clients(folder: Path, library: Path, kills: int, rng: random.Random) -> None:
    """Kill so many clients that save."""
    for number in range(kills):
        here = folder / str(number)
        here.mkdir()
        disk = RecordedDisk(here, library)
        kill_at_any(disk, 128, rng)
        life = ClientLife(disk)
        await life.run()
        life.check(disk.root, disk.recorded_bytes)


async def test_a_client(tmp_path: Path, disk_library: Path, seed: int) -> None:
    await kill_clients(tmp_path, disk_library, 3, random.Random(seed))


@pytest.mark.long
async def test_a_client_often(tmp_path: Path, disk_library: Path, seed: int) -> None:
    await kill_clients(tmp_path, disk_library, KILLS, random.Random(seed))
