"""The effect of a move in plain words, with the field's name for it: what it means comes first.

Each fact is a phrase that follows the name of the move or "it"; `glossary` explains the names.
"""

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
    facts_of,
    seats_in_play,
)
from boxroom_engine.games.dots.theory.judging import JudgedMove
from boxroom_engine.games.protocol import Move
from boxroom_engine.wording import listed

_CONTROL = {
    Change.KEEPS: "still makes the other player open what is left (keeps control)",
    Change.GAINS: "makes the other player open the long chains (gains control)",
    Change.GIVES_UP: "lets the other player decide who opens the long chains (gives up control)",
    Change.GIVES: "lets the other player decide who opens the long chains (gives control)",
}

_NEUTRAL = "gives nothing away (neutral)"
_FOR_OTHER = (Change.GIVES, Change.GIVES_UP)
_FOR_ITSELF = (Change.GAINS,)


def facts_text(facts: Iterable[Fact]) -> str:
    """Return all `facts` in one phrase: "takes a box and keeps control"."""
    return listed(map(phrase, facts))


def phrase(fact: Fact, seats: int = 2) -> str:
    """Return one fact as a phrase: "gives away 4 boxes (opens a loop of 4)".

    Parity decides something between two only, so it isn't told with more `seats` in play.
    """
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
            return _waits(room) if seats == 2 else _NEUTRAL
        case ChangesLongChains(by):
            return _changes_long_chains(by)
        case ChangesControl(change, is_forecast):
            return _CONTROL[change] + (" as the chains stand" if is_forecast else "")
        case _:
            assert_never(fact)


def advice(move: JudgedMove) -> Move:
    """Return one of the better moves than this costly one.

    It is the first of those whose facts differ, or the first of all if none do.
    """
    facts = facts_of(move.before, move.move)
    differ = (each for each in move.better if facts_of(move.before, each) != facts)
    return next(differ, move.better[0])


def effect_of(judged: JudgedMove, move: Move) -> str:
    """Return the effect of `move`, the judged one or a better one, in one phrase.

    Control is a forecast as long as chains can change, and so is parity as long as there is a
    choice of neutral moves. A forecast that the value of the move contradicts is left out.
    """
    is_good = move != judged.move or not judged.is_costly
    is_judged = judged.lost is not None
    phrases = []
    for fact in facts_of(judged.before, move):
        match fact:
            case Waits(room) if is_judged and (room % 2 == 1) == is_good:
                phrases.append(_NEUTRAL)
            case ChangesControl(change, is_forecast=True) if is_judged and (
                change in (_FOR_OTHER if is_good else _FOR_ITSELF)
            ):
                pass
            case _:
                phrases.append(phrase(fact, seats_in_play(judged.before)))
    return listed(phrases)


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
