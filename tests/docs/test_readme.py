"""README.md shows what the program does."""

import importlib
import re
import shlex
from pathlib import Path

import pytest

from boxroom_client.cli.commands import COMMANDS
from boxroom_client.main import main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHOWN = sorted(
    {
        line.partition("#")[0].strip()
        for line in re.findall(r"(?:\./)?boxroom [a-z][^`\n|]*", README)
        if not line.startswith("boxroom listens")
    }
)


def test_there_is_something_to_show() -> None:
    assert len(SHOWN) > 8


@pytest.mark.parametrize("line", SHOWN)
def test_every_command_line_is_understood(line: str) -> None:
    _, command, *args = shlex.split(line)
    importlib.import_module(COMMANDS[command].module).parser().parse_args(args)


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)#:]+)\)", README))))
def test_every_link_leads_somewhere(link: str) -> None:
    assert (ROOT / link).exists()


def test_the_example_is_a_whole_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(ROOT / "docs" / "examples" / "game.txt"), "--plain"]) == 0
    assert "The game is over: " in capsys.readouterr().out
