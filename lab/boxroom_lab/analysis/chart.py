"""A bar chart, in text, of the lead in each position of a game, with a ruler and a legend."""

from collections.abc import Iterable, Iterator, Sequence

from boxroom_client.shell.output.lead_chart import LeadChart
from boxroom_engine.games.drawing import Ink, Span
from boxroom_engine.games.marks import glyph
from boxroom_lab.analysis.analysed_game import AnalysedGame

_BETWEEN = "   "


def caption(analysed: AnalysedGame) -> str:
    """Return the meaning of the bars, in one line."""
    if any(lead.is_expected for lead in analysed.leads[:-1]):
        return "The lead at the end with best play, after each move:"
    return "The lead after each move:"


def chart(analysed: AnalysedGame, columns: int, *, ascii_only: bool = False) -> list[list[Span]]:
    """Return the rows of the chart and its legend, at most `columns` cells wide."""
    bars = LeadChart(analysed.game, analysed.leads, columns, ascii_only=ascii_only)
    legend = _legend(analysed.players, bars, ascii_only=ascii_only)
    return [*bars.rows(), bars.ruler(), *_in_rows(legend, columns)]


def _legend(players: Sequence[str], bars: LeadChart, *, ascii_only: bool) -> Iterator[Span]:
    """Yield the legend, a span for each kind of bar in the chart."""
    leads = bars.leads
    by_glyph = {lead.seat for lead in leads if lead.seat is not None and not lead.is_dotted}
    for seat in sorted(by_glyph):
        mark = glyph(seat, ascii_only=ascii_only)
        yield Span(f"{mark} {players[seat]} ahead", Ink.OWNED, seat)
    if any(lead.is_dotted for lead in leads):
        yield Span(f"{bars.dotted} ahead by the score so far", Ink.NUMBER)


def _in_rows(spans: Iterable[Span], columns: int) -> Iterator[list[Span]]:
    """Yield the spans in one row if they fit, else in one row each."""
    separate = list(spans)
    if not separate:
        return
    if sum(len(span.text) + len(_BETWEEN) for span in separate) <= columns:
        yield [part for span in separate for part in (span, Span(_BETWEEN, Ink.GAP))]
    else:
        yield from ([span] for span in separate)
