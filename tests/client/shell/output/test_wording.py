"""Sentences and lists."""

import pytest
from tests.cases import each

from boxroom_client.shell.output.wording import bot_options, called, sentence


@each(
    "text, expected",
    [
        ("every seat is taken", "Every seat is taken."),
        ("is a server running there?", "Is a server running there?"),
        ("h31 is not on this board", "h31 is not on this board."),
        ("no", "No."),
        ("", "."),
    ],
)
def test_a_sentence_begins_and_ends_as_one(text: str, expected: str) -> None:
    assert sentence(text) == expected


def test_a_sentence_can_follow_a_colon() -> None:
    assert sentence("the server hung up", capital=False) == "the server hung up."


LEVELS_AND_OTHERS = ("easy", "child 12", "expert (bot)", "greedy 2", "easygoing", "easy going")


def test_a_level_is_called_by_its_title() -> None:
    english = ["Easy", "Child 12", "Expert (bot)", "greedy 2", "easygoing", "easy going"]
    assert [*map(called, LEVELS_AND_OTHERS)] == english


@pytest.mark.usefixtures("german")
def test_a_level_is_called_by_its_title_in_the_readers_language() -> None:
    german = ["Leicht", "Kind 12", "Experte (bot)", "greedy 2", "easygoing", "easy going"]
    assert [*map(called, LEVELS_AND_OTHERS)] == german


def test_the_options_of_a_bot_are_listed() -> None:
    assert bot_options("chain:max_ply=8,time=0.3") == "max_ply=8, time=0.3"
    assert bot_options("chain") == ""
    assert bot_options(None) == ""
