"""Write the characters that look like those of moves and commands, for the terminal and the page.

They come from Unicode's table of confusable characters (UTS 39) in the package
`confusable_homoglyphs`.
"""

import json
import string
import sys
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from confusable_homoglyphs.confusables import confusables_data

ROOT = Path(__file__).resolve().parents[1]
FOR_PYTHON = ROOT / "client/boxroom_client/shell/input/look_alike_table.py"
FOR_PAGE = ROOT / "server/boxroom_server/web/page/look_alike_table.js"

TYPED = f"{string.ascii_lowercase}{string.digits}/-,"
"""The characters of moves and of the names of commands."""

_TEXT = "Characters that look like each one of moves and commands"
_SOURCE = "scripts/write_look_alikes.py writes this module."
_LINE_CHARS = 80
_NO_TEXT = ("Cn", "Co", "Cs")
"""Categories of most code points: not assigned, for private use, and halves of pairs."""


@cache
def table() -> dict[str, str]:
    """Return the characters that look like each one of `TYPED`, in lower or upper case.

    Those that NFKC replaces by others are left out.
    """
    found: dict[str, set[str]] = {char: set() for char in TYPED}
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        is_text = unicodedata.category(char) not in _NO_TEXT
        if is_text and unicodedata.is_normalized("NFKC", char):
            for like in _look_alikes(char):
                if like in found and like != char:
                    found[like].add(char)
    return {char: "".join(sorted(likes)) for char, likes in found.items()}


def _look_alikes(char: str) -> Iterator[str]:
    """Yield what `char` may stand for; `confusables_data` has a symmetric entry for each pair."""
    if unicodedata.category(char) == "Pd":  # dashes, which keyboards put in place of hyphens
        yield "-"
    yield char.lower()
    for cased in dict.fromkeys((char, char.lower(), char.upper())):
        likes = {
            each.lower()
            for like in _confusable(cased)
            for each in (like, *_confusable(like))
            if each.isascii()
        }
        yield from likes
        if likes and not char.isascii():
            return  # the small Greek nu looks like v, whatever its capital looks like


def _confusable(char: str) -> Iterator[str]:
    return (str(entry["c"]) for entry in confusables_data.get(char, ()))


def python_text() -> str:
    """Return the module with the table for the terminal."""
    entries = "".join(
        f"    {json.dumps(char)}: (\n{_lines(likes)}    ),\n" for char, likes in _rows()
    )
    return (
        f'"""{_TEXT}.\n\n{_SOURCE}\n"""\n\nfrom collections.abc import Mapping\n\n'
        f"TABLE: Mapping[str, str] = {{\n{entries}}}\n"
    )


def page_text() -> str:
    """Return the module with the table for the page."""
    entries = "".join(f"  {json.dumps(char)}: '{likes}',\n" for char, likes in _rows())
    return f"/** {_TEXT}.\n * {_SOURCE} */\nexport const TABLE = {{\n{entries}}};\n"


def _rows() -> list[tuple[str, str]]:
    return [(char, likes) for char, likes in table().items() if likes]


def _lines(likes: str) -> str:
    line, lines = "", []
    for char in likes:
        escaped = ascii(char)[1:-1].replace('"', '\\"')
        if len(line) + len(escaped) > _LINE_CHARS:
            lines.append(line)
            line = ""
        line += escaped
    return "".join(f'        "{each}"\n' for each in (*lines, line))


if __name__ == "__main__":
    FOR_PYTHON.write_text(python_text(), encoding="utf-8")
    FOR_PAGE.write_text(page_text(), encoding="utf-8")
