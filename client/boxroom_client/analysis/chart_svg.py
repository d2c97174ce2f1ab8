"""Who was ahead in the course of a game, as an SVG chart of bars for pages and documents.

The same bars as in `chart`, a bar for every position. Above them stands the glyph of whoever
made a move that lost something. Pointing at a bar or a glyph shows a sentence about it.
"""

from collections.abc import Iterator
from html import escape
from math import ceil

from boxroom_client.analysis.analysed import Analysed
from boxroom_client.analysis.lead import Lead
from boxroom_client.analysis.report import lost_of
from boxroom_engine.games.dots.theory.judging import JudgedMove
from boxroom_engine.games.marks import FAINT, SEAT_COLOURS, glyph, seat_colour
from boxroom_engine.games.picture import TEXT_STYLES
from boxroom_engine.games.protocol import Seat

_WIDTH = 800
_LEFT, _RIGHT = 50, 20
_TOP = 60
_BARS_HEIGHT = 200
_RULER_BELOW = 18
_BELOW = 30
_LINE_HEIGHT = 22
_WIDEST_STEP = 24.0
_MOST_TICKS = 10


def chart_svg(analysed: Analysed, title: str) -> str:
    """An SVG document with the chart; `title` says what game it is."""
    chart = _Chart(analysed)
    size = f'viewBox="0 0 {_WIDTH} {chart.height}" width="{_WIDTH}" height="{chart.height}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} class="boxroom" role="img">',
            f"<title>{escape(title)}</title>",
            f"<style>{TEXT_STYLES}{''.join(_styles(analysed.game.seats))}</style>",
            f'<text class="faint" x="{_LEFT}" y="22">{escape(title)}</text>',
            *chart.bars(),
            *chart.axes(),
            *chart.costly_moves(),
            *chart.legend(),
            "</svg>\n",
        ]
    )


def _styles(seats: int) -> Iterator[str]:
    yield f".axis {{ stroke: {FAINT.hex}; }}\n"
    for number in range(min(seats, len(SEAT_COLOURS))):
        colour = seat_colour(number).hex
        yield f".c{number} {{ fill: {colour}; }}\n"
        yield f"text.c{number} {{ fill: {colour}; font-weight: bold; }}\n"
    yield ".dotted { opacity: 0.35; }\n"


def _colour_class(seat: Seat) -> str:
    return f"c{seat % len(SEAT_COLOURS)}"


class _Chart:
    """Where everything is, in pixels from the upper left corner.

    Attributes:
        above: how many boxes the highest bar is high that stands.
        below: how many the longest is long that hangs.
        ahead: the seats that are ahead at some time.
        is_dotted: whether some bars are.
        step: how far it is from one position to the next.
        axis: the height of the axis from which bars stand and hang.
        ruler: the height of the numbers of moves.
    """

    def __init__(self, analysed: Analysed) -> None:
        self.analysed = analysed
        leads = analysed.leads
        self.above = max((lead.boxes for lead in leads if not lead.hangs), default=0)
        self.below = max((lead.boxes for lead in leads if lead.hangs), default=0)
        self.ahead = sorted({lead.seat for lead in leads if lead.seat is not None})
        self.is_dotted = any(lead.is_dotted for lead in leads)
        self.step = min((_WIDTH - _LEFT - _RIGHT) / len(leads), _WIDEST_STEP)
        self.axis = _TOP + self._pixels(self.above)
        self.ruler = self.axis + self._pixels(self.below) + _RULER_BELOW

    @property
    def height(self) -> int:
        """Of the whole picture."""
        lines = len(self.ahead) + self.is_dotted
        return round(self.ruler + _LINE_HEIGHT * lines + _BELOW)

    def bars(self) -> Iterator[str]:
        """A rectangle for each position in which somebody is ahead."""
        for number, lead in enumerate(self.analysed.leads):
            if lead.seat is None:
                continue
            height = self._pixels(lead.boxes)
            top = self.axis if lead.hangs else self.axis - height
            dotted = " dotted" if lead.is_dotted else ""
            yield (
                f'<rect class="{_colour_class(lead.seat)}{dotted}" x="{self._x(number):.1f}"'
                f' y="{top:.1f}" width="{self.step * 0.85:.1f}" height="{height:.1f}">'
                f"<title>{escape(self._sentence(number, lead))}</title></rect>"
            )

    def axes(self) -> Iterator[str]:
        """The axis, how many boxes the longest bars are, and numbers of moves."""
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
        """The glyph of whoever lost something, above the position that this led to."""
        for move in self.analysed.judged.moves:
            if move.is_costly:
                yield (
                    f'<text class="{_colour_class(move.seat)}" x="{self._x(move.number):.1f}"'
                    f' y="{_TOP - 14}">{glyph(move.seat)}'
                    f"<title>{escape(self._mistake(move))}</title></text>"
                )

    def legend(self) -> Iterator[str]:
        """Whose bars are which."""
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
        return f"{move.number}. {name} by {self.analysed.players[move.seat]}: {lost_of(move)}"
