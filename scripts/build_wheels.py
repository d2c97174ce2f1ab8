"""Builds the source distribution, and of it the wheels of all platforms, with one cross compiler.

    python -m scripts.build_wheels FOLDER

ziglang, which is downloaded for this, compiles for each of them here. The kernel needs no headers
of Python, so that one wheel serves every Python 3 of its platform.
"""

import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from boxroom_common.kernel import ziglang

TARGETS = {
    "manylinux_2_17_x86_64.manylinux2014_x86_64": "x86_64-linux-gnu.2.17",
    "manylinux_2_17_aarch64.manylinux2014_aarch64": "aarch64-linux-gnu.2.17",
    "musllinux_1_2_x86_64": "x86_64-linux-musl",
    "musllinux_1_2_aarch64": "aarch64-linux-musl",
    "macosx_11_0_x86_64": "x86_64-macos.11.0",
    "macosx_11_0_arm64": "aarch64-macos.11.0",
}
"""Platforms in the tags of wheels, and Zig's name of each."""

ROOT = Path(__file__).resolve().parents[1]


def main(folder: Path) -> None:
    """Write all of them, and a wheel without a kernel for other platforms, into `folder`."""
    _build("--sdist", ROOT, folder, {"BOXROOM_COMPILER": "none"})
    (source,) = folder.glob("*.tar.gz")
    _build("--wheel", source, folder, {"BOXROOM_COMPILER": "none"})
    build_wheels(source, folder, TARGETS)


def build_wheels(source: Path, folder: Path, platforms: Iterable[str]) -> None:
    """Build a wheel for each platform, one of `TARGETS`, of a checkout or source distribution."""
    wheel, installing = ziglang.wheel(), ziglang.installer(os.environ)
    assert wheel, "there is no ziglang for this machine"
    assert installing, "neither pip nor uv is here"
    with TemporaryDirectory() as scratch:
        compiler, environ = ziglang.download(wheel, installing, Path(scratch), os.environ)
        for platform in platforms:
            *command, _ = compiler.command
            chosen = {
                "BOXROOM_COMPILER": " ".join([*command, TARGETS[platform]]),
                "BOXROOM_WHEEL_PLATFORM": platform,
            }
            _build("--wheel", source, folder, {**environ, **chosen})


def _build(kind: str, source: Path, folder: Path, environ: Mapping[str, str]) -> None:
    command = [sys.executable, "-m", "build", kind, "--outdir", str(folder), str(source)]
    subprocess.run(command, env={**os.environ, **environ}, check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
