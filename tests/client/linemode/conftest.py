"""What the tests of line mode share."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parents[2] / "golden" / "linemode"


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Compare a transcript with a file under tests/golden/linemode.

    With BOXROOM_UPDATE_GOLDEN=1 in the environment the file is written instead; read the
    difference before you commit it.
    """

    def check(name: str, text: str) -> None:
        path = GOLDEN / f"{name}.txt"
        if os.environ.get("BOXROOM_UPDATE_GOLDEN") == "1":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")

    return check


@pytest.fixture(autouse=True)
def _usual_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As wide as terminals are, and nothing is written into the checkout."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    monkeypatch.chdir(tmp_path)
