"""The workflows for tests and releases: safe, and about the Pythons that Boxroom promises."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from boxroom_common.version import VERSION

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


def ends_well(step: str, folder: Path) -> bool:
    """Run a step of the release of version 9.9.9 from ada/boxroom in a folder."""
    steps = workflow("release.yml")["jobs"]["build"]["steps"]
    (command,) = (each["run"] for each in steps if each.get("name", "").startswith(step))
    names = {"GITHUB_REF_NAME": "v9.9.9", "GITHUB_REPOSITORY": "ada/boxroom"}
    environ = {"PATH": os.environ["PATH"], "GITHUB_SERVER_URL": "https://github.com", **names}
    return not subprocess.run(
        ["bash", "-e", "-c", command], cwd=folder, env=environ, check=False, capture_output=True
    ).returncode


def test_a_release_needs_the_version_of_its_tag_and_the_address_of_its_repository(
    tmp_path: Path,
) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    address = project["urls"]["Repository"]
    steps = {
        "The tag is": ("common/boxroom_common/version.py", VERSION, "9.9.9"),
        "The address is": ("pyproject.toml", address, "https://github.com/ada/boxroom"),
    }
    for step, (path, here, released) in steps.items():
        text = (ROOT / path).read_text(encoding="utf-8")
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        assert not ends_well(step, tmp_path)
        file.write_text(text.replace(f'"{here}"', f'"{released}"'), encoding="utf-8")
        assert ends_well(step, tmp_path)


def test_what_is_published_was_tested_and_built_in_this_run() -> None:
    jobs = workflow("release.yml")["jobs"]
    commands = [step.get("run", "") for step in jobs["build"]["steps"]]
    assert commands.index("./check") < next(
        number for number, each in enumerate(commands) if "scripts.build_wheels" in each
    )
    assert jobs["publish"]["needs"] == jobs["image"]["needs"] == "build"
