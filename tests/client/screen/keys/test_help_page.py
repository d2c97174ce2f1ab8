"""The help, page by page."""

from hypothesis import given
from hypothesis import strategies as st
from tests.client.screen.looks import SYMBOLS, fills, plain

from boxroom_client.screen.keys.help_page import help_rows
from boxroom_client.screen.themes.symbols import Symbols

TEXTS = [f"line {number}" for number in range(30)]


@given(st.integers(-100, 100), st.integers(40, 100), st.integers(12, 60), SYMBOLS)
def test_pages_fill_the_terminal_and_begin_where_there_is_text(
    first: int, columns: int, lines: int, symbols: Symbols
) -> None:
    rows, begins = help_rows(TEXTS, first, columns, lines, symbols=symbols)
    assert fills(rows, columns, lines)
    shown = plain(rows).splitlines()
    assert shown[1] == f"line {begins}"
    assert begins == max(0, min(first, 30 - (lines - 2)))


def test_the_last_line_counts_what_is_below() -> None:
    below = plain(help_rows(TEXTS, 0, 60, 12)[0]).splitlines()[-1]
    assert below == "▼ 20 more lines: PgDn · Esc or F1 closes this"
    assert plain(help_rows(TEXTS, 20, 60, 12)[0]).splitlines()[-1] == "Esc or F1 closes this"


def test_lines_that_are_too_long_are_broken() -> None:
    rows, _ = help_rows(["word " * 20], 0, 40, 12)
    assert plain(rows).count("word") == 20
