"""The locked requirements in deploy/ fit pyproject.toml and each other, as does Renovate's file."""

import json
import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version
from scripts.lock_requirements import BUILD, ROOT, RUN
from tests.cases import each

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

PYTHONS = ("3.11", "3.12", "3.13")

Locked = dict[str, Version]
"""Versions by the normalized name of the package."""


def lines(file: str) -> list[str]:
    """Return the requirements in `file`, continued lines joined, without comments."""
    text = (ROOT / file).read_text(encoding="utf-8")
    text = re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE)
    return re.sub(r"\\\n\s*", "", text).splitlines()


def environment(python: str) -> dict[str, str]:
    """Return what markers mean in an image with that Python."""
    return {
        "python_version": python,
        "python_full_version": f"{python}.2",
        "sys_platform": "linux",
        "platform_system": "Linux",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
        "extra": "",
    }


def locked(file: str, python: str) -> Locked:
    found: Locked = {}
    for line in lines(file):
        requirement = Requirement(line.partition(" --hash")[0])
        if requirement.marker is None or requirement.marker.evaluate(environment(python)):
            (specifier,) = requirement.specifier
            assert specifier.operator == "=="
            found[canonicalize_name(requirement.name)] = Version(specifier.version)
    return found


def unsatisfied(requirements: list[str], file: str, python: str) -> Iterator[str]:
    """Yield those of `requirements`, and of what they require, that `file` doesn't satisfy."""
    versions, waiting, seen = locked(file, python), list(requirements), set[str]()
    while waiting:
        text = waiting.pop()
        requirement = Requirement(text)
        marker, name = requirement.marker, canonicalize_name(requirement.name)
        if text in seen or (marker is not None and not marker.evaluate(environment(python))):
            continue
        seen.add(text)
        if name not in versions or versions[name] not in requirement.specifier:
            yield text
        waiting += requirements_of(name)


def requirements_of(name: str) -> list[str]:
    """Return what the package requires, in the version that is installed here.

    Packages that only build boxroom may not be installed.
    """
    try:
        return requires(name) or []
    except PackageNotFoundError:
        return []


@each("python", PYTHONS)
def test_what_runs_is_locked_to_the_last_package(python: str) -> None:
    project = PROJECT["project"]
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"], *extras["cluster"], *extras["server"]]
    assert list(unsatisfied(needed, RUN, python)) == []


@each("python", PYTHONS)
def test_what_builds_is_locked_to_the_last_package(python: str) -> None:
    assert list(unsatisfied(PROJECT["build-system"]["requires"], BUILD, python)) == []


def test_what_is_missing_or_too_old_is_found() -> None:
    wanted = [
        "websockets>=999",
        "boxroom-misses-this",
        "msgspec",
        "uvloop; sys_platform == 'win32'",
    ]
    assert sorted(unsatisfied(wanted, RUN, "3.13")) == ["boxroom-misses-this", "websockets>=999"]


@each("file", [RUN, BUILD])
def test_every_package_has_hashes_and_no_address(file: str) -> None:
    assert lines(file)
    for line in lines(file):
        assert re.search(r" --hash=sha256:[0-9a-f]{64}( |$)", line), line
    text = (ROOT / file).read_text(encoding="utf-8")
    assert "://" not in text
    assert "-index" not in text.replace("--no-emit-index-url", "")


@each("file", [RUN, BUILD])
def test_the_image_installs_nothing_else(file: str) -> None:
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert f"--require-hashes -r {file}" in dockerfile
    installs = re.findall(r"pip (?:install|wheel) [^\\\n]*", dockerfile)
    assert len(installs) == 4
    assert all("--require-hashes" in it or "--no-deps" in it for it in installs)


def test_renovate_knows_the_files() -> None:
    config = json.loads((ROOT / "renovate.json").read_text(encoding="utf-8"))
    (pattern,) = config["pip-compile"]["managerFilePatterns"]
    assert re.search(pattern.strip("/"), RUN)
    assert not re.search(pattern.strip("/"), BUILD)
    assert config["pip_requirements"]["ignorePaths"] == [RUN]
    # Its manager for uv repeats the command in the heading.
    heading = (ROOT / RUN).read_text(encoding="utf-8").splitlines()[1]
    assert heading.split()[1:4] == ["uv", "pip", "compile"]
    assert "pyproject.toml" in heading
    for rule in config["packageRules"]:
        assert rule["description"]
        assert all((ROOT / Path(it).parts[0]).exists() for it in rule.get("matchFileNames", ()))
