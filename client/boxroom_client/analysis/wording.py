"""Facts about a move in English: one phrase for each fact, to follow the name of the move."""

from collections.abc import Iterable
from typing import assert_never

from boxroom_engine.games.dots.theory.control import Handout
from boxroom_engine.games.dots.theory.facts import (
    Change,
    ChangesControl,
    ChangesLongChains,
    Declines,
    Fact,
    Leaves,
    Opens,
    Takes,
    Waits,
)
from boxroom_engine.wording import listed

_CONTROL = {
    Change.KEEPS: "keeps control",
    Change.GAINS: "gains control",
    Change.GIVES_UP: "gives up control",
    Change.GIVES: "gives control to the other player",
}


def facts_text(facts: Iterable[Fact]) -> str:
    """Return all `facts` in one phrase: "opens a loop of 4 and gives up control"."""
    return listed(map(phrase, facts))


def phrase(fact: Fact) -> str:
    """Return one fact as a phrase: "opens a loop of 4"."""
    match fact:
        case Takes(boxes):
            return "takes a box" if boxes == 1 else f"takes {boxes} boxes with one line"
        case Declines(boxes):
            return f"declines {boxes} boxes with a double-dealing move"
        case Leaves(boxes):
            return f"leaves {'a box' if boxes == 1 else f'{boxes} boxes'} on offer"
        case Opens():
            return _opens(fact)
        case Waits(room):
            return f"is neutral with room for {room} more" if room else "is the last neutral move"
        case ChangesLongChains(by):
            return _changes_long_chains(by)
        case ChangesControl(change, is_forecast):
            return _CONTROL[change] + (" as the chains stand" if is_forecast else "")
        case _:
            assert_never(fact)


def _opens(fact: Opens) -> str:
    match fact.handout:
        case None:
            what = f"opens a {fact.shape.value} of {fact.length}"
        case Handout.SINGLE:
            what = "hands out a box"
        case Handout.HALF_HEARTED | Handout.HARD_HEARTED:
            what = f"hands out 2 boxes {fact.handout.value}ly"
        case _:
            assert_never(fact.handout)
    more = f" with {fact.gives - fact.length} more behind" if fact.gives > fact.length else ""
    meanwhile = " while neutral moves are left" if fact.had_neutral else ""
    return f"{what}{more}{meanwhile}"


def _changes_long_chains(by: int) -> str:
    many = "a long chain" if by == 1 else f"{by} long chains"
    fewer = "one long chain" if by == -1 else f"{-by} long chains"
    return f"makes {many}" if by > 0 else f"leaves {fewer} fewer"
