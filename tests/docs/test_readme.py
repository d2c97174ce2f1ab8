"""What the README shows is what the program does."""

import importlib
import re
import shlex
from pathlib import Path

import pytest

from boxroom_client.main import COMMANDS, main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHOWN = sorted(
    {
        line.partition("#")[0].strip()
        for line in re.findall(r"(?:\./)?boxroom [a-z][^`\n|]*", README)
        if not line.startswith("boxroom listens")
    }
)


def test_the_picture_is_made_by_the_command_that_stands_below_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    command = next(line for line in SHOWN if "docs/picture.svg" in line)
    made = tmp_path / "picture.svg"
    words = [str(made) if word == "docs/picture.svg" else word for word in shlex.split(command)]
    assert main(words[1:]) == 0
    assert made.read_text("utf-8") == (ROOT / "docs" / "picture.svg").read_text("utf-8")


def test_there_is_something_to_show() -> None:
    assert len(SHOWN) > 8


@pytest.mark.parametrize("line", SHOWN)
def test_every_command_line_is_understood(line: str) -> None:
    _, command, *args = shlex.split(line)
    importlib.import_module(COMMANDS[command].module).parser().parse_args(args)


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)#:]+)\)", README))))
def test_every_link_leads_somewhere(link: str) -> None:
    assert (ROOT / link).exists()
