"""A bar chart, in text, of the lead in each position of a game.

A column is a position, or the last of several if there isn't room for all. Between two players,
the first one's bars are above the axis and the second one's below, and a bar that shows only the
score so far is dotted. Among more players all bars are above the axis. The cells of any other bar
are its player's glyph.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from boxroom_engine.games.drawing import Ink, Span
from boxroom_engine.games.marks import glyph
from boxroom_lab.analysis.analysed_game import AnalysedGame
from boxroom_lab.analysis.lead import Lead

_MOST_ROWS = 8
"""Largest number of cells of a bar."""

_RULER = 10
"""Columns between two numbers below the chart."""

_BETWEEN = "   "


@dataclass(frozen=True, slots=True)
class _Strokes:
    post: str
    axis: str
    cross: str
    dotted: str
    ascii_only: bool


_STROKES = _Strokes("│", "─", "┼", "·", ascii_only=False)
_ASCII_STROKES = _Strokes("|", "-", "+", ".", ascii_only=True)


def caption(analysed: AnalysedGame) -> str:
    """Return the meaning of the bars, in one line."""
    if any(lead.is_expected for lead in analysed.leads[:-1]):
        return "The lead at the end with best play, after each move:"
    return "The lead after each move:"


def chart(analysed: AnalysedGame, columns: int, *, ascii_only: bool = False) -> list[list[Span]]:
    """Return the rows of the chart and its legend, at most `columns` cells wide."""
    strokes = _ASCII_STROKES if ascii_only else _STROKES
    things = {shape.thing for shape in analysed.game.geometry().shapes} - {None}
    widest = len(str(len(things)))
    cell = _widest_mark(analysed.leads, strokes)
    numbers = _columns(len(analysed.leads), (columns - widest - 3) // cell)
    bars = _Bars([analysed.leads[number] for number in numbers], widest, cell, strokes)
    return [
        *(bars.row(height, is_below=False) for height in range(bars.above, 0, -1)),
        bars.axis(),
        *(bars.row(depth, is_below=True) for depth in range(1, bars.below + 1)),
        [Span(" " * (widest + 2), Ink.GAP), Span(_ruler(numbers, cell), Ink.NUMBER)],
        *_in_rows(_legend(analysed.players, bars.leads, strokes), columns),
    ]


class _Bars:
    """The bars of some leads, in rows of cells."""

    def __init__(self, leads: Sequence[Lead], widest: int, cell: int, strokes: _Strokes) -> None:
        self.leads = leads
        self._widest = widest  # columns of a number at the axis
        self._cell_columns = cell
        self._strokes = strokes
        self.unit = ceil(max(lead.boxes for lead in leads) / _MOST_ROWS) or 1
        """Boxes for each cell of a bar."""
        self.above = max((self._cells(lead) for lead in leads if not lead.is_below), default=0)
        """Cells of the longest bar above the axis."""
        self.below = max((self._cells(lead) for lead in leads if lead.is_below), default=0)
        """Cells of the longest bar below it."""

    def row(self, distance: int, *, is_below: bool) -> list[Span]:
        """Return the row of cells at `distance` from the axis, on one side of it."""
        cells = (
            self._cell(lead)
            if lead.is_below == is_below and self._cells(lead) >= distance
            else Span(" " * self._cell_columns, Ink.GAP)
            for lead in self.leads
        )
        return [self._number(distance * self.unit), Span(f" {self._strokes.post}", Ink.DOT), *cells]

    def axis(self) -> list[Span]:
        """Return the row of the axis."""
        line = f" {self._strokes.cross}{self._strokes.axis * self._cell_columns * len(self.leads)}"
        return [self._number(0), Span(line, Ink.DOT)]

    def _cells(self, lead: Lead) -> int:
        return ceil(lead.boxes / self.unit)

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


def _widest_mark(leads: Iterable[Lead], strokes: _Strokes) -> int:
    """Return the columns of the longest glyph of a seat that is ahead, at least 1."""
    marks = (
        glyph(lead.seat, ascii_only=strokes.ascii_only) for lead in leads if lead.seat is not None
    )
    return max(map(len, marks), default=1)


def _ruler(numbers: Sequence[int], cell: int) -> str:
    """Return the numbers of moves, each beginning under its column."""
    columns = range(0, len(numbers), _RULER)
    return "".join(f"{numbers[c]:<{_RULER * cell}}" for c in columns).rstrip()


def _legend(players: Sequence[str], leads: Sequence[Lead], strokes: _Strokes) -> Iterator[Span]:
    """Yield the legend, a span for each kind of bar in the chart."""
    by_glyph = {lead.seat for lead in leads if lead.seat is not None and not lead.is_dotted}
    for seat in sorted(by_glyph):
        mark = glyph(seat, ascii_only=strokes.ascii_only)
        yield Span(f"{mark} {players[seat]} ahead", Ink.OWNED, seat)
    if any(lead.is_dotted for lead in leads):
        yield Span(f"{strokes.dotted} ahead by the score so far", Ink.NUMBER)


def _in_rows(spans: Iterable[Span], columns: int) -> Iterator[list[Span]]:
    """Yield the spans in one row if they fit, else in one row each."""
    separate = list(spans)
    if not separate:
        return
    if sum(len(span.text) + len(_BETWEEN) for span in separate) <= columns:
        yield [part for span in separate for part in (span, Span(_BETWEEN, Ink.GAP))]
    else:
        yield from ([span] for span in separate)
