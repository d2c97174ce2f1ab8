"""The curve of the lead below the log, while a game is reviewed."""

from collections.abc import Sequence

from boxroom_client.screen.board.viewport import style_of
from boxroom_client.screen.text.rows import Row
from boxroom_client.screen.themes.symbols import Symbols
from boxroom_client.shell.output.lead_chart import LeadChart
from boxroom_engine.games.drawing import Span
from boxroom_engine.review.reviewed_game import ReviewedGame

_MOST_ROWS = 3
"""Cells of the longest bar."""


def lead_rows(
    reviewed: ReviewedGame, glyphs: Sequence[int], columns: int, *, symbols: Symbols
) -> list[Row]:
    """Return the bars, and below them a row that marks costly moves and the position shown."""
    at = reviewed.left().at
    game = reviewed.positions[0].game
    chart = LeadChart(
        game, reviewed.leads, columns, most_rows=_MOST_ROWS, ascii_only=symbols.ascii_only
    )

    def mark(positions: range) -> str:
        if at in positions:
            return "^"
        return "!" if any(number in positions for number in reviewed.costly) else " "

    rows = [*chart.rows(), chart.marks(mark)]
    return [symbols.fitted(_styled(row, glyphs), columns) for row in rows]


def _styled(spans: Sequence[Span], glyphs: Sequence[int]) -> Row:
    return [
        (style_of(span.ink, None if span.seat is None else glyphs[span.seat], ""), span.text)
        for span in spans
    ]
