"""README.md and docs/reference/commands.md show what the program does."""

import re
from pathlib import Path

import pytest

from boxroom_client.cli.commands import COMMANDS
from boxroom_client.main import main

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "docs" / "reference" / "commands.md"]
TEXT = {page: page.read_text(encoding="utf-8") for page in PAGES}


def test_all_commands_are_shown() -> None:
    shown = re.findall(r"boxroom ([a-z]+)", "".join(TEXT.values()))
    assert set(shown) == set(COMMANDS)


def test_the_readme_can_be_read_in_two_minutes() -> None:
    assert 350 <= len(TEXT[ROOT / "README.md"].split()) <= 450


def test_the_example_is_a_whole_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(ROOT / "docs" / "examples" / "game.txt"), "--plain"]) == 0
    assert "Ada won with 9 boxes." in capsys.readouterr().out
