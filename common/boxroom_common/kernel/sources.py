"""The sources of the kernel, the flags that they are compiled with, and the library's name."""

import hashlib
import platform
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import boxroom_engine.kernel
from boxroom_engine.kernel.library import ABI

SOURCES = Path(boxroom_engine.kernel.__file__).parent
"""The folder of the sources, where a wheel also has the library."""

FLAGS = (
    *("-std=c++20", "-O2", "-fPIC", "-shared", "-fvisibility=hidden"),
    "-ffp-contract=off",  # sums of products are the same on every machine, and in Python
)


class Machine(NamedTuple):
    """A kind of machine: `linux` or `darwin`, and what `uname -m` prints there."""

    system: str
    processor: str

    @classmethod
    def this(cls) -> "Machine":
        """Return the kind of this machine."""
        return cls(sys.platform, platform.machine())

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags of a compiler for it."""
        return (*FLAGS, "-Wl,-s") if self.system == "linux" else FLAGS


@cache
def library_name(machine: Machine | None = None) -> str:
    """Return the file name of a library for this interface, these sources and `machine`.

    `machine` is by default this one.
    """
    machine = machine or Machine.this()
    content = hashlib.sha256(" ".join(machine.flags).encode())
    for source in sorted([*SOURCES.glob("*.cpp"), *SOURCES.glob("*.hpp")]):
        content.update(f"\0{source.name}\0".encode() + source.read_bytes())
    return f"kernel-{ABI}-{content.hexdigest()[:16]}-{'-'.join(machine)}.so"
