"""The command lines on the pages of the project."""

import re
import shlex
from pathlib import Path

ROOT = Path(__file__).parents[2]

PAGES = [
    *(ROOT / f"{name}.md" for name in ("README", "CODE_OF_CONDUCT", "CONTRIBUTING", "SECURITY")),
    *sorted((ROOT / "docs").rglob("*.md")),
]

_BLOCK = re.compile(r"^ *```([\w{}-]*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def languages() -> set[str]:
    """Return the languages of all code blocks; "" is one of no language."""
    return {language for page in PAGES for language, _ in _blocks(page)}


def command_lines(page: Path) -> list[str]:
    """Return the lines in the page's blocks of shell, each in one line without its comment.

    In a block of no language, as in an output, a command line stands behind `$ `.
    """
    found = []
    for language, text in _blocks(page):
        lines = re.sub(r" *\\\n *", " ", text).splitlines()
        if language == "":
            lines = [line[2:] for line in lines if line.startswith("$ ")]
        if language in ("sh", ""):
            found += [re.sub(r"(^| +)# .*", "", line).strip() for line in lines]
    return list(dict.fromkeys(filter(None, found)))


def command_lines_in_text(page: Path) -> list[list[str]]:
    """Return the words of all calls of `boxroom` that stand in the text, with their arguments."""
    text = _BLOCK.sub("", page.read_text(encoding="utf-8"))
    spans = re.findall(r"`(?:\./)?boxroom ([a-z][^`]*)`", text)
    return [shlex.split(span.replace("\n", " ")) for span in spans]


def is_test(path_and_name: str) -> bool:
    """Return whether there is a test PATH::NAME, or a file of tests PATH."""
    path, _, name = path_and_name.partition("::")
    source = (ROOT / path).read_text(encoding="utf-8")
    return not name or f"def {name}(" in source


def _blocks(page: Path) -> list[tuple[str, str]]:
    return _BLOCK.findall(page.read_text(encoding="utf-8"))
