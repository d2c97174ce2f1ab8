"""The compiler from the package index: its download, and what can go wrong with it."""

import hashlib
import os
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from boxroom_common.kernel import ziglang
from boxroom_common.kernel.building import Builder
from boxroom_common.kernel.compilers import CompilerFailed
from boxroom_common.kernel.failures import BuildError
from boxroom_common.kernel.places import Places
from boxroom_engine.kernel.library import Library

ZIG = f"ziglang-{ziglang.VERSION}"


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """Return a folder of wheels with a ziglang whose compiler copies a finished library."""
    return tmp_path / "wheels"


@pytest.fixture
def reading_index(environ: Mapping[str, str], index: Path) -> Mapping[str, str]:
    return {**environ, "PIP_FIND_LINKS": str(index), "UV_FIND_LINKS": str(index)}


def make_wheel(index: Path, compiles: str) -> str:
    """Write a wheel whose compiler does what the shell script `compiles` does; return its hash."""
    index.mkdir()
    path = index / f"{ZIG}-py3-none-any.whl"
    info = f"{ZIG}.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        zig = zipfile.ZipInfo("ziglang/zig")
        zig.external_attr = 0o100755 << 16
        wheel.writestr(zig, f"#!/bin/sh\nPATH={os.environ['PATH']}\n{compiles}")
        wheel.writestr(
            f"{info}/METADATA",
            f"Metadata-Version: 2.1\nName: ziglang\nVersion: {ziglang.VERSION}\n",
        )
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")
    return hashlib.sha256(path.read_bytes()).hexdigest()


def installer(environ: Mapping[str, str]) -> tuple[str, ...]:
    found = ziglang.installer({**environ, "PATH": os.environ["PATH"]})
    assert found
    return found


def test_the_compiler_is_downloaded_and_compiles(
    reading_index: Mapping[str, str], index: Path, compiles: str, tmp_path: Path
) -> None:
    wheel = ziglang.Wheel(1, make_wheel(index, compiles), "x86_64-linux-gnu.2.17")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    compiler, environ = ziglang.download(wheel, installer(reading_index), scratch, reading_index)
    compiler.compile(scratch / "library.so", environ)
    Library(str(scratch / "library.so"))
    assert str(scratch) in environ["ZIG_GLOBAL_CACHE_DIR"]


def test_another_file_of_the_same_name_is_refused(
    reading_index: Mapping[str, str], index: Path, compiles: str, tmp_path: Path
) -> None:
    make_wheel(index, f"touch '{tmp_path}/ran'")
    environ = {**reading_index, "PATH": os.environ["PATH"]}
    needed = ziglang.Wheel(1, "0" * 64, "x86_64-linux-gnu.2.17")
    with pytest.raises(CompilerFailed, match=r"(?i)hash"):
        ziglang.download(needed, installer(environ), tmp_path, environ)
    assert not (tmp_path / "ran").exists()
    assert not (tmp_path / "site/ziglang").exists()


def test_no_network_is_told_with_the_remedy(
    places: Places, environ: Mapping[str, str], commands: Path
) -> None:
    if uv := shutil.which("uv"):
        (commands / "uv").symlink_to(uv)
    said: list[str] = []
    with pytest.raises(BuildError) as raised:
        Builder(may_download=True, places=places, environ=environ).build(said.append)
    assert raised.value.cause.startswith(
        "No C++20 compiler was found, and ziglang can't be downloaded: "
    )
    assert raised.value.remedy.startswith("Install one")
    (sentence,) = said
    assert f"ziglang {ziglang.VERSION}, 8" in sentence
    assert "MB, removed afterwards" in sentence
    assert not list((places.cache or places.package).glob("building-*"))


@pytest.mark.long
def test_the_real_one_builds_a_kernel_that_needs_nothing_else(
    places: Places, commands: Path
) -> None:
    environ = {**os.environ, "PATH": str(commands), "CXX": ""}
    if uv := shutil.which("uv"):
        (commands / "uv").symlink_to(uv)
    built = Builder(may_download=True, places=places, environ=environ).build(print)
    assert Library(str(built)).compiler == f"ziglang {ziglang.VERSION}"
    assert b"libstdc++" not in built.read_bytes()
    assert {file.name for file in built.parent.iterdir()} == {built.name, "lock"}
