"""A position as text: what the eye sees and what a click means are one value.

A game draws itself as rows of spans. A span is a run of characters with one meaning, so a
shell turns it into colours without knowing the game, and `Drawing.move_at` finds the move
under a cell without a second layout. Every character is one cell wide.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # the protocol speaks of drawings, and drawings of its moves and seats
    from boxroom_engine.games.protocol import Move, Seat

_BETWEEN = 4
"""Cells between two pictures side by side."""


class Ink(Enum):
    """What a span stands for; a shell gives each a style."""

    GAP = "gap"
    """Empty space between things."""
    DOT = "dot"
    """A fixed part of the board: a dot, a grid line."""
    OPEN = "open"
    """A place where a move can be played: present, but dim."""
    NUMBER = "number"
    """The name or number of such a place."""
    DRAWN = "drawn"
    """A move that was played, bright, in the colour of `Span.seat` (None: nobody's)."""
    OWNED = "owned"
    """Something won, in the colour of `Span.seat`."""


class Span(NamedTuple):
    """A run of characters with one meaning."""

    text: str
    ink: Ink
    seat: "Seat | None" = None
    move: "Move | None" = None
    fresh: bool = False
    """Whether the last move put it here."""


class Size(Enum):
    """How much room each cell of a board gets."""

    COMPACT = "compact"
    NORMAL = "normal"
    LARGE = "large"


@dataclass(frozen=True, slots=True)
class Look:
    """How to draw: chosen by the person who looks, the same for every game.

    `marks` has one character for each seat, in the order of play (see `GameKind.mark`); boxes
    and stones are marked with it, so that nothing depends on colour.
    """

    marks: tuple[str, ...]
    size: Size = Size.NORMAL
    ascii_only: bool = False
    numbers: bool = True


@dataclass(frozen=True, slots=True)
class Drawing:
    """Rows of spans, top to bottom; rows may differ in length."""

    rows: tuple[tuple[Span, ...], ...]

    @property
    def width(self) -> int:
        """Cells in the longest row."""
        return width_of(self.rows)

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.rows)

    def move_at(self, x: int, y: int) -> "Move | None":
        """The move that the cell in column `x` of row `y` (from 0) stands for, if any."""
        if not 0 <= y < len(self.rows):
            return None
        for start, span in _starts(self.rows[y]):
            if start <= x < start + len(span.text):
                return span.move
        return None

    def place_of(self, move: "Move") -> tuple[int, int] | None:
        """The cell `(x, y)` in the middle of the longest spans for `move`, if it is drawn."""
        spans = [
            (len(span.text), start, y)
            for y, row in enumerate(self.rows)
            for start, span in _starts(row)
            if span.move == move
        ]
        if not spans:
            return None
        longest = [span for span in spans if span[0] == max(spans)[0]]
        width, start, y = longest[len(longest) // 2]
        return start + width // 2, y

    def plain(self) -> str:
        """The text without any colour, lines joined by newlines, trailing spaces cut."""
        return "\n".join("".join(span.text for span in row).rstrip() for row in self.rows)


Rows = Sequence[Sequence[Span]]
"""What is drawn, top to bottom: a `Drawing`, and perhaps lines above and below it."""


def side_by_side(pictures: Sequence[Rows], columns: int) -> list[tuple[Span, ...]]:
    """Rows that show `pictures` in reading order, each line of them as long as fits in `columns`.

    All have the place of the widest one, so that they stand in columns; there is always one in a
    line, even if it is too wide.
    """
    width = max(map(width_of, pictures), default=0)
    across = max(1, (columns + _BETWEEN) // (width + _BETWEEN))
    rows: list[tuple[Span, ...]] = []
    for first in range(0, len(pictures), across):
        rows += [()] if rows else []
        rows += _line(pictures[first : first + across], width + _BETWEEN)
    return rows


def width_of(rows: Rows) -> int:
    """Cells in the longest row."""
    return max((sum(len(span.text) for span in row) for row in rows), default=0)


def _line(pictures: Sequence[Rows], place: int) -> Iterator[tuple[Span, ...]]:
    """The rows of a line of pictures, each of which has `place` cells."""
    for row in zip_longest(*pictures, fillvalue=()):
        yield tuple(span for part in row for span in _filled(part, place))


def _filled(row: Sequence[Span], place: int) -> Iterator[Span]:
    yield from row
    yield Span(" " * (place - width_of([row])), Ink.GAP)


def _starts(row: tuple[Span, ...]) -> Iterator[tuple[int, Span]]:
    x = 0
    for span in row:
        yield x, span
        x += len(span.text)
