"""Drawings: positions as rows of text, with the move that each part of the text stands for.

A game draws itself as rows of spans. A span is a run of characters with one meaning, so that a
shell can colour it without knowing the game, and `Drawing.move_at` finds the move under a click
from the same rows. Every character is one cell wide.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import zip_longest
from typing import NamedTuple

from boxroom_engine.games.turn_order import Move, Seat

_BETWEEN = 4
"""Cells between two pictures side by side."""


class Ink(Enum):
    """The meaning of a span; a shell gives each meaning a style."""

    GAP = "gap"
    """Empty space between things."""
    DOT = "dot"
    """A fixed part of the board: a dot, a grid line."""
    OPEN = "open"
    """A possible move; shells draw it dim."""
    NUMBER = "number"
    """The name or number of a possible move."""
    DRAWN = "drawn"
    """A move that was played, in the colour of `Span.seat`; None: by no player."""
    OWNED = "owned"
    """Something that a seat won, in the colour of `Span.seat`."""


class Span(NamedTuple):
    """A run of characters with one meaning."""

    text: str
    ink: Ink
    seat: Seat | None = None
    move: Move | None = None
    fresh: bool = False
    """Whether the last move drew it."""


class Size(Enum):
    """Size of the cells of a board."""

    COMPACT = "compact"
    NORMAL = "normal"
    LARGE = "large"


@dataclass(frozen=True, slots=True)
class Look:
    """Drawing options that the viewer chooses, the same for every game.

    `marks` has a text for each seat, in the order of play (see `GameKind.mark`): one character,
    unless more than 74 play. Games mark with it what a seat owns, so that nothing depends on
    colour.
    """

    marks: tuple[str, ...]
    size: Size = Size.NORMAL
    ascii_only: bool = False
    numbers: bool = True
    side: Seat | None = None
    """The seat that looks at the board, if each has a side of its own: it is at the bottom then.
    None: the board is drawn as its squares are numbered."""

    @property
    def widest_mark(self) -> int:
        """Number of cells of the longest of the marks, at least 1."""
        return max(map(len, self.marks), default=1)


@dataclass(frozen=True, slots=True)
class Axis:
    """The columns or the rows of a board in its drawing."""

    first: int
    """First cell of the first one."""
    step: int
    """Cells from one to the next."""
    size: int
    """Cells of each, without what separates it from the next."""
    count: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """Rows of spans, top to bottom; rows may differ in length."""

    rows: tuple[tuple[Span, ...], ...]
    axes: tuple[Axis, Axis] | None = None
    """Columns and rows of the board; None if it isn't one grid."""
    head: tuple[int, int] = (0, 0)
    """Columns at the left and rows at the top that name the others, as a table's head does."""

    @property
    def width(self) -> int:
        """Number of cells in the longest row."""
        return width_of(self.rows)

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.rows)

    def move_at(self, x: int, y: int) -> Move | None:
        """Return the move that the cell in column `x` of row `y` (from 0) stands for, if any."""
        if not 0 <= y < len(self.rows):
            return None
        for start, span in _starts(self.rows[y]):
            if start <= x < start + len(span.text):
                return span.move
        return None

    def place_of(self, move: Move) -> tuple[int, int] | None:
        """Return the cell `(x, y)` in the middle of the longest spans for `move`, if any."""
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
        """Return the text without colours and trailing spaces, with newlines between the rows."""
        return "\n".join("".join(span.text for span in row).rstrip() for row in self.rows)


Rows = Sequence[Sequence[Span]]
"""Rows of spans, top to bottom: a `Drawing`, maybe with more rows above and below it."""


def side_by_side(pictures: Sequence[Rows], columns: int) -> list[tuple[Span, ...]]:
    """Lay `pictures` out in reading order, with as many beside each other as fit in `columns`.

    Each takes the width of the widest one, so that they align. A picture that is too wide stands
    alone.
    """
    width = max(map(width_of, pictures), default=0)
    across = max(1, (columns + _BETWEEN) // (width + _BETWEEN))
    rows: list[tuple[Span, ...]] = []
    for first in range(0, len(pictures), across):
        rows += [()] if rows else []
        rows += _line(pictures[first : first + across], width + _BETWEEN)
    return rows


def width_of(rows: Rows) -> int:
    """Return the number of cells in the longest row."""
    return max((sum(len(span.text) for span in row) for row in rows), default=0)


def _line(pictures: Sequence[Rows], place: int) -> Iterator[tuple[Span, ...]]:
    """Yield the rows of `pictures` beside each other, each picture `place` cells wide."""
    for row in zip_longest(*pictures, fillvalue=()):
        yield tuple(span for part in row for span in _padded(part, place))


def _padded(row: Sequence[Span], place: int) -> Iterator[Span]:
    yield from row
    yield Span(" " * (place - width_of([row])), Ink.GAP)


def _starts(row: tuple[Span, ...]) -> Iterator[tuple[int, Span]]:
    x = 0
    for span in row:
        yield x, span
        x += len(span.text)
