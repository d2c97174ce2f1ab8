"""Widths of the columns of tables."""

from hypothesis import given
from hypothesis import strategies as st

from boxroom_client.screen.text.tables import GAP, column_widths
from boxroom_client.text_width import text_width

TABLES = st.lists(st.lists(st.text(st.sampled_from("ab漢"), max_size=30), max_size=6), max_size=5)


@given(TABLES, st.integers(8, 120))
def test_columns_fit_and_none_is_wider_than_it_needs(table: list[list[str]], columns: int) -> None:
    widths = column_widths(table, columns)
    assert sum(widths) + GAP * max(0, len(widths) - 1) <= columns
    for number, width in enumerate(widths):
        texts = [line[number] for line in table if number < len(line)]
        assert width <= max(map(text_width, texts))


def test_what_fits_is_whole() -> None:
    assert column_widths([("den", "Dots and Boxes"), ("a", "b", "c")], 40) == (3, 14, 1)


def test_the_widest_are_cut_first_and_the_last_go_when_there_is_no_place() -> None:
    table = [("x" * 20, "y" * 30, "1/2", "z" * 10)]
    assert column_widths(table, 50) == (16, 15, 3, 10)
    assert column_widths(table, 30) == (12, 11, 3)
    assert column_widths(table, 12) == (12,)
    assert column_widths([], 12) == ()
