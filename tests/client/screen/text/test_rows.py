"""Styled text is clipped, filled and wrapped."""

from hypothesis import given
from hypothesis import strategies as st

from boxroom_client.screen.text.rows import (
    clipped,
    clipped_text,
    filled,
    row_width,
    wrapped,
)
from boxroom_client.text_width import text_width

CLUSTERS = ["👨\u200d👩\u200d👧", "🇩🇪", "❤\ufe0f", "1\ufe0f\u20e3", "각", "\u0301"]
WORDS = st.lists(st.sampled_from([*"abc é漢字 …", *CLUSTERS]), max_size=40).map("".join)
ROWS = st.lists(st.tuples(st.sampled_from(["", "class:a", "class:b"]), WORDS), max_size=5)


@given(WORDS, st.integers(0, 50))
def test_clipped_text_fits_and_says_what_is_cut(text: str, columns: int) -> None:
    shown = clipped_text(text, columns)
    assert text_width(shown) <= columns
    assert shown == text or not columns or shown.endswith("…")


@given(ROWS, st.integers(0, 50))
def test_clipped_rows_fit_and_say_what_is_cut(row: list[tuple[str, str]], columns: int) -> None:
    shown = clipped(row, columns)
    assert row_width(shown) <= columns
    text = "".join(text for _, text in shown)
    assert shown == row or not columns or text.endswith("…")


@given(ROWS, st.integers(0, 50))
def test_filled_rows_have_exactly_the_width(row: list[tuple[str, str]], columns: int) -> None:
    assert row_width(filled(row, columns, "class:gap")) == columns


@given(WORDS, st.integers(2, 30), st.integers(0, 5))
def test_wrapping_loses_no_word_and_fits(text: str, columns: int, indent: int) -> None:
    lines = wrapped(text, columns, indent)
    assert "".join("".join(lines).split()) == "".join(text.split())
    leading = len(text) - len(text.lstrip(" "))
    assert all(text_width(line) <= max(columns, leading) for line in lines)


def test_words_stay_whole_where_they_can() -> None:
    assert wrapped("Ada takes 2 boxes and goes again", 12, 2) == (
        "Ada takes 2",
        "  boxes and",
        "  goes again",
    )
    assert wrapped("abcdefgh", 3) == ("abc", "def", "gh")
    assert wrapped("", 5) == ("",)
