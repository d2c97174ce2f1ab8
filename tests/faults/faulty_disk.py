"""Faults of the disk under a server, which a test switches on: see `faulty_disk.c`."""

import errno
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_suffix(".c")


class FaultyDisk:
    """Faults in the database's files of a server that is started with this `environment`."""

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
        """Have `what`, "write", "sync" or "any", fail with that errno from now on, or once."""
        self._write_control(f"{what} {error} {'once' if once else ''}")

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Have no system call return during the context."""
        self._write_control("hang 0")
        yield
        self.works()

    def works(self) -> None:
        """End all faults."""
        self._control.unlink(missing_ok=True)

    @property
    def has_failed(self) -> bool:
        """Whether the fault that was to happen once has happened."""
        return not self._control.exists()

    def _write_control(self, text: str) -> None:
        new = self._control.with_name("disk.new")
        new.write_text(text)
        new.replace(self._control)
