"""Power cuts at any moment of a server's life, and while a client saves.

A life is recorded once. Then power cuts are replayed at drawn moments of the record, which lose or
tear what wasn't synced. Whatever that leaves, a server starts there, and all is there that was
acknowledged before.
"""

import os
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.faults.client_life import ClientLife
from tests.faults.recorded_disk import PowerCuts, RecordedDisk
from tests.faults.server_life import Life, Stage

CUTS = int(os.environ.get("BOXROOM_POWER_CUTS", "1000"))
"""Power cuts of a long run."""

STAGES: Sequence[tuple[str, Stage]] = (
    ("opening a new folder", Life.open),
    ("the first commits", Life.say),
    ("opening after a kill", Life.open_after_kill),
    ("many commits, with a checkpoint", Life.say_much),
    ("backup", Life.back_up),
    ("compaction", Life.idle),
    ("stopping", Life.stop),
    ("restoring", Life.restore),
    ("opening what was restored", Life.open),
    ("the first commits", Life.say),
    ("upgrading", Life.upgrade),
    ("stopping", Life.stop),
)
"""Stages of a life, in order, with the names that are counted."""


class Cut(NamedTuple):
    """A power cut, by the moment and the stage in which it comes."""

    moment: int
    """Size of the record of the disk."""
    stage: str


def drawn(
    disk: RecordedDisk, ends: Sequence[tuple[int, str]], cuts: int, rng: random.Random
) -> Iterator[Cut]:
    """Draw so many cuts, equally many in each stage, in order; `ends` are those of the stages.

    A stage without changes has none: a server may compact its commits while it is backed up.
    """
    moments = [
        end
        for end, _ in disk.changes()
        if not any(begin < end < put for begin, put in disk.put_between)
    ]
    begin = 0
    for number, (end, stage) in enumerate(ends):
        inside = [moment for moment in moments if begin < moment <= end]
        share = (number + 1) * cuts // len(ends) - number * cuts // len(ends)
        drawn_moments = rng.choices(inside, k=share) if inside else ()
        yield from (Cut(moment, stage) for moment in sorted(drawn_moments))
        begin = end


async def check_server(folder: Path, library: Path, seed: int, cuts: int) -> None:
    disk, counts, ends = RecordedDisk(folder, library), Counter[str](), []
    life = Life(disk, folder / "errors")
    async with life:
        for name, stage in STAGES:
            await stage(life)
            ends.append((disk.recorded_bytes, name))
    rng = random.Random(seed)
    replay = PowerCuts(disk)
    for cut in drawn(disk, ends, cuts, rng):
        replay.advance(cut.moment)
        replay.cut(folder / "cut", rng)
        await life.check(folder / "cut", cut.moment)
        counts[cut.stage] += 1
    for name, count in counts.items():
        print(f"{count:5} power cuts in {name}")


async def test_a_server(tmp_path: Path, disk_library: Path, seed: int) -> None:
    await check_server(tmp_path, disk_library, seed, cuts=10)


@pytest.mark.long
async def test_a_server_often(tmp_path: Path, disk_library: Path, seed: int) -> None:
    await check_server(tmp_path, disk_library, seed, CUTS)


async def check_client(folder: Path, library: Path, seed: int, cuts: int) -> None:
    disk, rng = RecordedDisk(folder, library), random.Random(seed)
    life = ClientLife(disk)
    await life.run()
    replay = PowerCuts(disk)
    for cut in drawn(disk, [(disk.recorded_bytes, "saving")], cuts, rng):
        replay.advance(cut.moment)
        replay.cut(folder / "cut", rng)
        life.check(folder / "cut", cut.moment)


async def test_a_client(tmp_path: Path, disk_library: Path, seed: int) -> None:
    await check_client(tmp_path, disk_library, seed, cuts=15)


@pytest.mark.long
async def test_a_client_often(tmp_path: Path, disk_library: Path, seed: int) -> None:
    await check_client(tmp_path, disk_library, seed, CUTS)
