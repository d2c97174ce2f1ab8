r"""Drawings of Stonehenge; in ASCII exactly what the assignment prints.

::

          @   @
         /   /
    @ - A - B       A ley-line is a marker and the strokes from cell to cell. Free cells show
         \ / \      their letters and free ley-lines an @; both turn into the mark of the
      @ - C   @     seat that has them, 1 or 2.
           \
            @

A compact board has no rows for the diagonal strokes; a large board is twice as wide and twice as
high.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, Protocol, assert_never

from boxroom_engine.games.drawing import Drawing, Ink, Look, Size, Span
from boxroom_engine.games.protocol import Move, Seat
from boxroom_engine.games.stonehenge.grid import Grid, Place


class Drawable(Protocol):
    """The part of `state.Position` that a drawing shows."""

    @property
    def cells(self) -> tuple[Seat | None, ...]: ...
    @property
    def lines(self) -> tuple[Seat | None, ...]: ...
    @property
    def to_move(self) -> Seat | None: ...
    @property
    def last(self) -> Move | None: ...
    @property
    def taken(self) -> tuple[int, ...]: ...


class _Spot(NamedTuple):
    """A cell of the terminal; `y` comes first, so that spots sort in reading order."""

    y: int
    x: int


@dataclass(frozen=True, slots=True)
class _Strokes:
    """Characters of the strokes between cells, and of a free cell without its letter."""

    across: str
    down_left: str
    down_right: str
    free: str


_UNICODE = _Strokes(across="─", down_left="╱", down_right="╲", free="·")  # noqa: RUF001
_ASCII = _Strokes(across="-", down_left="/", down_right="\\", free=".")


def draw(grid: Grid, board: Drawable, look: Look) -> Drawing:
    """Draw `board` as `look` wants it."""
    drawn = dict(_Sketch(grid, board, look).spans())
    height = 1 + max(spot.y for spot in drawn)
    rows: list[list[Span]] = [[] for _ in range(height)]
    ends = [0] * height
    for (y, x), span in sorted(drawn.items()):
        if x > ends[y]:
            rows[y].append(Span(" " * (x - ends[y]), Ink.GAP))
        rows[y].append(span)
        ends[y] = x + len(span.text)
    return Drawing(tuple(tuple(_without_space_at_end(row)) for row in rows))


def _without_space_at_end(row: Sequence[Span]) -> Iterator[Span]:
    """Yield the spans of a row, but for the space behind a cell that is its last one."""
    *others, last = row
    yield from others
    yield last._replace(text=last.text.rstrip())


@dataclass(frozen=True, slots=True)
class _Sketch:
    """Builder of one drawing."""

    grid: Grid
    board: Drawable
    look: Look

    def spans(self) -> Iterator[tuple[_Spot, Span]]:
        """Yield all spans with the spots of their first characters, in no order."""
        for number, line in enumerate(self.grid.lines):
            yield self._spot(line.marker), self._marker(number)
            owner = self.board.lines[number]
            ink = Ink.DOT if owner is None else Ink.DRAWN
            for one, other in pairwise(line.path):
                for spot, stroke in self._strokes_between(one, other):
                    yield spot, Span(stroke, ink, owner)
        for cell, place in enumerate(self.grid.places):
            y, x = self._spot(place)
            yield _Spot(y, x - 1), self._cell(cell)

    def _spot(self, place: Place) -> _Spot:
        across, down = _scale(self.look.size)
        return _Spot((place.level + 1) * down, place.x * across)

    def _strokes_between(self, one: Place, other: Place) -> Iterator[tuple[_Spot, str]]:
        """Yield the strokes from a place of a ley-line to its next one, beside or below it."""
        strokes = _ASCII if self.look.ascii_only else _UNICODE
        start, end = self._spot(one), self._spot(other)
        if start.y == end.y:
            width = end.x - start.x - 3  # a space on each side
            yield _Spot(start.y, start.x + 2), strokes.across * width
            return
        aside, stroke = (1, strokes.down_right) if end.x > start.x else (-1, strokes.down_left)
        for step in range(1, end.y - start.y):
            yield _Spot(start.y + step, start.x + aside * step), stroke

    def _marker(self, number: int) -> Span:
        owner = self.board.lines[number]
        if owner is None:
            return Span("@", Ink.DOT)
        fresh = number in self.board.taken
        return Span(self.look.marks[owner], Ink.OWNED, owner, fresh=fresh)

    def _cell(self, cell: int) -> Span:
        """Return a cell with a clickable space on each side."""
        owner = self.board.cells[cell]
        if owner is not None:
            fresh = cell == self.board.last
            return Span(self.look.marks[owner].center(3), Ink.DRAWN, owner, fresh=fresh)
        move = None if self.board.to_move is None else Move(cell)
        if self.look.numbers:
            return Span(self.grid.names[cell].center(3), Ink.NUMBER, move=move)
        strokes = _ASCII if self.look.ascii_only else _UNICODE
        return Span(strokes.free.center(3), Ink.OPEN, move=move)


def _scale(size: Size) -> tuple[int, int]:
    """Return the columns of a half step and the rows of a level."""
    match size:
        case Size.COMPACT:
            return 2, 1
        case Size.NORMAL:
            return 2, 2
        case Size.LARGE:
            return 4, 4
        case never:
            assert_never(never)
