"""A disk of a megabyte, which really fills up: a tmpfs that only the server under test sees."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

MOUNT = 'mount -t tmpfs -o size=1m tmpfs "$0" && echo mounted && exec cat'
BALLAST_BYTES = 600_000


class SmallDisk:
    """The disk at `path`, half full, visible to commands that are run `within` its namespaces."""

    def __init__(self, path: Path, holder: int) -> None:
        self.path = path
        self.within: Sequence[str] = (
            *("nsenter", "--target", str(holder), "--user", "--mount", "--preserve-credentials"),
        )
        # As /proc shows it, it can be reached from outside.
        self._ballast = Path(f"/proc/{holder}/root{path}/ballast")
        self._ballast.write_bytes(os.urandom(BALLAST_BYTES))

    def works(self) -> None:
        """Free half of it."""
        self._ballast.unlink(missing_ok=True)


@contextmanager
def small_disk(path: Path) -> Iterator[SmallDisk]:
    """A disk at `path`; skip the test where only root may mount one."""
    path.mkdir()
    if shutil.which("unshare") is None or shutil.which("nsenter") is None:
        pytest.skip("impossible here: a small disk is mounted by unshare and nsenter, on Linux")
    with subprocess.Popen(
        ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", MOUNT, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as holder:
        assert holder.stdout is not None
        if holder.stdout.readline() != b"mounted\n":
            pytest.skip("impossible here: no disk may be mounted")
        yield SmallDisk(path, holder.pid)
        holder.communicate()
