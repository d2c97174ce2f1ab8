"""A disk of a megabyte, which really fills up: a tmpfs that only the server under test sees."""

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.namespaces import Namespaces, namespaces

BALLAST_BYTES = 600_000


class SmallDisk:
    """The disk at `path`, half full, visible to commands that are run `within` its namespaces."""

    def __init__(self, path: Path, namespaces: Namespaces) -> None:
        self.path = path
        self.within = namespaces.within
        # As /proc shows it, it can be reached from outside.
        self._ballast = Path(f"/proc/{namespaces.pid}/root{path}/ballast")
        self._ballast.write_bytes(os.urandom(BALLAST_BYTES))

    def works(self) -> None:
        """Free half of it."""
        self._ballast.unlink(missing_ok=True)


@contextmanager
def small_disk(path: Path) -> Iterator[SmallDisk]:
    """A disk at `path`; skip the test where only root may mount one."""
    path.mkdir()
    mount = f"mount -t tmpfs -o size=1m tmpfs {shlex.quote(str(path))}"
    with namespaces("mount", prepare=mount) as private:
        yield SmallDisk(path, private)
