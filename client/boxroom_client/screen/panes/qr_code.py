"""A link and its QR code as a whole screen, for a phone's camera."""

from functools import lru_cache

from boxroom_client.screen.text.rows import Row, wrapped
from boxroom_client.screen.themes.symbols import Symbols
from boxroom_common.phrases import say
from boxroom_common.qr_codes import qr_lines

QR_STYLE = "class:qr"
"""Black on white in every theme: cameras look for dark modules on light ground."""


def qr_rows(
    link: str, close: str, columns: int, lines: int, *, symbols: Symbols, has_colours: bool
) -> list[Row]:
    """Return a screen with `link`, its QR code, and `close`, which says how to close the screen.

    A code that doesn't fit isn't cut, but replaced by a sentence, as part of one is of no use.
    """
    code = _lines_of(link)
    can_show = has_colours and not symbols.ascii_only
    obstacle = (
        _obstacle(link, code, columns, lines) if can_show else say("terminal.qr.needs_colours")
    )
    texts = (obstacle, "", link) if obstacle else (link,)
    rows: list[Row] = [
        [("class:title", line.center(columns))] for text in texts for line in wrapped(text, columns)
    ]
    if not obstacle:
        margin = " " * ((columns - len(code[0])) // 2)
        rows += [[("", margin), (QR_STYLE, line)] for line in code]
    rows = rows[: lines - 1]
    rows += [[] for _ in range(lines - 1 - len(rows))]
    return [symbols.fitted(row, columns) for row in (*rows, [("class:footer", close)])]


def _obstacle(link: str, code: tuple[str, ...], columns: int, lines: int) -> str:
    """Return why `code` doesn't fit below `link` and above the last line; empty if it does."""
    needed = len(code[0]), len(wrapped(link, columns)) + len(code) + 1
    if needed[0] <= columns and needed[1] <= lines:
        return ""
    return say(
        "terminal.qr.needs_space",
        needed_columns=needed[0],
        needed_lines=needed[1],
        columns=columns,
        lines=lines,
    )


@lru_cache(maxsize=4)
def _lines_of(link: str) -> tuple[str, ...]:
    return tuple(qr_lines(link))
