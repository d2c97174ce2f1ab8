"""The sources of the kernel, the flags that they are compiled with, and the library's name."""

import hashlib
import os
import sys
from functools import cache
from pathlib import Path

import boxroom_engine.kernel
from boxroom_engine.kernel.library import ABI

SOURCES = Path(boxroom_engine.kernel.__file__).parent
"""The folder of the sources, where a wheel also has the library."""

FLAGS = (
    *("-std=c++20", "-O3", "-fPIC", "-shared", "-fvisibility=hidden"),
    "-ffp-contract=off",  # sums of products are the same on every machine, and in Python
    *(("-Wl,-s",) if sys.platform == "linux" else ()),
)


@cache
def library_name() -> str:
    """Return the file name of a library for this interface, these sources and this machine."""
    content = hashlib.sha256(" ".join(FLAGS).encode())
    for source in sorted([*SOURCES.glob("*.cpp"), *SOURCES.glob("*.hpp")]):
        content.update(f"\0{source.name}\0".encode() + source.read_bytes())
    machine = f"{sys.platform}-{os.uname().machine}"
    return f"kernel-{ABI}-{content.hexdigest()[:16]}-{machine}.so"
