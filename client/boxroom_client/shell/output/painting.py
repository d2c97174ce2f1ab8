"""A drawing as text for a terminal: the colours, the glyphs and the size that suit it.

A game draws itself as spans that each mean something (`boxroom_engine.games.drawing`); here
each meaning gets a style. Nothing depends on colour alone: every seat has a mark too.
"""

import codecs
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import groupby
from typing import TextIO, assert_never

from boxroom_engine.games.drawing import Drawing, Ink, Look, Size, Span
from boxroom_engine.games.marks import FAINT, Colour, seat_colour
from boxroom_engine.games.protocol import GameKind, Seat, State


class Colours(Enum):
    """What colours a terminal shows."""

    NONE = "none"
    INDEXED = "indexed"
    TRUE = "true"


def colours_of(stream: TextIO, environ: Mapping[str, str]) -> Colours:
    """What may be written to `stream`: https://no-color.org and COLORTERM are heeded."""
    if not stream.isatty() or environ.get("NO_COLOR") or environ.get("TERM", "dumb") == "dumb":
        return Colours.NONE
    return Colours.TRUE if environ.get("COLORTERM") in {"truecolor", "24bit"} else Colours.INDEXED


def is_ascii_only(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether `stream` or the locale can't be trusted with more than ASCII."""
    if codecs.lookup(stream.encoding or "ascii").name != "utf-8":
        return True
    # Python writes UTF-8 in the C locale too, but somebody who asks for C has a reason.
    locale = environ.get("LC_ALL") or environ.get("LC_CTYPE") or environ.get("LANG") or "UTF-8"
    return "UTF8" not in locale.upper().replace("-", "")


_IN_ASCII = str.maketrans(
    {"×": "x", "…": "...", "–": "-", "−": "-", "—": "-", "’": "'", "“": '"', "”": '"', "±": "+-"}
    | {"←": "<", "→": ">", "↑": "^", "↓": "v"}
)


def in_ascii(text: str) -> str:
    """`text` in ASCII: what has a likeness is replaced by it, the rest by question marks."""
    return text.translate(_IN_ASCII).encode("ascii", "replace").decode("ascii")


def paint(rows: Iterable[Sequence[Span]], colours: Colours, numbers: Sequence[int]) -> str:
    """`rows` as lines of text with escape sequences; none at all in `Colours.NONE`.

    `numbers` has the glyph number of each seat, by which its colour is chosen. What the last
    move put on the board stands out in reverse.
    """
    return "\n".join(_paint_row(row, colours, numbers) for row in rows)


def _paint_row(row: Sequence[Span], colours: Colours, numbers: Sequence[int]) -> str:
    if colours is Colours.NONE:
        return "".join(span.text for span in row).rstrip()
    styled = ((_style(span, colours, numbers), span.text) for span in row)
    runs = groupby(styled, key=lambda run: run[0])
    return "".join(_run(style, "".join(text for _, text in run)) for style, run in runs).rstrip()


def _run(style: str, text: str) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if style else text


def _style(span: Span, colours: Colours, numbers: Sequence[int]) -> str:
    """The parameters of the SGR sequence (ECMA-48) for `span`."""
    match span.ink:
        case Ink.GAP | Ink.DOT:
            return ""
        case Ink.OPEN | Ink.NUMBER:
            return _foreground(FAINT, colours)
        case Ink.DRAWN | Ink.OWNED:
            parts = ["1"]
            if span.seat is not None:
                parts.append(_foreground(seat_colour(numbers[span.seat]), colours))
            if span.fresh:
                parts.append("7")
            return ";".join(parts)
        case _:
            assert_never(span.ink)


def _foreground(colour: Colour, colours: Colours) -> str:
    if colours is Colours.TRUE:
        return f"38;2;{colour.red};{colour.green};{colour.blue}"
    return f"38;5;{colour.indexed}"


def look_for(kind: GameKind, numbers: Sequence[int], *, ascii_only: bool, names: bool) -> Look:
    """How to draw a game for seats whose players have these glyph `numbers`.

    `names` is whether free places show theirs. The size is left to the caller.
    """
    marks = (kind.mark(Seat(seat), number) for seat, number in enumerate(numbers))
    texts = tuple(mark.text(ascii_only=ascii_only) for mark in marks)
    return Look(texts, ascii_only=ascii_only, numbers=names)


def largest_that_fits(state: State, look: Look, columns: int, lines: int) -> Size | None:
    """The largest size in which all of `state` is seen in `columns` by `lines` cells, if any."""
    for size in (Size.LARGE, Size.NORMAL, Size.COMPACT):
        drawing = state.draw(replace(look, size=size))
        if drawing.width <= columns and drawing.height <= lines:
            return size
    return None


@dataclass(frozen=True, slots=True)
class Canvas:
    """What boards are shown on: what the terminal can, and how the person likes it."""

    colours: Colours = Colours.NONE
    ascii_only: bool = False
    numbers: bool = True
    """Whether free places show their names."""
    size: Size | None = None
    """None: the largest size that fits."""

    def board(
        self, state: State, numbers: Sequence[int], columns: int, lines: int | None
    ) -> Drawing:
        """`state` for a space of `columns` by `lines` cells; `numbers` are the seats' glyphs.

        If nothing fits, it is the narrowest drawing there is.
        """
        look = look_for(state.game.kind, numbers, ascii_only=self.ascii_only, names=self.numbers)
        size = self.size or _size_for_paper(state, look, columns, lines)
        return state.draw(replace(look, size=size))

    def paint(self, rows: Iterable[Sequence[Span]], numbers: Sequence[int]) -> str:
        """`rows` as text in the terminal's colours and characters."""
        return self.text(paint(rows, self.colours, numbers))

    def text(self, text: str) -> str:
        """`text` in the terminal's characters."""
        return in_ascii(text) if self.ascii_only else text


def _size_for_paper(state: State, look: Look, columns: int, lines: int | None) -> Size:
    """What is too high is scrolled through, so then the width alone decides, and not for large.

    In a space of any height (`lines` is None) large boards aren't worth their paper either.
    """
    if lines is not None and (size := largest_that_fits(state, look, columns, lines)):
        return size
    normal = state.draw(replace(look, size=Size.NORMAL))
    return Size.NORMAL if normal.width <= columns else Size.COMPACT
