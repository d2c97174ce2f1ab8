"""Words for facts about moves: the effect in plain words, with the field's name for it.

Each fact is a phrase that follows the name of the move or "it"; `glossary` explains the names.
"""

from collections.abc import Iterable
from typing import assert_never

from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.theory.captures import sacrifices
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
    facts_about_boxes,
    seats_in_play,
)
from boxroom_engine.games.protocol import Move
from boxroom_engine.wording import listed

_CONTROL = {
    Change.KEEPS: "still makes the other player open what is left (keeps control)",
    Change.GAINS: "makes the other player open the long chains (gains control)",
    Change.GIVES_UP: "lets the other player decide who opens the long chains (gives up control)",
    Change.GIVES: "lets the other player decide who opens the long chains (gives control)",
}

_NEUTRAL = "gives nothing away (neutral)"


def phrase(fact: Fact) -> str:
    """Return one fact as a phrase: "gives away 4 boxes (opens a loop of 4)"."""
    match fact:
        case Takes(boxes):
            return "takes a box" if boxes == 1 else f"takes {boxes} boxes with one line"
        case Declines(boxes):
            return (
                f"leaves {boxes} boxes so that the other player takes them and must move again"
                " (a double-dealing move)"
            )
        case Leaves(boxes):
            return f"leaves {'a box' if boxes == 1 else f'{boxes} boxes'} that could be taken"
        case Opens():
            return _opens(fact)
        case Waits(room):
            return _NEUTRAL if room is None else _waits(room)
        case ChangesLongChains(by):
            return _changes_long_chains(by)
        case ChangesControl(change, is_forecast):
            return _CONTROL[change] + (" as the chains stand" if is_forecast else "")
        case _:
            assert_never(fact)


def phrases(facts: Iterable[Fact]) -> str:
    """Return all `facts` in one phrase: "takes a box and keeps control"."""
    return listed(map(phrase, facts))


def reason(position: Position, move: Move) -> str:
    """Return what speaks for `move`, as a phrase: the effect of it on boxes."""
    fact = next(facts_about_boxes(position, move))
    if isinstance(fact, Waits) and seats_in_play(position) != 2:
        fact = Waits(None)  # parity decides something between two only
    is_least = isinstance(fact, Opens) and fact.gives <= min(sacrifices(position).values())
    return f"{phrase(fact)}{', as few as any move does' if is_least else ''}"


def _opens(fact: Opens) -> str:
    boxes = "a box" if fact.gives == 1 else f"{fact.gives} boxes"
    match fact.handout:
        case None:
            name = f"opens a {fact.shape.value} of {fact.length}"
        case Handout.SINGLE:
            name = "a handout"
        case Handout.HALF_HEARTED | Handout.HARD_HEARTED:
            name = f"a {fact.handout.value} handout"
        case _:
            assert_never(fact.handout)
    meanwhile = " while there were moves that give none" if fact.had_neutral else ""
    return f"gives away {boxes}{meanwhile} ({name})"


def _waits(room: int) -> str:
    opener = "the same player" if room % 2 else "the other player"
    many = "one such move" if room == 1 else f"{room} such moves"
    left = f"leaves room for {many} at most" if room else "is the last such move"
    return (
        f"gives nothing away and {left}, after which {opener} has to open a chain (neutral; parity)"
    )


def _changes_long_chains(by: int) -> str:
    many = "a chain of three boxes or more" if by == 1 else f"{by} chains of three boxes or more"
    fewer = "a chain less" if by == -1 else f"{-by} chains less"
    if by > 0:
        return f"makes {many} ({'a long chain' if by == 1 else 'long chains'})"
    return f"leaves {fewer} of three boxes or more (long chains)"
