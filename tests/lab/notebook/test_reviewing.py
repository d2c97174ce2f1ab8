"""`review`: the moves of a recorded game that lost something."""

import pytest
from tests.cases import each

from boxroom_engine.games.record import Record
from boxroom_lab.notebook.arguments import NotebookError
from boxroom_lab.notebook.reviewing import review

GIVEN_AWAY = "dots rows=1 cols=2 border=none | Ada, Bob | h0 h2 v0 v1 h1 h3 v2"


def test_a_box_that_was_given_away_is_found() -> None:
    found = review(GIVEN_AWAY)
    costly = [(move.number, move.seat) for move in found.moves if move.is_costly]
    assert costly == [(move.number, move.seat) for move in found.moves if move.better]
    assert [move.exact for move in found.moves] == [True] * 7
    assert review(Record.parse(GIVEN_AWAY)) == found


@each(
    "record, said",
    [
        ("nothing", "a record has three parts"),
        (f"{GIVEN_AWAY} v2", "token 8"),
        ("noughts | Ada, Bob, Cid | 4", "can be analysed for two players, not for 3"),
    ],
)
def test_what_cant_be_reviewed_is_refused(record: str, said: str) -> None:
    with pytest.raises(NotebookError, match=said):
        review(record)


def test_a_time_out_of_bounds_is_refused_in_the_words_of_a_call() -> None:
    with pytest.raises(NotebookError, match=r"^time_s is a number of seconds above 0"):
        review(GIVEN_AWAY, time_s=0)
