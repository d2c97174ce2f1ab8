"""Facts about moves in English, and the names in them that the glossary explains."""

import re

from tests.cases import each

from boxroom_engine.games.dots.theory.control import Handout
from boxroom_engine.games.dots.theory.facts import (
    Declines,
    Fact,
    FirstOpened,
    Gets,
    Leaves,
    Opens,
    Shape,
    Takes,
    Waits,
)
from boxroom_engine.games.dots.theory.glossary import GLOSSARY
from boxroom_engine.games.dots.theory.words import effect, outlook


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
        (Waits(), "is safe: nobody can take a box after it (neutral)"),
        (Leaves(1), "leaves a box that could be taken"),
        (Leaves(3), "leaves 3 boxes that could be taken"),
        (opens(1, handout=Handout.SINGLE), "gives away a box (a handout)"),
        (opens(2, handout=Handout.HALF_HEARTED), "gives away 2 boxes (a half-hearted handout)"),
        (opens(2, handout=Handout.HARD_HEARTED), "gives away 2 boxes (a hard-hearted handout)"),
        (opens(5), "gives away 5 boxes (opens a chain of 5)"),
        (opens(4, shape=Shape.LOOP), "gives away 4 boxes (opens a loop of 4)"),
        (opens(3, gives=5), "gives away 5 boxes (opens a chain of 3, and then more)"),
        (
            opens(3, had_neutral=True),
            "gives away 3 boxes while there were moves that give none (opens a chain of 3)",
        ),
    ],
)
def test_each_effect_has_its_phrase(fact: Fact, words: str) -> None:
    assert str(effect([fact])) == words
    assert outlook([fact], None) is None


def test_several_effects_are_listed() -> None:
    words = "takes a box and leaves 2 boxes that could be taken"
    assert str(effect([Takes(1), Gets(3, 1), Leaves(2)])) == words


@each(
    "facts, name, words",
    [
        (
            [FirstOpened(by_mover=True, shape=Shape.CHAIN, boxes=4), Gets(6, 9)],
            None,
            "you must open the next long chain (4 boxes): you get 6 more boxes, the other player 9",
        ),
        (
            [Waits(), FirstOpened(by_mover=False, shape=Shape.LOOP, boxes=None), Gets(1, 0)],
            None,
            "the other player must open the next loop: you get one more box, the other player 0",
        ),
        (
            [FirstOpened(by_mover=True, shape=None, boxes=None)],
            "Ben",
            "Ben must open the next long chain or loop",
        ),
        (
            [FirstOpened(by_mover=True, shape=Shape.CHAIN, boxes=3, always=False)],
            None,
            "you open the next long chain (3 boxes), for example",
        ),
        ([Gets(2, 3)], "Ben", "Ben gets 2 more boxes, the other player 3"),
    ],
)
def test_an_outlook_is_a_clause_about_the_player(
    facts: list[Fact], name: str | None, words: str
) -> None:
    assert str(outlook(facts, name)) == words
    assert effect([fact for fact in facts if not isinstance(fact, Waits)]) is None


FACTS: list[Fact] = [
    Declines(2),
    Opens(Shape.CHAIN, 1, 1, Handout.SINGLE, had_neutral=False),
    Opens(Shape.LOOP, 4, 4, None, had_neutral=False),
    Waits(),
]


@each("fact", FACTS)
def test_every_name_in_brackets_is_explained(fact: Fact) -> None:
    (names,) = re.findall(r"\((.*)\)", str(effect([fact])))
    assert any(word.split()[0] in names for word in GLOSSARY)
