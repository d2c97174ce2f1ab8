"""Who was ahead in the course of a game, as a chart of bars in text.

A column is a position, or the last of several where there isn't a column for each. Between two
players the bars of the first stand and those of the second hang, so that one sees the margin
go up and down, and what is only the score so far is dotted; among more they all stand. Every
other bar is made of its player's glyph.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from boxroom_client.analysis.analysed import Analysed
from boxroom_client.analysis.lead import Lead
from boxroom_engine.games.drawing import Ink, Span
from boxroom_engine.games.marks import glyph

_MOST_ROWS = 8
"""The most cells that a bar has."""

_RULER = 10
"""A number stands under every tenth column."""

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


def caption(analysed: Analysed) -> str:
    """What the bars are, in a line."""
    if any(lead.is_expected for lead in analysed.leads[:-1]):
        return "Who is ahead at the end if both play best, after each move:"
    return "Who is ahead, after each move:"


def chart(analysed: Analysed, columns: int, *, ascii_only: bool = False) -> list[list[Span]]:
    """The chart and what explains it below, `columns` cells wide or less."""
    strokes = _ASCII_STROKES if ascii_only else _STROKES
    widest = len(str(analysed.game.grid.boxes))
    numbers = _columns(len(analysed.leads), columns - widest - 3)
    bars = _Bars([analysed.leads[number] for number in numbers], widest, strokes)
    return [
        *(bars.row(height, hanging=False) for height in range(bars.above, 0, -1)),
        bars.axis(),
        *(bars.row(depth, hanging=True) for depth in range(1, bars.below + 1)),
        [Span(" " * (widest + 2), Ink.GAP), Span(_ruler(numbers), Ink.NUMBER)],
        *_in_rows(_legend(analysed.players, bars.leads, strokes), columns),
    ]


class _Bars:
    """The bars of some leads, in rows of cells.

    Attributes:
        unit: how many boxes a cell stands for.
        above: how many cells the highest bar is high that stands.
        below: how many the longest is long that hangs.
    """

    def __init__(self, leads: Sequence[Lead], widest: int, strokes: _Strokes) -> None:
        self.leads = leads
        self._widest = widest
        self._strokes = strokes
        self.unit = ceil(max(lead.boxes for lead in leads) / _MOST_ROWS) or 1
        self.above = max((self._cells(lead) for lead in leads if not lead.hangs), default=0)
        self.below = max((self._cells(lead) for lead in leads if lead.hangs), default=0)

    def row(self, height: int, *, hanging: bool) -> list[Span]:
        """The row of cells at that distance from the axis, on one side of it."""
        cells = (
            self._cell(lead)
            if lead.hangs == hanging and self._cells(lead) >= height
            else Span(" ", Ink.GAP)
            for lead in self.leads
        )
        return [self._number(height * self.unit), Span(f" {self._strokes.post}", Ink.DOT), *cells]

    def axis(self) -> list[Span]:
        """The row between those that stand and those that hang."""
        line = f" {self._strokes.cross}{self._strokes.axis * len(self.leads)}"
        return [self._number(0), Span(line, Ink.DOT)]

    def _cells(self, lead: Lead) -> int:
        return ceil(lead.boxes / self.unit)

    def _cell(self, lead: Lead) -> Span:
        assert lead.seat is not None, "the bar of nobody's lead has no cells"
        if lead.is_dotted:
            return Span(self._strokes.dotted, Ink.OPEN)
        mark = glyph(lead.seat, ascii_only=self._strokes.ascii_only)
        return Span(mark, Ink.OWNED, lead.seat)

    def _number(self, boxes: int) -> Span:
        return Span(f"{boxes:>{self._widest}}", Ink.NUMBER)


def _columns(positions: int, columns: int) -> list[int]:
    """The numbers of the positions that have a column, the last of them among these."""
    every = ceil(positions / max(columns, 1))
    return list(range(positions - 1, -1, -every))[::-1]


def _ruler(numbers: Sequence[int]) -> str:
    """Numbers of moves, each beginning under its column."""
    return "".join(f"{numbers[c]:<{_RULER}}" for c in range(0, len(numbers), _RULER)).rstrip()


def _legend(players: Sequence[str], leads: Sequence[Lead], strokes: _Strokes) -> Iterator[Span]:
    """What the bars mean, a span for each kind of bar that there is."""
    by_glyph = {lead.seat for lead in leads if lead.seat is not None and not lead.is_dotted}
    for seat in sorted(by_glyph):
        mark = glyph(seat, ascii_only=strokes.ascii_only)
        yield Span(f"{mark} {players[seat]} ahead", Ink.OWNED, seat)
    if any(lead.is_dotted for lead in leads):
        yield Span(f"{strokes.dotted} ahead by the score so far", Ink.NUMBER)


def _in_rows(spans: Iterable[Span], columns: int) -> Iterator[list[Span]]:
    """The spans beside each other if they have room, else below each other."""
    separate = list(spans)
    if not separate:
        return
    if sum(len(span.text) + len(_BETWEEN) for span in separate) <= columns:
        yield [part for span in separate for part in (span, Span(_BETWEEN, Ink.GAP))]
    else:
        yield from ([span] for span in separate)
