"""Facts about moves in English."""

import pytest
from msgspec.structs import replace

from boxroom_client.shell.output.facts import (
    finding_in_short,
    finding_sentences,
    loss_in_words,
    phrase,
    phrases,
)
from boxroom_engine.games.dots.theory.control import Handout
from boxroom_engine.games.dots.theory.facts import (
    Change,
    ChangesControl,
    ChangesLongChains,
    Declines,
    Fact,
    Leaves,
    Opens,
    Shape,
    Takes,
    Waits,
)
from boxroom_engine.games.dots.theory.review import Finding, Review
from boxroom_engine.games.protocol import Seat


def opens(
    length: int,
    *,
    shape: Shape = Shape.CHAIN,
    gives: int | None = None,
    handout: Handout | None = None,
    had_neutral: bool = False,
) -> Opens:
    return Opens(shape, length, gives or length, handout, had_neutral)


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (Takes(1), "takes a box"),
        (Takes(2), "takes 2 boxes with one line"),
        (
            Declines(4),
            (
                "leaves 4 boxes so that the other player takes them and must move again"
                " (a double-dealing move)"
            ),
        ),
        (Waits(None), "gives nothing away (neutral)"),
        (Leaves(1), "leaves a box that could be taken"),
        (Leaves(3), "leaves 3 boxes that could be taken"),
        (opens(1, handout=Handout.SINGLE), "gives away a box (a handout)"),
        (opens(2, handout=Handout.HALF_HEARTED), "gives away 2 boxes (a half-hearted handout)"),
        (opens(2, handout=Handout.HARD_HEARTED), "gives away 2 boxes (a hard-hearted handout)"),
        (opens(5), "gives away 5 boxes (opens a chain of 5)"),
        (opens(4, shape=Shape.LOOP), "gives away 4 boxes (opens a loop of 4)"),
        (opens(3, gives=5), "gives away 5 boxes (opens a chain of 3)"),
        (
            opens(3, had_neutral=True),
            "gives away 3 boxes while there were moves that give none (opens a chain of 3)",
        ),
        (
            Waits(3),
            (
                "gives nothing away and leaves room for 3 such moves at most,"
                " after which the same player has to open a chain (neutral; parity)"
            ),
        ),
        (
            Waits(2),
            (
                "gives nothing away and leaves room for 2 such moves at most,"
                " after which the other player has to open a chain (neutral; parity)"
            ),
        ),
        (
            Waits(0),
            (
                "gives nothing away and is the last such move,"
                " after which the other player has to open a chain (neutral; parity)"
            ),
        ),
        (ChangesLongChains(1), "makes a chain of three boxes or more (a long chain)"),
        (ChangesLongChains(2), "makes 2 chains of three boxes or more (long chains)"),
        (ChangesLongChains(-1), "leaves a chain less of three boxes or more (long chains)"),
        (ChangesLongChains(-2), "leaves 2 chains less of three boxes or more (long chains)"),
        (
            ChangesControl(Change.KEEPS, False),
            "still makes the other player open what is left (keeps control)",
        ),
        (
            ChangesControl(Change.GAINS, True),
            "makes the other player open the long chains (gains control) as the chains stand",
        ),
        (
            ChangesControl(Change.GIVES_UP, False),
            "lets the other player decide who opens the long chains (gives up control)",
        ),
        (
            ChangesControl(Change.GIVES, True),
            (
                "lets the other player decide who opens the long chains (gives control)"
                " as the chains stand"
            ),
        ),
    ],
)
def test_each_fact_has_its_phrase(fact: Fact, words: str) -> None:
    assert phrase(fact) == words


def test_several_are_listed() -> None:
    assert phrases([Takes(1), Leaves(2)]) == "takes a box and leaves 2 boxes that could be taken"


FINDING = Finding(
    number=31,
    seat=0,
    move="v10",
    lost=16.0,
    exact=True,
    facts=(opens(3),),
    better="h24",
    better_facts=(opens(1, handout=Handout.SINGLE), Waits(None)),
)


def test_a_finding_is_told_in_one_or_two_sentences() -> None:
    assert finding_in_short(FINDING, "Bob") == (
        "Move 31: Bob lost 16 of the margin with v10; h24 was better."
    )
    assert finding_sentences(FINDING, "You lost the game with") == (
        "You lost the game with v10, move 31: it gives away 3 boxes (opens a chain of 3)."
        " h24 was better: it gives away a box (a handout) and gives nothing away (neutral)."
    )


@pytest.mark.parametrize(
    ("turning_point", "winners", "words"),
    [
        (31, (1,), "lost the game"),
        (31, (0, 1), "turned a win into a draw"),
        (None, (1,), "lost most"),
        (30, (0, 1), "lost most"),
        (None, (0,), "lost most"),
    ],
)
def test_only_a_turning_point_lost_the_game(
    turning_point: int | None, winners: tuple[Seat, ...], words: str
) -> None:
    review = Review((FINDING,), 1, turning_point)
    assert loss_in_words(review, FINDING, winners) == words


def test_an_estimate_says_that_it_is_one() -> None:
    estimate = replace(FINDING, lost=2.5, exact=False)
    assert "lost about 2 of the margin" in finding_in_short(estimate, "you")
