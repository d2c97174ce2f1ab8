"""A terminal's screen as an SVG picture: the screen that pyte has read, in its colours.

Every run of cells that look alike is a piece of text in its place, so the picture scales, and
its text can be found and copied. It has its own dark background, and so it looks the same on
light and on dark pages. It loads nothing.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby

import pyte
from pyte.screens import Char

CELL_WIDTH = 9
CELL_HEIGHT = 18
FONT_PX = 15
"""Size of the font; in nearly all fonts for terminals a character is 0.6 of it wide."""

_MARGIN = 14
_BASELINE = 14
"""Distance from the top of a cell to the baseline of its character."""
_CURSOR_WIDTH = 2

_FONTS = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"

FOREGROUND = "#e6edf3"
BACKGROUND = "#0d1117"
_FRAME = "#30363d"

_NAMED = {
    "black": "#484f58",
    "red": "#ff7b72",
    "green": "#3fb950",
    "brown": "#d29922",
    "blue": "#58a6ff",
    "magenta": "#bc8cff",
    "cyan": "#39c5cf",
    "white": "#b1bac4",
}
"""Colours that a terminal has names for, as pyte calls them."""


@dataclass(frozen=True, slots=True)
class _Style:
    """Style of a cell; `behind` is the colour of its background if it isn't the screen's."""

    colour: str
    behind: str | None
    bold: bool
    italic: bool
    underlined: bool


@dataclass(frozen=True, slots=True)
class _Run:
    """Adjacent cells of one line with the same style."""

    x: int
    y: int
    cells: int
    text: str
    style: _Style


def svg(screen: pyte.Screen, title: str) -> str:
    """Return an SVG document of `screen` and its cursor; `title` is for screen readers."""
    width = screen.columns * CELL_WIDTH + 2 * _MARGIN
    height = screen.lines * CELL_HEIGHT + 2 * _MARGIN
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    frame = f'x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"'
    runs = list(_runs(screen))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" xml:space="preserve">',
            f"<title>{escape(title)}</title>",
            f"<style>{''.join(_styles(runs))}</style>",
            f'<rect {frame} fill="{BACKGROUND}" stroke="{_FRAME}"/>',
            *map(_behind, (run for run in runs if run.style.behind is not None)),
            *_cursor(screen),
            *map(_text, (run for run in runs if run.text.strip())),
            "</svg>\n",
        ]
    )


def _runs(screen: pyte.Screen) -> Iterator[_Run]:
    for y in range(screen.lines):
        row = screen.buffer[y]
        line = [(x, row[x].data, _style_of(row[x])) for x in range(screen.columns)]
        # An empty cell after a wide character is a part of it.
        for style, group in groupby(line, key=lambda cell: cell[2]):
            cells = list(group)
            yield _Run(cells[0][0], y, len(cells), "".join(text for _, text, _ in cells), style)


def _style_of(char: Char) -> _Style:
    colour, behind = _colour(char.fg), _colour(char.bg)
    if char.reverse:
        colour, behind = behind or BACKGROUND, colour or FOREGROUND
    return _Style(colour or FOREGROUND, behind, char.bold, char.italics, char.underscore)


def _colour(name: str) -> str | None:
    """Return the colour of that name in pyte; None for the screen's own."""
    if name == "default":
        return None
    return _NAMED.get(name.removeprefix("bright"), f"#{name}")


def _styles(runs: Iterable[_Run]) -> Iterator[str]:
    """Return a CSS class for each colour of text."""
    yield f"text{{font:{FONT_PX}px {_FONTS};white-space:pre}}"
    yield ".b{font-weight:bold}.i{font-style:italic}.u{text-decoration:underline}"
    for colour in sorted({run.style.colour for run in runs if run.text.strip()}):
        yield f".{_class(colour)}{{fill:{colour}}}"


def _class(colour: str) -> str:
    return f"c{colour.removeprefix('#')}"


def _behind(run: _Run) -> str:
    return _rect(run.x, run.y, run.cells * CELL_WIDTH, str(run.style.behind))


def _cursor(screen: pyte.Screen) -> Iterator[str]:
    """Return the cursor as a thin line, which hides nothing."""
    if not screen.cursor.hidden:
        yield _rect(screen.cursor.x, screen.cursor.y, _CURSOR_WIDTH, FOREGROUND)


def _rect(x: int, y: int, width: int, colour: str) -> str:
    left, top = _MARGIN + x * CELL_WIDTH, _MARGIN + y * CELL_HEIGHT
    size = f'width="{width}" height="{CELL_HEIGHT}"'
    return f'<rect x="{left}" y="{top}" {size} fill="{colour}"/>'


def _text(run: _Run) -> str:
    """Return the run as a text element without the spaces around it, as wide as its cells."""
    before = len(run.text) - len(run.text.lstrip())
    after = len(run.text) - len(run.text.rstrip())
    marks = {"b": run.style.bold, "i": run.style.italic, "u": run.style.underlined}
    names = [_class(run.style.colour), *(name for name, on in marks.items() if on)]
    x = _MARGIN + (run.x + before) * CELL_WIDTH
    y = _MARGIN + run.y * CELL_HEIGHT + _BASELINE
    width = (run.cells - before - after) * CELL_WIDTH
    return (
        f'<text class="{" ".join(names)}" x="{x}" y="{y}" textLength="{width}"'
        f' lengthAdjust="spacingAndGlyphs">{escape(run.text.strip(), quote=False)}</text>'
    )
