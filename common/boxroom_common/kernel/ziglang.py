"""A C++ compiler from the Python Package Index, for machines that have none: Zig's clang.

It is a wheel that needs no installation. It is downloaded into a temporary folder, by this Python's
pip or by uv, with the settings that the user has for them, and never kept.
"""

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from boxroom_common.kernel.compilers import Compiler, CompilerFailed, first_error
from boxroom_common.kernel.sources import Machine
from boxroom_common.kernel.supervision import run

VERSION = "0.14.1"


class Wheel(NamedTuple):
    """A wheel of ziglang: its size, its hash, and the target for what it compiles."""

    megabytes: int
    sha256: str
    target: str


_WHEELS = {
    ("linux", "x86_64"): Wheel(
        83,
        "6eb9d4d759b292c83810dbee2e9e8e3fbfbf01d864e6e9811bae711fd74e1c2f",
        "x86_64-linux",
    ),
    ("linux", "aarch64"): Wheel(
        80,
        "7994b27f3cbfcedea43f9b7552e38b45857bdf0e9a45065474092dd74e7048cf",
        "aarch64-linux",
    ),
    ("darwin", "x86_64"): Wheel(
        87,
        "7b880229c41e822c0388318de89dffe034a146ce44a7342b7e74b167329a67b9",
        "x86_64-macos.12.0",
    ),
    ("darwin", "arm64"): Wheel(
        82,
        "eae7d46746b8e80a4d1a8369b09f7a6aace973ee39207b1b63cfb6bb086e84dc",
        "aarch64-macos.12.0",
    ),
}


def wheel() -> Wheel | None:
    """Return the wheel for this machine, if there is one."""
    found = _WHEELS.get(Machine.this())
    return found._replace(target=found.target + _libc()) if found else None


def _libc() -> str:
    """Return the C library of this Python, as Zig names it; 2.17 is what wheels promise."""
    if sys.platform != "linux":
        return ""
    return "-gnu.2.17" if "CS_GNU_LIBC_VERSION" in os.confstr_names else "-musl"


def installer(environ: Mapping[str, str]) -> tuple[str, ...] | None:
    """Return the beginning of a command that installs wheels, if there is one."""
    if find_spec("pip"):
        return (sys.executable, "-m", "pip", "install", "--no-input", "--no-compile", "--retries=1")
    if uv := shutil.which("uv", path=environ.get("PATH")):
        return (uv, "pip", "install", "--python", sys.executable)
    return None


def download(
    needed: Wheel, installing: Sequence[str], scratch: Path, environ: Mapping[str, str]
) -> tuple[Compiler, Mapping[str, str]]:
    """Download the compiler into `scratch`; return it and the environment that it needs.

    Raises:
        CompilerFailed: it can't be downloaded, or is another than was expected.
    """
    requirement = scratch / "requirements.txt"
    requirement.write_text(f"ziglang=={VERSION} --hash=sha256:{needed.sha256}\n", encoding="utf-8")
    command = [*installing, "--target", str(scratch / "site"), "--no-cache-dir", "--no-deps"]
    command += ["--only-binary", ":all:", "--require-hashes", "--requirement", str(requirement)]
    if (installed := run(command, scratch, environ)).code:
        unreachable = "connection broken" in installed.output  # as pip says, before other errors
        why = "the package index doesn't answer" if unreachable else first_error(installed)
        raise CompilerFailed(f"ziglang can't be downloaded: {why}")
    caches = ("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR")
    zig = (str(scratch / "site/ziglang/zig"), "c++", "-target", needed.target)
    name = f"ziglang {VERSION}"
    return Compiler(zig, name, name), {**environ, **dict.fromkeys(caches, str(scratch / "cache"))}
