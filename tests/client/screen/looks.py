"""Helpers that read rows of screens."""

from collections.abc import Callable, Sequence

from prompt_toolkit.styles import BaseStyle, Style

from boxroom_client.screen.text.rows import Row, row_width

STYLE: Callable[[], BaseStyle] = lambda: Style([])  # noqa: E731


def plain(rows: Sequence[Row]) -> str:
    """Return the text of `rows`."""
    return "".join("".join(text for _, text in row).rstrip() + "\n" for row in rows)


def fills(rows: Sequence[Row], columns: int, lines: int) -> bool:
    """Whether `rows` are exactly a terminal of that size."""
    return len(rows) == lines and all(row_width(row) == columns for row in rows)
