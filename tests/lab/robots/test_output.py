"""Cleaning what robots print: nothing acts on the terminal, and no line is lost."""

from hypothesis import given
from hypothesis import strategies as st

from boxroom_lab.robots.output import clean_lines


@given(st.text(st.sampled_from("ab \t\n\r\x1b[2J\x07\x9b\u202e\u200b\u2028é"), max_size=40))
def test_lines_stay_and_nothing_but_line_ends_acts_on_a_terminal(text: str) -> None:
    cleaned = clean_lines(text)
    assert cleaned.count("\n") == text.count("\n")
    assert all(char.isprintable() or char == "\n" for char in cleaned)
    assert clean_lines(cleaned) == cleaned


def test_a_traceback_looks_as_it_did() -> None:
    text = 'Traceback:\n  File "mine.py", line 3\n    return 1 / 0\n           ~~^~~\n'
    assert clean_lines(text) == text


def test_a_tab_at_the_beginning_is_an_indentation() -> None:
    assert clean_lines("if:\n\treturn") == "if:\n        return"
