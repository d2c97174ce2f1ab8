"""The checker of style strings."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.styles import Style
from prompt_toolkit.styles.base import ANSI_COLOR_NAMES
from tests.cases import each

from boxroom_client.screen.themes.style_words import (
    ANSI_COLOURS,
    ATTRIBUTES,
    StyleMistake,
    checked_style,
)

COLOURS = st.one_of(st.sampled_from([*ANSI_COLOURS, "default"]), st.from_regex(r"\A#[0-9a-f]{6}\Z"))


def attributes(style: str) -> Any:
    return Style([("x", style)]).get_attrs_for_style_str("class:x")


def test_the_colours_are_those_of_prompt_toolkit() -> None:
    assert list(ANSI_COLOURS) == ANSI_COLOR_NAMES


@given(COLOURS, COLOURS, st.sets(st.sampled_from(ATTRIBUTES)), st.randoms())
def test_prompt_toolkit_does_what_a_style_says(
    ink: str, paper: str, chosen: set[str], rng: Any
) -> None:
    words = [f"fg:{ink}", f"bg:{paper}", *chosen]
    rng.shuffle(words)
    style = checked_style(f"  {'  '.join(words)} ")
    assert style == " ".join(words)
    made = attributes(style)
    assert (made.color, made.bgcolor) == (ink.removeprefix("#"), paper.removeprefix("#"))
    assert {name for name in ATTRIBUTES if getattr(made, name)} == chosen


@given(st.lists(st.sampled_from(["fg:#0072b2", "bg:ansired", "bold", "x", "fg:", "#0072b2"])))
def test_what_is_no_style_is_refused(words: list[str]) -> None:
    try:
        style = checked_style(" ".join(words))
    except StyleMistake:
        assert len(words) > len(set(words)) or {"x", "fg:", "#0072b2"} & set(words)
    else:
        attributes(style)


@given(st.text(max_size=30))
def test_whatever_is_taken_prompt_toolkit_takes(text: str) -> None:
    try:
        style = checked_style(text)
    except StyleMistake:
        return
    attributes(style)


@each(
    "text, why",
    [
        ("blod", "'blod' isn't a word for styles: did you mean bold?"),
        ("strike hidden", "'strike' isn't a word for styles; there are bold, "),
        ("class:title", "'class:title' isn't a word for styles"),
        ("#0072B2", "#0072B2 is a colour of what? Write fg:#0072B2 or bg:#0072B2"),
        ("ansired", "ansired is a colour of what? Write fg:ansired or bg:ansired"),
        ("fg:#07B", "'#07B' isn't a colour: six digits follow the #, as in #0072B2"),
        ("fg:#0072BX", "six digits follow"),
        ("fg:blue", "'blue' isn't a colour: did you mean ansiblue?"),
        ("bg:", "'' isn't a colour; there are #rrggbb, default, ansi"),
        ("bold bold", "bold is there twice: leave one of them out"),
        ("fg:ansired fg:#000000", "fg is there twice"),
    ],
)
def test_mistakes_are_explained(text: str, why: str) -> None:
    with pytest.raises(StyleMistake) as mistake:
        checked_style(text)
    assert why in str(mistake.value)
