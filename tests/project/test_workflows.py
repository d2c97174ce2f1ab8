"""The workflows for tests and releases: safe, and about the Pythons that Boxroom promises."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = ROOT / ".github/workflows"


def workflow(name: str) -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((WORKFLOWS / name).read_text(encoding="utf-8"))
    return content


def test_zizmor_finds_no_way_to_misuse_them() -> None:
    zizmor = shutil.which("zizmor", path=Path(sys.executable).parent)
    if not zizmor:
        pytest.skip("zizmor isn't installed; ./check --no-skips installs everything")
    audit = [zizmor, "--offline", str(WORKFLOWS)]
    found = subprocess.run(audit, check=False, capture_output=True, text=True)
    assert not found.returncode, found.stdout + found.stderr


def test_pythons_and_systems_are_those_that_boxroom_promises() -> None:
    matrix = workflow("tests.yml")["jobs"]["pythons"]["strategy"]["matrix"]
    assert matrix["python"] == ["3.11", "3.12", "3.13", "3.14", "3.15"]
    assert {name.split("-")[0] for name in matrix["system"]} == {"ubuntu", "macos"}


def test_what_is_published_was_tested_and_built_in_this_run() -> None:
    jobs = workflow("release.yml")["jobs"]
    commands = [step.get("run", "") for step in jobs["build"]["steps"]]
    assert commands.index("./check") < next(
        number for number, each in enumerate(commands) if "scripts.build_wheels" in each
    )
    assert jobs["publish"]["needs"] == jobs["image"]["needs"] == "build"
