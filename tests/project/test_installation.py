"""The wheel is installed by pip into an empty environment, runs there, and is removed again."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.project.test_hatch_build import build_wheel

from boxroom_common.version import VERSION


@pytest.mark.long
def test_nothing_stays_in_an_environment_but_what_it_has_built(tmp_path: Path) -> None:
    wheel, _ = build_wheel(tmp_path, "none")
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    run(environment, "pip", "install", wheel)
    run(environment, "pip", "uninstall", "--yes", "boxroom")
    before = files(environment)
    run(environment, "pip", "install", "--no-deps", wheel)
    assert files(environment) > before
    assert run(environment, "boxroom", "--version") == f"boxroom {VERSION}\n"
    played = run(environment, "boxroom", "play", "--rows", "1", "--cols", "2", "--bot", "random")
    assert "Your turn" in played
    run(environment, "pip", "uninstall", "--yes", "boxroom")
    assert files(environment) - before <= files(environment / "lib" / "boxroom")


def run(environment: Path, command: str, *arguments: str | Path) -> str:
    """Run a command of the environment, without input, for a user who has nothing yet."""
    home = environment.parent / "home"
    home.mkdir(exist_ok=True)
    done = subprocess.run(
        [environment / "bin" / command, *arguments],
        env={"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        text=True,
    )
    return done.stdout


def files(environment: Path) -> set[Path]:
    """Return the files of an environment, without those that Python compiles."""
    return {
        path
        for path in environment.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
