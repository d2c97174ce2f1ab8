"""Facts about moves in English, and the names in them that the glossary explains."""

import re

from tests.cases import each

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
from boxroom_engine.games.dots.theory.glossary import GLOSSARY
from boxroom_engine.games.dots.theory.words import phrase_of, phrases


def opens(
    length: int,
    *,
    shape: Shape = Shape.CHAIN,
    gives: int | None = None,
    handout: Handout | None = None,
    had_neutral: bool = False,
) -> Opens:
    return Opens(shape, length, gives or length, handout, had_neutral)


@each(
    "fact, words",
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
        (Waits(None), "is safe: nobody can take a box after it (neutral)"),
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
                "is safe and leaves room for 3 such moves at most,"
                " after which the same player has to open a chain (neutral; parity)"
            ),
        ),
        (
            Waits(2),
            (
                "is safe and leaves room for 2 such moves at most,"
                " after which the other player has to open a chain (neutral; parity)"
            ),
        ),
        (
            Waits(0),
            (
                "is safe and is the last such move,"
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
    assert str(phrase_of(fact)) == words


def test_several_are_listed() -> None:
    words = "takes a box and leaves 2 boxes that could be taken"
    assert str(phrases([Takes(1), Leaves(2)])) == words


FACTS: list[Fact] = [
    Declines(2),
    Opens(Shape.CHAIN, 1, 1, Handout.SINGLE, had_neutral=False),
    Opens(Shape.LOOP, 4, 4, None, had_neutral=False),
    Waits(3),
    ChangesLongChains(1),
    ChangesControl(Change.GAINS, is_forecast=False),
]


@each("fact", FACTS)
def test_every_name_in_brackets_is_explained(fact: Fact) -> None:
    (names,) = re.findall(r"\((.*)\)", str(phrase_of(fact)))
    assert any(word.split()[0] in names for word in GLOSSARY)
