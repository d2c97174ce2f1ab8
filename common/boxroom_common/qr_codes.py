"""QR codes (ISO/IEC 18004) as lines of text, two rows of modules in each line."""

from collections.abc import Mapping
from typing import TextIO

from boxroom_common.terminals import has_colours, is_ascii_only

MOST_QR_CHARS = 2_953
"""Characters of ASCII that fit into the largest code."""

QUIET_ZONE = 4
"""Width of the light border that the standard asks for, in modules."""

DARK_ON_LIGHT = "38;5;16;48;5;231"
"""Black on white as parameters of the SGR sequence (ECMA-48), whatever the terminal's theme."""

_HALF_BLOCKS = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}


def qr_lines(text: str) -> list[str]:
    """Return the QR code of `text` with its border: what is drawn is dark, all else is light.

    Each line is as wide as the code has modules, and has to be shown dark on light.

    Raises:
        ValueError: `text` is longer than `MOST_QR_CHARS`.
    """
    rows = qr_modules(text)
    rows += [[0] * len(rows[0])] * (len(rows) % 2)
    return [
        "".join(_HALF_BLOCKS[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]


def qr_modules(text: str) -> list[list[int]]:
    """Return the rows of the QR code with its border: 1 is dark, 0 is light.

    Raises:
        ValueError: `text` is longer than `MOST_QR_CHARS`.
    """
    import segno  # slow to import

    code = segno.make(text, error="l", micro=False)
    return [list(row) for row in code.matrix_iter(border=QUIET_ZONE)]


def dark_on_light(line: str) -> str:
    """Return a line of a QR code with escape sequences that make it black on white."""
    return f"\x1b[{DARK_ON_LIGHT}m{line}\x1b[0m"


def can_show_qr(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Return whether `stream` is a terminal that has colours and the characters of a code."""
    return has_colours(stream, environ) and not is_ascii_only(stream, environ)
