"""Sentences and lists."""

from tests.cases import each

from boxroom_client.shell.output.wording import bot_options, sentence


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


def test_the_options_of_a_bot_are_listed() -> None:
    assert bot_options("chain:max_ply=8,time=0.3") == "max_ply=8, time=0.3"
    assert bot_options("chain") == ""
    assert bot_options(None) == ""
