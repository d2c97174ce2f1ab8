"""A bar chart, in SVG, of the lead in each position of a game, for pages and documents.

The bars are those of `chart`, one for every position. The glyph of a player marks each costly move
above them. Pointing at a bar or a glyph shows a sentence about it.
"""

from collections.abc import Iterator
from html import escape
from math import ceil

from boxroom_engine.games.marks import FAINT, SEAT_COLOURS, glyph, seat_colour
from boxroom_engine.games.picture import TEXT_STYLES, svg_document
from boxroom_engine.games.protocol import Seat
from boxroom_engine.review.judging import JudgedMove
from boxroom_engine.review.lead import Lead
from boxroom_lab.analysis.analysed_game import AnalysedGame
from boxroom_lab.analysis.report import loss_text

_WIDTH = 800
_LEFT, _RIGHT = 50, 20
_TOP = 60
_BARS_HEIGHT = 200
_RULER_BELOW = 18
_BELOW = 30
_LINE_HEIGHT = 22
_WIDEST_STEP = 24.0
_MOST_TICKS = 10


def chart_svg(analysed: AnalysedGame, title: str) -> str:
    """Return an SVG document with the chart; `title` names the game."""
    chart = _Chart(analysed)
    parts = (
        f'<text class="faint" x="{_LEFT}" y="22">{escape(title)}</text>',
        *chart.bars(),
        *chart.axes(),
        *chart.costly_moves(),
        *chart.legend(),
    )
    return svg_document(_WIDTH, chart.height, title, _styles(analysed.game.seats), parts)


def _styles(seats: int) -> Iterator[str]:
    yield TEXT_STYLES
    yield f".axis {{ stroke: {FAINT.hex}; }}\n"
    for number in range(min(seats, len(SEAT_COLOURS))):
        colour = seat_colour(number).hex
        yield f".c{number} {{ fill: {colour}; }}\n"
        yield f"text.c{number} {{ fill: {colour}; font-weight: bold; }}\n"
    yield ".dotted { opacity: 0.35; }\n"


def _colour_class(seat: Seat) -> str:
    return f"c{seat % len(SEAT_COLOURS)}"


class _Chart:
    """The layout of the chart, in pixels from the upper left corner."""

    def __init__(self, analysed: AnalysedGame) -> None:
        self.analysed = analysed
        leads = analysed.leads
        self.above = max((lead.boxes for lead in leads if not lead.is_below), default=0)
        """Boxes of the longest bar above the axis."""
        self.below = max((lead.boxes for lead in leads if lead.is_below), default=0)
        """Boxes of the longest bar below it."""
        self.ahead = sorted({lead.seat for lead in leads if lead.seat is not None})
        """Seats that are ahead in some position."""
        self.is_dotted = any(lead.is_dotted for lead in leads)
        """True if any bar shows only the score so far."""
        self.step = min((_WIDTH - _LEFT - _RIGHT) / len(leads), _WIDEST_STEP)
        """Distance from one position to the next."""
        self.axis = _TOP + self._pixels(self.above)
        """Height of the axis."""
        self.ruler = self.axis + self._pixels(self.below) + _RULER_BELOW
        """Height of the numbers of moves."""

    @property
    def height(self) -> int:
        """Height of the whole picture."""
        lines = len(self.ahead) + self.is_dotted
        return round(self.ruler + _LINE_HEIGHT * lines + _BELOW)

    def bars(self) -> Iterator[str]:
        """Yield a rectangle for each position with a leader."""
        for number, lead in enumerate(self.analysed.leads):
            if lead.seat is None:
                continue
            height = self._pixels(lead.boxes)
            top = self.axis if lead.is_below else self.axis - height
            dotted = " dotted" if lead.is_dotted else ""
            yield (
                f'<rect class="{_colour_class(lead.seat)}{dotted}" x="{self._x(number):.1f}"'
                f' y="{top:.1f}" width="{self.step * 0.85:.1f}" height="{height:.1f}">'
                f"<title>{escape(self._sentence(number, lead))}</title></rect>"
            )

    def axes(self) -> Iterator[str]:
        """Yield the axis, the lengths of the longest bars, and the numbers of moves."""
        positions = len(self.analysed.leads)
        yield (
            f'<line class="axis" x1="{_LEFT}" y1="{self.axis:.1f}"'
            f' x2="{self._x(positions):.1f}" y2="{self.axis:.1f}"/>'
        )
        for boxes in sorted({-self.above, 0, self.below}):
            yield (
                f'<text class="faint" x="{_LEFT - 8}" y="{self.axis + self._pixels(boxes) + 5:.1f}"'
                f' text-anchor="end">{abs(boxes):g}</text>'
            )
        for number in range(0, positions, 5 * ceil(positions / _MOST_TICKS / 5)):
            yield (
                f'<text class="faint" x="{self._x(number):.1f}" y="{self.ruler:.1f}">'
                f"{number}</text>"
            )

    def costly_moves(self) -> Iterator[str]:
        """Yield the mover's glyph for each costly move, above the position after it."""
        for move in self.analysed.judged.moves:
            if move.is_costly:
                yield (
                    f'<text class="{_colour_class(move.seat)}" x="{self._x(move.number):.1f}"'
                    f' y="{_TOP - 14}">{glyph(move.seat)}'
                    f"<title>{escape(self._mistake(move))}</title></text>"
                )

    def legend(self) -> Iterator[str]:
        """Yield the legend: a line for each player with bars, and one for pale bars."""
        for line, seat in enumerate(self.ahead):
            y = self.ruler + _LINE_HEIGHT * (line + 1)
            name = escape(self.analysed.players[seat])
            yield (
                f'<text class="{_colour_class(seat)}" x="{_LEFT}" y="{y:.1f}">'
                f"{glyph(seat)} {name} ahead</text>"
            )
        if self.is_dotted:
            y = self.ruler + _LINE_HEIGHT * (len(self.ahead) + 1)
            yield f'<text class="faint" x="{_LEFT}" y="{y:.1f}">pale: by the score so far</text>'

    def _pixels(self, boxes: float) -> float:
        return boxes * _BARS_HEIGHT / max(self.above + self.below, 1)

    def _x(self, number: int) -> float:
        return _LEFT + number * self.step

    def _sentence(self, number: int, lead: Lead) -> str:
        assert lead.seat is not None
        how = "if both play best from there on" if lead.is_expected else "by the score so far"
        who = self.analysed.players[lead.seat]
        return f"after {number} moves: {who} ahead by {lead.boxes:g} {how}"

    def _mistake(self, move: JudgedMove) -> str:
        name = self.analysed.name(move)
        return f"{move.number}. {name} by {self.analysed.players[move.seat]}: {loss_text(move)}"
