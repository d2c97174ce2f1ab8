"""Drawings as terminal text, with the colours, characters and size that the terminal can show.

A game draws itself as spans, each with a meaning (`boxroom_engine.games.drawing`); here each
meaning gets a style. Nothing depends on colour alone: each seat has a mark too.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import groupby
from typing import TYPE_CHECKING, TextIO, assert_never

from boxroom_common.terminals import has_colours
from boxroom_engine.games.drawing import Drawing, Ink, Look, Size, Span
from boxroom_engine.games.marks import FAINT, Colour, seat_colour
from boxroom_engine.games.turn_order import Seat

if TYPE_CHECKING:  # flags for the look of boards come with commands that load no game
    from boxroom_engine.games.protocol import GameKind, State
    from boxroom_engine.room.room import Room


class Colours(Enum):
    """The colours that a terminal can show."""

    NONE = "none"
    INDEXED = "indexed"
    TRUE = "true"


def colours_of(stream: TextIO, environ: Mapping[str, str]) -> Colours:
    """Return the colours for `stream`, by https://no-color.org, TERM and COLORTERM."""
    if not has_colours(stream, environ):
        return Colours.NONE
    return Colours.TRUE if environ.get("COLORTERM") in {"truecolor", "24bit"} else Colours.INDEXED


_IN_ASCII = str.maketrans(
    {"×": "x", "…": "...", "–": "-", "−": "-", "—": "-", "’": "'", "“": '"', "”": '"', "±": "+-"}
    | {"←": "<", "→": ">", "↑": "^", "↓": "v"}
)


def in_ascii(text: str) -> str:
    """Return `text` in ASCII, other characters replaced by similar ones or question marks."""
    return text.translate(_IN_ASCII).encode("ascii", "replace").decode("ascii")


def paint(rows: Iterable[Sequence[Span]], colours: Colours, numbers: Sequence[int]) -> str:
    """Return `rows` as lines of text, with escape sequences unless `colours` is `NONE`.

    `numbers` has the glyph number of each seat, which decides its colour. The last move and the
    boxes that it took are in reverse.
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
    """Return the parameters of the SGR sequence (ECMA-48) for `span`."""
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


def side_of(room: "Room", me: str) -> Seat:
    """Return the seat from whose side member `me` sees the board: the first one for spectators."""
    return next(iter(room.seats_of(me)), Seat(0))


def look_for(
    kind: "GameKind",
    numbers: Sequence[int],
    *,
    ascii_only: bool,
    names: bool,
    side: Seat | None = None,
) -> Look:
    """Return the look of a game for seats whose players have these glyph `numbers`.

    `names` is whether open moves show their names. `side` is the seat that looks at the board; None
    leaves it as its squares are numbered. The size is left to the caller.
    """
    marks = (kind.mark(Seat(seat), number) for seat, number in enumerate(numbers))
    texts = tuple(mark.text(ascii_only=ascii_only) for mark in marks)
    return Look(texts, ascii_only=ascii_only, numbers=names, side=side)


def largest_that_fits(state: "State", look: Look, columns: int, lines: int) -> Size | None:
    """Return the largest size in which `state` fits into `columns` by `lines` cells, if any."""
    for size in (Size.LARGE, Size.NORMAL, Size.COMPACT):
        drawing = state.draw(replace(look, size=size))
        if drawing.width <= columns and drawing.height <= lines:
            return size
    return None


@dataclass(frozen=True, slots=True)
class Canvas:
    """The terminal's abilities and the person's preferences for printed boards."""

    colours: Colours = Colours.NONE
    ascii_only: bool = False
    numbers: bool = True
    """Whether open moves show their names."""
    size: Size | None = None
    """None: the largest size that fits."""

    def board(
        self,
        state: "State",
        numbers: Sequence[int],
        columns: int,
        lines: int | None,
        side: Seat | None = None,
    ) -> Drawing:
        """Return the drawing of `state` for `columns` by `lines` cells, from that `side`.

        `numbers` are the seats' glyph numbers. If nothing fits, it is the narrowest drawing.
        """
        look = look_for(
            state.game.kind,
            numbers,
            ascii_only=self.ascii_only,
            names=self.numbers,
            side=side,
        )
        size = self.size or _size_for_paper(state, look, columns, lines)
        return state.draw(replace(look, size=size))

    def paint(self, rows: Iterable[Sequence[Span]], numbers: Sequence[int]) -> str:
        """Return `rows` as text in the terminal's colours and characters."""
        return self.text(paint(rows, self.colours, numbers))

    def text(self, text: str) -> str:
        """Return `text` in the terminal's characters."""
        return in_ascii(text) if self.ascii_only else text


def _size_for_paper(state: "State", look: Look, columns: int, lines: int | None) -> Size:
    """Return the size for printing.

    A board that is too high is scrolled through, so then the width alone decides, and never for
    large. The same holds where the height is unlimited (`lines` is None).
    """
    if lines is not None and (size := largest_that_fits(state, look, columns, lines)):
        return size
    normal = state.draw(replace(look, size=Size.NORMAL))
    return Size.NORMAL if normal.width <= columns else Size.COMPACT
