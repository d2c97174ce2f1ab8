"""Drawings of any game as SVG, for web pages, documents and notebooks.

The background is transparent, and text without a colour of its own is dark on light pages and
light on dark ones. Every span of the drawing is an SVG text, so that the picture scales and its
text can be searched and copied.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import assert_never

from boxroom_engine.games.drawing import Ink, Look, Rows, Span, width_of
from boxroom_engine.games.marks import FAINT, SEAT_COLOURS, seat_colour
from boxroom_engine.games.protocol import Game, Seat, State

CELL_WIDTH = 10
CELL_HEIGHT = 20
_MARGIN = 20
_BASELINE = 15
"""Distance from the top of a cell to the baseline of its text."""

_FONTS = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"

TEXT_STYLES = f"""\
.boxroom text {{ font: 16px {_FONTS}; fill: #24292f; white-space: pre; }}
@media (prefers-color-scheme: dark) {{ .boxroom text {{ fill: #e6edf3; }} }}
.boxroom text.faint {{ fill: {FAINT.hex}; font-size: 13px; }}
"""
"""Styles of text in an SVG of the class `boxroom`, legible on light and on dark pages.

Without the class they would apply to the rest of the page or notebook too.
"""


def picture(rows: Rows, numbers: Sequence[int], title: str) -> str:
    """Return an SVG document that shows `rows`; `numbers` has the glyph number of each seat."""
    width = width_of(rows) * CELL_WIDTH + 2 * _MARGIN
    height = len(rows) * CELL_HEIGHT + 2 * _MARGIN
    return svg_document(width, height, title, picture_styles(numbers), _texts(rows, numbers))


def svg_document(
    width: float,
    height: float,
    title: str,
    styles: Iterable[str],
    parts: Iterable[str],
    *,
    css_class: str = "boxroom",
    zoom: float = 1,
) -> str:
    """Return an SVG document of the class `css_class`, shown at `zoom` times its own size."""
    size = f'width="{width * zoom:g}" height="{height * zoom:g}" class="{css_class}" role="img"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" {size}>',
            f"<title>{_legible(title)}</title>",
            f"<style>{''.join(styles)}</style>",
            *parts,
            "</svg>\n",
        ]
    )


def picture_of_state(state: State, names: Sequence[str] = ()) -> str:
    """Return an SVG document that shows a position and its score; `names` has one for each seat.

    Without names it shows numbers, from 1.
    """
    seats = [Seat(seat) for seat in range(state.game.seats)]
    shown = names or [f"player {seat + 1}" for seat in seats]
    kind = state.game.kind
    look = Look(tuple(kind.mark(seat, number=seat).text() for seat in seats))
    score = (
        Span(f"{look.marks[seat]} {shown[seat]} {state.scores[seat]}", Ink.OWNED, seat)
        for seat in seats
    )
    rows = [*state.draw(look).rows, (), *((span,) for span in score)]
    return picture(rows, seats, f"{kind.named}: {', '.join(shown)}")


def picture_of_game(game: Game) -> str:
    """Return an SVG document that shows the position before the first move."""
    return picture_of_state(game.initial())


def inlaid(rows: Rows, numbers: Sequence[int], x: float, y: float, scale: float) -> Iterator[str]:
    """Yield `rows` as a part of a larger SVG document of the class `boxroom`.

    `x` and `y` are those of its upper left corner. The document has the styles of `picture_styles`.
    """
    left, top = x - _MARGIN * scale, y - _MARGIN * scale
    yield f'<g transform="translate({left:g} {top:g}) scale({scale:g})">'
    yield from _texts(rows, numbers)
    yield "</g>"


def picture_styles(numbers: Iterable[int]) -> Iterator[str]:
    """Yield the styles of drawings that show the glyphs `numbers`."""
    yield TEXT_STYLES
    yield ".boxroom text.bold { font-weight: bold; }\n"
    for colour in sorted({number % len(SEAT_COLOURS) for number in numbers}):
        yield f".boxroom text.c{colour} {{ fill: {seat_colour(colour).hex}; }}\n"
        yield f".boxroom rect.c{colour} {{ fill: {seat_colour(colour).hex}; opacity: 0.25; }}\n"


def _texts(rows: Rows, numbers: Sequence[int]) -> Iterator[str]:
    for y, row in enumerate(rows):
        column = 0
        for span in row:
            if span.text.strip():
                yield from _text(span, column, y, numbers)
            column += len(span.text)


def _text(span: Span, column: int, row: int, numbers: Sequence[int]) -> Iterator[str]:
    """Yield the text of `span`, after a light background if the last move drew it."""
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
        f' lengthAdjust="spacingAndGlyphs">{_legible(text)}</text>'
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


def _legible(text: str) -> str:
    """Return `text` escaped, without the characters that XML forbids (1.0, section 2.2)."""
    return escape("".join(char if char.isprintable() else "\ufffd" for char in text))
