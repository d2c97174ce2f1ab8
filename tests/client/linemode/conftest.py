"""What the tests of line mode share."""

from pathlib import Path

import pytest


@pytest.fixture
def golden_folder() -> str:
    """Where the `golden` transcripts of these tests are."""
    return "linemode"


@pytest.fixture(autouse=True)
def _usual_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As wide as terminals are, and nothing is written into the checkout."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    monkeypatch.chdir(tmp_path)
