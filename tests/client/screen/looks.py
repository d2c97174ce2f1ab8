"""Helpers that read rows of screens."""

from collections.abc import Sequence
from functools import cache

from hypothesis import strategies as st
from prompt_toolkit.styles import BaseStyle, Style, default_ui_style, merge_styles

from boxroom_client.screen.text.rows import Row, row_width
from boxroom_client.screen.themes.look import ScreenLook
from boxroom_client.screen.themes.symbols import ASCII, UNICODE

LOOK = ScreenLook(lambda: Style([]))

SYMBOLS = st.sampled_from([UNICODE, ASCII])


@cache
def on_screen(style: BaseStyle) -> BaseStyle:
    """Return `style` with prompt_toolkit's own styles below it, as on a screen."""
    return merge_styles([default_ui_style(), style])


def plain(rows: Sequence[Row]) -> str:
    """Return the text of `rows`."""
    return "".join("".join(text for _, text in row).rstrip() + "\n" for row in rows)


def fills(rows: Sequence[Row], columns: int, lines: int) -> bool:
    """Whether `rows` are exactly a terminal of that size."""
    return len(rows) == lines and all(row_width(row) == columns for row in rows)
