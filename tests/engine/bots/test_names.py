"""Names with options as text: there and back, lists of them, and what is wrong with others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.bots.names import MOST_CHARS, BotName, BotNameError, split_names, written

WORDS = st.text("abcxyz_019", min_size=1, max_size=5)
VALUES = st.text("abcxyz_019.", min_size=1, max_size=5)
NAMES = st.builds(BotName, WORDS, st.dictionaries(WORDS, VALUES, max_size=4))


def text_of(name: BotName) -> str:
    return written(name.bot, name.options)


@given(NAMES)
def test_there_and_back(name: BotName) -> None:
    assert BotName.parse(text_of(name)) == name


@given(st.lists(NAMES, max_size=5))
def test_lists_are_taken_apart_where_they_were_put_together(names: list[BotName]) -> None:
    texts = tuple(map(text_of, names))
    assert split_names(",".join(texts)) == texts


def test_empty_places_in_a_list_are_passed_over() -> None:
    assert split_names(",greedy,,random,") == ("greedy", "random")


def test_what_looks_like_an_option_of_a_bot_without_any_is_left_for_its_refusal() -> None:
    assert split_names("greedy,depth=3") == ("greedy", "depth=3")


@each("value, text", [(8, "8"), ("wild", "wild"), (0.3, "0.3"), (2.0, "2"), (1e-7, "0.0000001")])
def test_values_are_written_as_they_are_typed(value: float | str, text: str) -> None:
    assert written("bot", {"x": value}) == f"bot:x={text}"


@each(
    "text, sentence",
    [
        ("chain:", "after a bot's name and a colon come its options, .* not ''"),
        ("chain:deep", "a name, = and a value, with commas between them, not 'deep'"),
        ("chain:depth=", "not 'depth='"),
        ("chain:=3", "not '=3'"),
        ("chain:depth=3,", "not ''"),
        ("chain:depth=3,depth=4", "the option depth of chain is there twice"),
        ("chain:x=" + "9" * MOST_CHARS, "at most 60 characters, not 68"),
    ],
)
def test_other_texts_are_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(BotNameError, match=sentence):
        BotName.parse(text)
