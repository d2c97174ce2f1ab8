"""A drawing as an SVG picture, for web pages and documents.

The background is transparent, and what has no colour of its own takes the reader's: dark on
light pages, light on dark ones. Every span of the drawing is a piece of text in its place, so
the picture scales, and its text can be found and copied.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import assert_never

from boxroom_client.painting import FAINT, SEAT_COLOURS, seat_colour
from boxroom_engine.games.drawing import Ink, Span

CELL_WIDTH = 10
CELL_HEIGHT = 20
_MARGIN = 20
_BASELINE = 15
"""From the top of a cell to the line on which its character stands."""

_FONTS = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"

TEXT_STYLES = f"""\
text {{ font: 16px {_FONTS}; fill: #24292f; white-space: pre; }}
@media (prefers-color-scheme: dark) {{ text {{ fill: #e6edf3; }} }}
text.faint {{ fill: {FAINT.hex}; font-size: 13px; }}
"""
"""How text looks: readable on light pages and on dark ones."""


def picture(rows: Sequence[Sequence[Span]], numbers: Sequence[int], title: str) -> str:
    """An SVG document that shows `rows`; `numbers` has the glyph number of each seat."""
    columns = max((sum(len(span.text) for span in row) for row in rows), default=0)
    width = columns * CELL_WIDTH + 2 * _MARGIN
    height = len(rows) * CELL_HEIGHT + 2 * _MARGIN
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
            f"<title>{escape(title)}</title>",
            f"<style>{''.join(_styles(numbers))}</style>",
            *_texts(rows, numbers),
            "</svg>\n",
        ]
    )


def _styles(numbers: Iterable[int]) -> Iterator[str]:
    yield TEXT_STYLES
    yield "text.bold { font-weight: bold; }\n"
    for colour in sorted({number % len(SEAT_COLOURS) for number in numbers}):
        yield f"text.c{colour} {{ fill: {seat_colour(colour).hex}; }}\n"
        yield f"rect.c{colour} {{ fill: {seat_colour(colour).hex}; opacity: 0.25; }}\n"


def _texts(rows: Sequence[Sequence[Span]], numbers: Sequence[int]) -> Iterator[str]:
    for y, row in enumerate(rows):
        column = 0
        for span in row:
            if span.text.strip():
                yield from _text(span, column, y, numbers)
            column += len(span.text)


def _text(span: Span, column: int, row: int, numbers: Sequence[int]) -> Iterator[str]:
    """The span's text, and behind it, if the last move made it, a light area."""
    text = span.text.strip()
    column += len(span.text) - len(span.text.lstrip())
    x, y = _MARGIN + column * CELL_WIDTH, _MARGIN + row * CELL_HEIGHT
    width = len(text) * CELL_WIDTH
    colour = "" if span.seat is None else f"c{numbers[span.seat] % len(SEAT_COLOURS)}"
    if span.fresh and colour:
        yield (f'<rect class="{colour}" x="{x}" y="{y}" width="{width}" height="{CELL_HEIGHT}"/>')
    names = " ".join(filter(None, (_class(span.ink), colour)))
    classes = f' class="{names}"' if names else ""
    yield (
        f'<text{classes} x="{x}" y="{y + _BASELINE}" textLength="{width}"'
        f' lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
    )


def _class(ink: Ink) -> str:
    match ink:
        case Ink.OPEN | Ink.NUMBER:
            return "faint"
        case Ink.DRAWN | Ink.OWNED:
            return "bold"
        case Ink.GAP | Ink.DOT:
            return ""
        case _:
            assert_never(ink)
