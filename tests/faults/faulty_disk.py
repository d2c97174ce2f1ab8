"""The disk under a server, which does what a test says: `faulty_disk.c` tells how."""

import errno
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_suffix(".c")


class FaultyDisk:
    """What happens to the database's files of the server that has this environment."""

    def __init__(self, folder: Path) -> None:
        compiler = shutil.which("cc")
        if compiler is None or not Path("/proc/self/fd").exists():
            pytest.skip("a disk is made to fail by a library in C, on Linux")
        library = folder / "faulty_disk.so"
        subprocess.run(
            [compiler, "-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"], check=True
        )
        self._control = folder / "disk"
        self.environment: Mapping[str, str] = {
            "LD_PRELOAD": str(library),
            "FAULTY_DISK": str(self._control),
        }

    def fails(self, what: str, error: int = errno.EIO, *, once: bool = False) -> None:
        """From now on `what`, "write", "sync" or "any", fails with that errno."""
        self._say(f"{what} {error} {'once' if once else ''}")

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Nothing comes back meanwhile."""
        self._say("hang 0")
        yield
        self.works()

    def works(self) -> None:
        """From now on all is well."""
        self._control.unlink(missing_ok=True)

    @property
    def has_failed(self) -> bool:
        """Whether what was to fail once has."""
        return not self._control.exists()

    def _say(self, text: str) -> None:
        new = self._control.with_name("disk.new")
        new.write_text(text)
        new.replace(self._control)
