"""The kernel in the solvers of a process, which is built before or meanwhile."""

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from queue import SimpleQueue

import pytest
from tests.common.kernel.conftest import Script

from boxroom_common.kernel.places import find
from boxroom_common.kernel.use import (
    build_in_background,
    engine_in_use,
    use_or_build,
    use_when_built,
)
from boxroom_engine.games.dots.solve.python_solver import PythonSolver
from boxroom_engine.games.dots.solve.solver import KernelSolver, kernel, solver_for, use_kernel

NOTHING = "No C++20 compiler was found, and none may be downloaded here."


@pytest.fixture(autouse=True)
def _own_places(
    tmp_path: Path, environ: Mapping[str, str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Let this process look for the kernel, and for compilers, in folders of the test."""
    library = kernel()
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)  # as outside of an environment
    for name, value in {**environ, "XDG_CACHE_HOME": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.delenv("BOXROOM_COMPILER", raising=False)
    use_when_built()
    yield
    use_kernel(lambda: library)


def test_what_isnt_there_is_built_first(script: Script, compiles: str) -> None:
    script("c++", compiles)
    said: list[str] = []
    use_or_build(said.append)
    assert said == ["Building the fast engine with c++: about 15 s."]
    assert isinstance(solver_for(2, 2), KernelSolver)
    use_or_build(said.append)
    assert len(said) == 1


def test_what_cant_be_built_is_said_with_its_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOXROOM_COMPILER", "none")
    said: list[str] = []
    use_or_build(said.append)
    slow = "The slow engine is in use. BOXROOM_COMPILER=none leaves it out. Unset BOXROOM_COMPILER."
    assert said == [slow]
    assert engine_in_use() == slow
    assert isinstance(solver_for(2, 2), PythonSolver)


def test_it_is_used_from_when_it_was_built_in_the_background(
    script: Script, compiles: str, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "gate")
    script("c++", f"{compiles}\ncat '{tmp_path}/gate'")
    said = SimpleQueue[str]()
    build_in_background(said.put, may_download=False)
    assert said.get(timeout=60) == "Building the fast engine with c++: about 15 s."
    assert isinstance(solver_for(2, 2), PythonSolver)
    (tmp_path / "gate").write_text("")
    assert said.get(timeout=60) == "The fast engine is ready."
    assert isinstance(solver_for(2, 2), KernelSolver)
    assert engine_in_use().startswith("The fast engine is in use: ")


def test_a_file_that_is_no_kernel_is_built_anew(script: Script, compiles: str) -> None:
    script("c++", compiles)
    use_or_build(lambda _: None)
    found = find()
    assert found is not None
    found.unlink()
    found.write_bytes(b"not a kernel")
    use_when_built()
    assert kernel() is None
    use_or_build(lambda _: None)
    assert kernel() is not None


def test_a_service_downloads_no_compiler() -> None:
    said = SimpleQueue[str]()
    build_in_background(said.put, may_download=False)
    assert said.get(timeout=60).startswith(f"The slow engine is in use. {NOTHING} Install one")


def test_where_it_is_there_nothing_is_said(script: Script, compiles: str) -> None:
    script("c++", compiles)
    use_or_build(lambda _: None)
    said: list[str] = []
    assert build_in_background(said.append, may_download=True) is None
    assert said == []
