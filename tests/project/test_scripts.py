"""The project's scripts, version and wheel are as its files promise."""

import os
import re
import shutil
import socket
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.cases import each

from boxroom_common.kernel.sources import FLAGS
from boxroom_common.version import VERSION

ROOT = Path(__file__).resolve().parents[2]
SHELL_SCRIPTS = ["boxroom", "check", "scripts/check-pythons", "scripts/environment.sh"]
# Absolute paths of one machine; put together here so that this file has none of its own.
MACHINE_PATH = re.compile(rb"(?<![\w.-])/(?:%s|%s)/" % (b"root", b"work"))

in_git = pytest.mark.skipif(
    not (ROOT / ".git").exists(), reason="impossible here: not a git checkout"
)


def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@each("name", SHELL_SCRIPTS)
def test_scripts_are_posix_shell(name: str) -> None:
    subprocess.run(["sh", "-n", ROOT / name], check=True)


@each("name", SHELL_SCRIPTS)
def test_scripts_pass_shellcheck(name: str) -> None:
    if shutil.which("shellcheck") is None:
        pytest.skip("shellcheck is not installed")
    subprocess.run(["shellcheck", "-x", name], cwd=ROOT, check=True)


@each("name", ["boxroom", "check", "scripts/check-pythons", ".ci/run"])
def test_commands_are_executable(name: str) -> None:
    assert os.access(ROOT / name, os.X_OK)


@each("name", ["boxroom", "check"])
def test_commands_ask_for_no_more_than_sh(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8").startswith("#!/bin/sh\n")


def test_ci_runs_check_without_skips_and_nothing_else() -> None:
    text = (ROOT / ".ci/run").read_text(encoding="utf-8")
    checks = [line.strip() for line in text.splitlines() if line.strip().startswith("./check")]
    assert checks[0] == "./check --python=/usr/bin/python3 --no-skips"
    assert all("--no-skips" in check for check in checks)
    assert not re.search(r"\|\| (true|:)", text)


def test_version_heads_the_changelog() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## \[?(\d+\.\d+\.\d+)\b", changelog, re.MULTILINE)
    assert headings[0] == VERSION


def test_wheel_is_made_of_typed_packages() -> None:
    packages = pyproject()["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert [Path(package).name for package in packages] == [
        "boxroom_engine",
        "boxroom_common",
        "boxroom_server",
        "boxroom_client",
        "boxroom_lab",
        "boxroom",
    ]
    for package in packages:
        assert (ROOT / package / "__init__.py").is_file()
        assert (ROOT / package / "py.typed").is_file()


def test_kernel_runs_on_any_machine_of_its_kind() -> None:
    """A wheel that was built on one machine is used on another."""
    assert not [flag for flag in FLAGS if "march" in flag or "mtune" in flag]


@in_git
def test_no_file_names_a_path_of_one_machine() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    ).stdout
    files = [ROOT / os.fsdecode(name) for name in listed.split(b"\0") if name]
    assert files
    assert [
        str(file.relative_to(ROOT))
        for file in files
        if file.is_file() and MACHINE_PATH.search(file.read_bytes())
    ] == []


@pytest.fixture
def silent_index() -> Iterator[str]:
    """An index of packages that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/simple"


@pytest.mark.long
@in_git
def test_a_fresh_clone_runs_without_uv(tmp_path: Path, silent_index: str) -> None:
    clone = tmp_path / "a clone"  # the space is on purpose
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    environ = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    environ["HOME"] = os.environ["HOME"]
    environ["PATH"] = os.pathsep.join(
        folder
        for folder in os.environ["PATH"].split(os.pathsep)
        if folder and not (Path(folder) / "uv").exists()
    )

    def boxroom(**more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [clone / "boxroom", "--version"],
            cwd=tmp_path,
            env=environ | more,
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
        )

    first = boxroom()
    assert VERSION in first.stdout, first.stderr
    assert first.stderr.startswith("Preparing Boxroom (first run)…\n")

    second = boxroom()
    assert second.stdout == first.stdout
    assert "Preparing" not in second.stderr
    assert first.stderr.endswith(second.stderr)

    pyproject = clone / "pyproject.toml"
    pyproject.write_text(f"# another requirement\n{pyproject.read_text()}")
    offline = boxroom(PIP_CONFIG_FILE=os.devnull, PIP_FIND_LINKS="", PIP_INDEX_URL=silent_index)
    assert offline.stdout == first.stdout
    assert f"  waiting for {silent_index}/hatchling/, 2 s\n" in offline.stderr
    assert f".venv: no answer from {silent_index}/hatchling/.\n" in offline.stderr
