"""A kernel that was compiled once, and compilers that are shell scripts."""

import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from boxroom_common.kernel.building import Builder
from boxroom_common.kernel.places import Places

USUAL_PATH = os.environ["PATH"]

Script = Callable[[str, str], str]
"""Writes a shell script of this name and text into the folder of commands; returns its path."""


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a kernel that this machine's compiler has made, quickly and without optimization."""
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if not compiler:
        pytest.skip("there is no C++ compiler")
    unoptimized = tmp_path_factory.mktemp("compiler") / "unoptimized"
    unoptimized.write_text(f'#!/bin/sh\nexec {compiler} "$@" -O0\n', encoding="utf-8")
    unoptimized.chmod(0o755)
    environ = {**os.environ, "BOXROOM_COMPILER": str(unoptimized)}
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:  # the first of the processes that need it builds it
        folder = folder.parent
    places = Places(folder / "no-package", None, folder / "kernel")
    return Builder(may_download=False, places=places, environ=environ).build(print)


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    """Return an empty folder for commands, which tests take as PATH."""
    folder = tmp_path / "commands"
    folder.mkdir()
    return folder


@pytest.fixture
def script(commands: Path) -> Script:
    def write(name: str, text: str) -> str:
        path = commands / name
        path.write_text(f"#!/bin/sh\nPATH={USUAL_PATH}\n{text}", encoding="utf-8")
        path.chmod(0o755)
        return str(path)

    return write


@pytest.fixture
def compiles(library: Path, tmp_path: Path) -> str:
    """Return the text of a compiler that gives `library`, and notes each time in `compiled`."""
    return f"""
        case "$*" in --version) echo "copier 1.0"; exit ;; esac
        echo once >>'{tmp_path}/compiled'
        while [ "$1" != -o ]; do shift; done
        cp '{library}' "$2"
    """


@pytest.fixture
def environ(commands: Path) -> Mapping[str, str]:
    """Return an environment in which only the scripts are found, and no package index."""
    nothing = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "UV_NO_INDEX": "1"}
    return {"PATH": str(commands), "HOME": str(commands), **nothing, "UV_NO_CONFIG": "1"}


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "package", None, tmp_path / "cache")
