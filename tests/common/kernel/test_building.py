"""Building the kernel: by real compilers and by scripts that fail as compilers do."""

import json
import os
import select
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO

import pytest
from tests.common.kernel.conftest import USUAL_PATH, Script

from boxroom_common.kernel.building import Builder
from boxroom_common.kernel.failures import BuildError
from boxroom_common.kernel.places import Places
from boxroom_common.kernel.sources import library_name
from boxroom_engine.kernel.library import Library

IN_A_PROCESS = """
import json, sys
from pathlib import Path
from boxroom_common.kernel.building import Builder
from boxroom_common.kernel.places import Places
cache, environ = json.loads(sys.argv[1])
builder = Builder(False, Places(Path(cache, "none"), None, Path(cache)), environ)
print(builder.build(lambda sentence: print(sentence, flush=True)))
"""

WAITS = """
    case "$*" in --version) exit ;; esac
    exec 3>'{folder}/started'
    echo "$PPID" >&3
    read -r _ <'{folder}/go-on'
"""


def builder_of(places: Places, environ: Mapping[str, str], **more: Any) -> Builder:
    return Builder(**{"may_download": False, "places": places, "environ": environ, **more})


def build_in_process(
    cache: Path, environ: Mapping[str, str], path: str = USUAL_PATH
) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", IN_A_PROCESS, json.dumps([str(cache), dict(environ)])],
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        text=True,
    )


def reader_while_running(process: "subprocess.Popen[str]", pipe: Path) -> TextIO:
    """Return a reader of the named `pipe` once it has something; fail if `process` ends first."""
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    ended = os.pidfd_open(process.pid)
    assert reader in select.select([reader, ended], [], [])[0]
    os.close(ended)
    os.set_blocking(reader, True)
    return os.fdopen(reader, encoding="utf-8")


def failure(builder: Builder, **more: Any) -> BuildError:
    with pytest.raises(BuildError) as raised:
        builder.build(lambda _: None, **more)
    return raised.value


def times(tmp_path: Path) -> int:
    return len((tmp_path / "compiled").read_text(encoding="utf-8").split())


def leftovers(folder: Path) -> list[Path]:
    return list(folder.glob("building-*"))


def test_the_library_tells_by_which_compiler_it_was_built(library: Path) -> None:
    first_line = subprocess.run(
        ["c++", "--version"], capture_output=True, check=True, text=True
    ).stdout.splitlines()[0]
    assert Library(str(library)).compiler == first_line.replace('"', "'")


def test_it_is_built_once_and_said_before(
    places: Places, environ: Mapping[str, str], script: Script, compiles: str, tmp_path: Path
) -> None:
    script("g++", compiles)
    said: list[str] = []
    builder = builder_of(places, environ)
    assert places.find() is None
    assert builder.why_missing().cause == "It wasn't built yet."
    built = builder.build(said.append)
    assert builder.build(said.append) == built == places.find()
    assert said == ["Building the fast engine with g++: about 15 s."]
    assert times(tmp_path) == 1
    assert built.parent.stat().st_mode & 0o777 == 0o700
    assert leftovers(built.parent) == []


def test_the_first_compiler_that_works_is_used(
    places: Places, environ: Mapping[str, str], script: Script, compiles: str
) -> None:
    script("c++", "echo \"c++: error: unrecognized command line option '-std=c++20'\" >&2; exit 1")
    script(
        "g++", "case $* in --version) ;; *) while [ $1 != -o ]; do shift; done; echo >$2 ;; esac"
    )
    script("clang++", compiles)
    said: list[str] = []
    builder_of(places, environ).build(said.append)
    assert [sentence.split()[5] for sentence in said] == ["c++:", "g++:", "clang++:"]


def test_a_failure_tells_what_each_compiler_complained_about(
    places: Places, environ: Mapping[str, str], script: Script
) -> None:
    script("c++", "echo 'c++: error: what is c++20?' >&2; exit 1")
    script(
        "g++", 'case $* in --version) ;; *) while [ "$1" != -o ]; do shift; done; : >"$2" ;; esac'
    )
    error = failure(builder_of(places, environ))
    assert error.cause.startswith(
        "C++ can't compile it: c++: error: what is c++20?; g++ compiled something else: "
    )
    assert error.cause.endswith(", and none may be downloaded here.")
    assert error.remedy.startswith("Install GCC 11")


def test_without_any_compiler_the_remedy_is_to_install_one(
    places: Places, environ: Mapping[str, str]
) -> None:
    error = failure(builder_of(places, environ))
    assert error.cause == "No C++20 compiler was found, and none may be downloaded here."
    assert error.remedy.startswith("Install one")


@pytest.mark.parametrize("garbage", ["garbage --really", "'", "/"])
def test_a_compiler_that_was_asked_for_is_the_only_one(
    garbage: str, places: Places, environ: Mapping[str, str], script: Script, compiles: str
) -> None:
    script("g++", compiles)
    builder = builder_of(places, {**environ, "BOXROOM_COMPILER": garbage}, may_download=True)
    error = failure(builder)
    assert error.cause.startswith(f"{garbage} can't compile it: ")
    assert error.remedy == "Set BOXROOM_COMPILER to a C++20 compiler, or unset it."


def test_left_out_nothing_is_built(
    places: Places, environ: Mapping[str, str], script: Script, compiles: str
) -> None:
    script("g++", compiles)
    builder = builder_of(places, {**environ, "BOXROOM_COMPILER": "none"})
    assert failure(builder).cause == builder.why_missing().cause
    assert failure(builder).remedy == "Unset BOXROOM_COMPILER."
    assert not places.target().exists()  # type: ignore[union-attr]


