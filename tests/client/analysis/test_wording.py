"""Facts about moves in English."""

import pytest

from boxroom_client.analysis.wording import facts_text, phrase
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
        (Declines(4), "declines 4 boxes with a double-dealing move"),
        (Leaves(1), "leaves a box on offer"),
        (Leaves(3), "leaves 3 boxes on offer"),
        (opens(1, handout=Handout.SINGLE), "hands out a box"),
        (opens(2, handout=Handout.HALF_HEARTED), "hands out 2 boxes half-heartedly"),
        (opens(2, handout=Handout.HARD_HEARTED), "hands out 2 boxes hard-heartedly"),
        (opens(5), "opens a chain of 5"),
        (opens(4, shape=Shape.LOOP), "opens a loop of 4"),
        (opens(3, gives=5), "opens a chain of 3 with 2 more behind"),
        (opens(3, had_neutral=True), "opens a chain of 3 while neutral moves are left"),
        (Waits(3), "is neutral with room for 3 more"),
        (Waits(0), "is the last neutral move"),
        (ChangesLongChains(1), "makes a long chain"),
        (ChangesLongChains(2), "makes 2 long chains"),
        (ChangesLongChains(-1), "leaves one long chain fewer"),
        (ChangesLongChains(-2), "leaves 2 long chains fewer"),
        (ChangesControl(Change.KEEPS, False), "keeps control"),
        (ChangesControl(Change.GAINS, True), "gains control as the chains stand"),
        (ChangesControl(Change.GIVES_UP, False), "gives up control"),
        (
            ChangesControl(Change.GIVES, True),
            "gives control to the other player as the chains stand",
        ),
    ],
)
def test_each_fact_has_its_phrase(fact: Fact, words: str) -> None:
    assert phrase(fact) == words


def test_several_are_listed() -> None:
    facts: list[Fact] = [Leaves(2), opens(3), ChangesControl(Change.GIVES_UP, False)]
    assert facts_text(facts) == "leaves 2 boxes on offer, opens a chain of 3 and gives up control"
