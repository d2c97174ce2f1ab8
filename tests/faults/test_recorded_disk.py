"""Power cuts on a recorded disk lose what wasn't synced, in every way, and nothing else."""

import random
import subprocess
import sys
from pathlib import Path

import pytest
from tests.faults.recorded_disk import SECTOR_BYTES, PowerCuts, RecordedDisk

CONTENT = b"x" * 4 * SECTOR_BYTES

PROGRAM = """
import os, sys
from pathlib import Path

def sync(path):
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)

root, content = Path(sys.argv[1]), sys.argv[2].encode()
for name in ("kept", "old name", "written", "emptied", "deleted"):
    (root / name).write_bytes(b"" if name == "written" else content)
    sync(root / name)
sync(root)
(root / "made").write_bytes(content)
sync(root / "made")
(root / "old name").rename(root / "new name")
(root / "written").write_bytes(content)
(root / "emptied").open("wb").close()
(root / "deleted").unlink()
"""


@pytest.fixture
def disk(tmp_path: Path, disk_library: Path) -> RecordedDisk:
    disk = RecordedDisk(tmp_path, disk_library)
    command = [sys.executable, "-c", PROGRAM, str(disk.root), CONTENT.decode()]
    subprocess.run(command, env={**disk.environment}, check=True)
    return disk


def test_everything_happens(disk: RecordedDisk, tmp_path: Path) -> None:
    replay, rng = PowerCuts(disk), random.Random(1)
    replay.advance(disk.recorded_bytes)
    names, written, emptied = set(), set(), set()
    for _ in range(200):
        replay.cut(tmp_path / "cut", rng)
        left = {path.name: path.read_bytes() for path in (tmp_path / "cut").iterdir()}
        for name in ("kept", "made", "old name", "new name", "deleted"):
            assert left.get(name) in (None, CONTENT)
        names.add(frozenset(left) - {"kept", "written", "emptied"})
        written.add(left["written"])
        emptied.add(left["emptied"])
    assert names == {
        frozenset({"old name", "deleted"}),
        frozenset({"old name", "deleted", "made"}),
        frozenset({"new name", "deleted", "made"}),
        frozenset({"new name", "made"}),
    }
    assert emptied == {CONTENT, b""}
    assert {b"", CONTENT} < written
    assert any(it.startswith(bytes(SECTOR_BYTES) + CONTENT[:SECTOR_BYTES]) for it in written)


@pytest.mark.parametrize("change", [1, 5])
def test_a_process_is_killed_before_a_change(
    tmp_path: Path, disk_library: Path, change: int
) -> None:
    disk = RecordedDisk(tmp_path, disk_library)
    disk.kill_at(change, 0)
    command = [sys.executable, "-c", PROGRAM, str(disk.root), CONTENT.decode()]
    assert subprocess.run(command, env={**disk.environment}, check=False).returncode == -9
    assert sum(1 for _ in disk.changes()) == change - 1
