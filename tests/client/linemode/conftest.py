"""Fixtures of line mode's tests."""

from pathlib import Path

import pytest


@pytest.fixture
def golden_folder() -> str:
    """Folder of the `golden` transcripts of these tests."""
    return "linemode"


@pytest.fixture(autouse=True)
def _usual_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Set the usual size of a terminal, and a temporary working directory."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    monkeypatch.chdir(tmp_path)