def test_a_failure_is_remembered_for_an_hour(
    places: Places, environ: Mapping[str, str], script: Script, tmp_path: Path
) -> None:
    script("g++", f"echo once >>'{tmp_path}/compiled'; echo error: no >&2; exit 1")
    builder = builder_of(places, environ)
    cause = failure(builder).cause
    tries = times(tmp_path)
    assert failure(builder).cause == builder.why_missing().cause == cause
    assert times(tmp_path) == tries
    later = tmp_path.stat().st_mtime + 61 * 60
    failure(builder_of(places, environ, clock=lambda: later))
    assert times(tmp_path) == 2 * tries


def test_a_folder_that_takes_no_files_is_named(
    places: Places, environ: Mapping[str, str], script: Script, compiles: str
) -> None:
    script("g++", compiles)
    folder = places.make_target()
    (folder / "lock").mkdir()
    error = failure(builder_of(places, environ))
    assert error.cause == f"{folder} can't keep it: Is a directory."


def test_a_new_compiler_is_tried_at_once(
    places: Places, environ: Mapping[str, str], script: Script, compiles: str
) -> None:
    script("g++", "echo error: no >&2; exit 1")
    builder = builder_of(places, environ)
    failure(builder)
    script("g++", compiles)
    assert builder.build(lambda _: None) == places.find()
    assert not list(places.target().glob("failed-*"))  # type: ignore[union-attr]


def test_a_failure_to_compile_does_not_keep_another_command_from_downloading(
    places: Places, environ: Mapping[str, str]
) -> None:
    assert "none may be downloaded" in failure(builder_of(places, environ)).cause
    allowed = builder_of(places, environ, may_download=True)
    assert "ziglang can't be downloaded" in failure(allowed).cause


def test_a_broken_library_is_built_again(
    places: Places, environ: Mapping[str, str], script: Script, compiles: str
) -> None:
    script("g++", compiles)
    broken = builder_of(places, environ).build(lambda _: None)
    broken.write_bytes(broken.read_bytes()[:5_000])  # to load it is a crash
    assert builder_of(places, environ).build(lambda _: None) == broken
    Library(str(broken))


def test_a_library_goes_before_a_broken_one_that_a_wheel_brought(
    places: Places, environ: Mapping[str, str], script: Script, compiles: str
) -> None:
    script("g++", compiles)
    places.package.mkdir()
    (places.package / library_name()).write_bytes(b"no library")
    assert places.find() == places.package / library_name()
    built = builder_of(places, environ).build(lambda _: None)
    assert built == places.find()
    Library(str(built))


def test_in_an_environment_a_new_library_replaces_older_ones(
    places: Places, environ: Mapping[str, str], script: Script, compiles: str, tmp_path: Path
) -> None:
    script("g++", compiles)
    environment = tmp_path / "lib/boxroom"
    environment.mkdir(parents=True)
    (environment / "kernel-0-older.so").touch()
    (environment / "another.so").touch()
    in_environment = Places(places.package, environment, places.cache)
    builder_of(in_environment, environ).build(lambda _: None)
    assert {file.name for file in environment.glob("*.so")} == {library_name(), "another.so"}


def test_two_processes_build_once(
    environ: Mapping[str, str], script: Script, compiles: str, tmp_path: Path
) -> None:
    script("g++", WAITS.format(folder=tmp_path) + compiles)
    os.mkfifo(tmp_path / "started")
    os.mkfifo(tmp_path / "go-on")
    first = build_in_process(tmp_path / "cache", environ)
    with (tmp_path / "started").open() as started:
        assert started.readline()
        second = build_in_process(tmp_path / "cache", environ)
        assert second.stdout
        assert second.stdout.readline().startswith("Another process is building")
        (tmp_path / "go-on").write_text("\n", encoding="utf-8")
    assert first.communicate()[0].splitlines()[-1] == second.communicate()[0].strip()
    assert (first.returncode, second.returncode) == (0, 0)
    assert times(tmp_path) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="impossible here: there is no pidfd")
@pytest.mark.parametrize("at", ["g++", "rm"])
def test_killed_while_compiling_or_cleaning_up_it_leaves_no_process_and_no_files(
    at: str, environ: Mapping[str, str], script: Script, compiles: str, tmp_path: Path
) -> None:
    script("g++", compiles)
    commands = Path(script(at, WAITS.format(folder=tmp_path) + compiles)).parent
    os.mkfifo(tmp_path / "started")
    os.mkfifo(tmp_path / "go-on")
    building = build_in_process(tmp_path / "cache", environ, path=str(commands))
    with reader_while_running(building, tmp_path / "started") as started:
        supervisor = os.pidfd_open(int(started.readline()))
        assert leftovers(tmp_path / "cache")
        building.kill()
        assert started.read() == ""  # the command has ended
    building.communicate()
    select.select([supervisor], [], [])
    os.close(supervisor)
    assert leftovers(tmp_path / "cache") == []
    assert (tmp_path / "cache" / library_name()).exists() == (at == "rm")


def test_leftovers_of_a_build_are_removed_by_the_next(
    places: Places, environ: Mapping[str, str], script: Script, compiles: str
) -> None:
    script("g++", compiles)
    folder = places.make_target()
    (folder / "building-x/site").mkdir(parents=True)
    builder_of(places, environ).build(lambda _: None)
    assert leftovers(folder) == []
