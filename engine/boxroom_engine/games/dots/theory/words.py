"""Words for facts about moves: the effect in plain words, with the field's name for it.

The effect of a move is a phrase that follows its name or "it"; what best play leads to is a clause
about its player. `glossary` explains the names.
"""

from collections.abc import Iterable
from typing import assert_never

from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.theory.captures import sacrifices
from boxroom_engine.games.dots.theory.facts import (
    AtOnce,
    Declines,
    Fact,
    FirstOpened,
    Gets,
    Leaves,
    Opens,
    Takes,
    Waits,
    facts_of,
)
from boxroom_engine.games.protocol import Move
from boxroom_engine.phrases import Phrase, phrase


def effect(facts: Iterable[Fact]) -> Phrase | None:
    """Return the effect of a move at once: "takes a box and …"; None if no fact is about that."""
    said = [_effect(fact) for fact in facts if isinstance(fact, AtOnce)]
    return phrase("listed", names=said) if said else None


def outlook(facts: Iterable[Fact], name: str | None) -> Phrase | None:
    """Return what best play leads to after a move of the player called `name`, or of the reader.

    None if no fact is about that.
    """
    said = [_outlook(fact, name) for fact in facts if isinstance(fact, FirstOpened | Gets)]
    match said:
        case [opened, gets]:
            return phrase("fact_so", opened=opened, gets=gets)
        case _:
            return said[0] if said else None


def reason(position: Position, move: Move) -> Phrase:
    """Return what speaks for `move`, as a phrase: the effect of it on boxes."""
    fact = facts_of(position, move)[0]
    said = _effect(fact)
    is_least = isinstance(fact, Opens) and fact.gives <= min(sacrifices(position).values())
    return phrase("fact_least", what=said) if is_least else said


def _effect(fact: AtOnce) -> Phrase:
    """Return one fact as a phrase: "gives away 4 boxes (opens a loop of 4)"."""
    match fact:
        case Takes(boxes):
            return phrase("fact_takes", n=boxes)
        case Declines(boxes):
            return phrase("fact_declines", n=boxes)
        case Leaves(boxes):
            return phrase("fact_leaves", n=boxes)
        case Opens():
            key = "fact_opens_early" if fact.had_neutral else "fact_opens"
            name = phrase(f"fact_{fact.handout or fact.shape}", n=fact.length)
            if fact.gives > fact.length:
                name = phrase("fact_and_more", name=name)
            return phrase(key, boxes=phrase("fact_gives", n=fact.gives), name=name)
        case Waits():
            return phrase("fact_neutral")
        case _:
            assert_never(fact)


def _outlook(fact: FirstOpened | Gets, name: str | None) -> Phrase:
    whose = "you" if name is None else "name"
    match fact:
        case FirstOpened():
            key = "fact_must_open" if fact.always else "fact_may_open"
            return phrase(
                f"{key}.{whose if fact.by_mover else 'other'}",
                name=name or "",
                string=_next(fact),
            )
        case Gets(own, others):
            return phrase(f"fact_gets.{whose}", name=name or "", n=own, others=others)
        case _:
            assert_never(fact)


def _next(fact: FirstOpened) -> Phrase:
    """Return the string that is opened: "the next long chain (4 boxes)"."""
    said = phrase(f"fact_next.{fact.shape or 'any'}")
    return said if fact.boxes is None else phrase("fact_next.of", what=said, n=fact.boxes)
