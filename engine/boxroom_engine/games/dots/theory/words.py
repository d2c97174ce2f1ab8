"""Words for facts about moves: the effect in plain words, with the field's name for it.

Each fact is a phrase that follows the name of the move or "it"; `glossary` explains the names.
"""

from collections.abc import Iterable
from typing import assert_never

from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.theory.captures import sacrifices
from boxroom_engine.games.dots.theory.facts import (
    ChangesControl,
    ChangesLongChains,
    Declines,
    Fact,
    Leaves,
    Opens,
    Takes,
    Waits,
    facts_about_boxes,
    seats_in_play,
)
from boxroom_engine.games.protocol import Move
from boxroom_engine.phrases import Phrase, phrase


def phrase_of(fact: Fact) -> Phrase:
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
            return phrase(key, boxes=phrase("fact_gives", n=fact.gives), name=name)
        case Waits(room):
            return phrase("fact_neutral") if room is None else _waits(room)
        case ChangesLongChains(by):
            return phrase("fact_longer" if by > 0 else "fact_shorter", n=abs(by))
        case ChangesControl(change, is_forecast):
            said = phrase(f"fact_control_{change}")
            return phrase("fact_forecast", what=said) if is_forecast else said
        case _:
            assert_never(fact)


def phrases(facts: Iterable[Fact]) -> Phrase:
    """Return all `facts` in one phrase: "takes a box and keeps control"."""
    return phrase("listed", names=[phrase_of(fact) for fact in facts])


def reason(position: Position, move: Move) -> Phrase:
    """Return what speaks for `move`, as a phrase: the effect of it on boxes."""
    fact = next(facts_about_boxes(position, move))
    if isinstance(fact, Waits) and seats_in_play(position) != 2:
        fact = Waits(None)  # parity decides something between two only
    said = phrase_of(fact)
    is_least = isinstance(fact, Opens) and fact.gives <= min(sacrifices(position).values())
    return phrase("fact_least", what=said) if is_least else said


def _waits(room: int) -> Phrase:
    if room == 0:
        return phrase("fact_waits_last")
    return phrase("fact_waits_odd" if room % 2 else "fact_waits_even", n=room)
