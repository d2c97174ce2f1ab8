"""The bars of the lead in each position of a game, in rows of cells.

A column is a position, or the last of several if there isn't room for all. Between two players, the
first one's bars are above the axis and the second one's below, and a bar that shows only the score
so far is dotted. Among more players all bars are above the axis. The cells of any other bar are its
player's glyph.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from boxroom_engine.games.drawing import Ink, Span
from boxroom_engine.games.marks import glyph
from boxroom_engine.games.protocol import Game
from boxroom_engine.review.lead import Lead

MOST_ROWS = 8
"""Largest number of cells of a bar."""

_RULER = 10
"""Columns between two numbers below the bars."""


@dataclass(frozen=True, slots=True)
class _Strokes:
    post: str
    axis: str
    cross: str
    dotted: str
    ascii_only: bool


_STROKES = _Strokes("│", "─", "┼", "·", ascii_only=False)
_ASCII_STROKES = _Strokes("|", "-", "+", ".", ascii_only=True)


class LeadChart:
    """The bars of `leads`, those in the positions of `game`, at most `columns` cells wide."""

    def __init__(
        self,
        game: Game,
        leads: Sequence[Lead],
        columns: int,
        *,
        most_rows: int = MOST_ROWS,
        ascii_only: bool = False,
    ) -> None:
        self._strokes = _ASCII_STROKES if ascii_only else _STROKES
        things = {shape.thing for shape in game.geometry().shapes} - {None}
        self._widest = len(str(len(things)))  # columns of a number at the axis
        self._cell_columns = _widest_mark(leads, ascii_only=ascii_only)
        room = (columns - self._widest - 3) // self._cell_columns
        self.numbers = _columns(len(leads), room)
        """The numbers of the positions that have a column."""
        self.leads = [leads[number] for number in self.numbers]
        self._unit = ceil(max(lead.boxes for lead in self.leads) / most_rows) or 1

    def rows(self) -> Iterator[list[Span]]:
        """Yield the bars, with the axis between those above and those below it."""
        above = max((self._cells(lead) for lead in self.leads if not lead.is_below), default=0)
        below = max((self._cells(lead) for lead in self.leads if lead.is_below), default=0)
        for height in range(above, 0, -1):
            yield self._row(height, is_below=False)
        line = self._strokes.axis * self._cell_columns * len(self.leads)
        yield [self._number(0), Span(f" {self._strokes.cross}{line}", Ink.DOT)]
        for depth in range(1, below + 1):
            yield self._row(depth, is_below=True)

    def ruler(self) -> list[Span]:
        """Return the row with numbers of moves, each beginning under its column."""
        columns = range(0, len(self.numbers), _RULER)
        width = _RULER * self._cell_columns
        text = "".join(f"{self.numbers[column]:<{width}}" for column in columns).rstrip()
        return self._below(text)

    def marks(self, mark: Callable[[range], str]) -> list[Span]:
        """Return a row with the character of `mark` for the positions that each column has."""
        firsts = [0, *(number + 1 for number in self.numbers)]
        spans = (range(first, last + 1) for first, last in zip(firsts, self.numbers, strict=False))
        return self._below("".join(mark(span).ljust(self._cell_columns) for span in spans))

    @property
    def dotted(self) -> str:
        """The character of a bar that shows the score so far."""
        return self._strokes.dotted

    def _below(self, text: str) -> list[Span]:
        return [Span(" " * (self._widest + 2), Ink.GAP), Span(text, Ink.NUMBER)]

    def _row(self, distance: int, *, is_below: bool) -> list[Span]:
        """Return the row of cells at `distance` from the axis, on one side of it."""
        cells = (
            self._cell(lead)
            if lead.is_below == is_below and self._cells(lead) >= distance
            else Span(" " * self._cell_columns, Ink.GAP)
            for lead in self.leads
        )
        post = Span(f" {self._strokes.post}", Ink.DOT)
        return [self._number(distance * self._unit), post, *cells]

    def _cells(self, lead: Lead) -> int:
        return ceil(lead.boxes / self._unit)

    def _cell(self, lead: Lead) -> Span:
        assert lead.seat is not None, "without a leader the bar has no cells"
        if lead.is_dotted:
            return Span(self._strokes.dotted.ljust(self._cell_columns), Ink.OPEN)
        mark = glyph(lead.seat, ascii_only=self._strokes.ascii_only)
        return Span(mark.ljust(self._cell_columns), Ink.OWNED, lead.seat)

    def _number(self, boxes: int) -> Span:
        return Span(f"{boxes:>{self._widest}}", Ink.NUMBER)


def _columns(positions: int, columns: int) -> list[int]:
    """Return the numbers of the positions that get a column; the last position is among them."""
    every = ceil(positions / max(columns, 1))
    return list(range(positions - 1, -1, -every))[::-1]


def _widest_mark(leads: Iterable[Lead], *, ascii_only: bool) -> int:
    """Return the columns of the longest glyph of a seat that is ahead, at least 1."""
    marks = (glyph(lead.seat, ascii_only=ascii_only) for lead in leads if lead.seat is not None)
    return max(map(len, marks), default=1)
