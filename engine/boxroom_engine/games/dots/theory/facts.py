"""Facts about a move, in the field's words: it takes, declines, opens, waits, and what follows.

Each *fact* is a small value with a tag, so that programs can read it and clients can
word it in any language. Most describe what happens on the board at once (`facts_of`); two describe
what best play leads to after the move (see `solve.best_play`). None says whether it was wise: for
that see `judging`, which knows what positions are worth.

Source: Elwyn Berlekamp, The Dots and Boxes Game (A K Peters, 2000), whose words these are.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from boxroom_engine.games.abilities import JsonFact
from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.theory.captures import captures, captures_after, neutral
from boxroom_engine.games.dots.theory.control import Handout, handouts
from boxroom_engine.games.dots.theory.strings import Chain, Loop, parts_of
from boxroom_engine.games.protocol import Move


class _Fact(msgspec.Struct, frozen=True, tag_field="fact"):
    pass


class Takes(_Fact, frozen=True, tag="takes"):
    """It completes boxes, and the same seat moves again."""

    boxes: int
    """1, or 2 at once."""


class Declines(_Fact, frozen=True, tag="declines"):
    """It is a double-dealing move."""

    boxes: int
    """So many could be taken and are left in pairs: 2, or 4 of a loop."""


class Leaves(_Fact, frozen=True, tag="leaves"):
    """It ends the turn although there are boxes on offer, besides those that it declines."""

    boxes: int
    """So many could be taken in a row."""


class Shape(StrEnum):
    """Kind of string that is opened."""

    CHAIN = "chain"
    LOOP = "loop"


class Opens(_Fact, frozen=True, tag="opens"):
    """It gives a chain or a loop to the next player, as every move in one does."""

    shape: Shape
    length: int
    """In boxes."""
    gives: int
    """So many boxes the next player can take in a row because of it: `length`, or more where
    taking these lays a joint open."""
    handout: Handout | None
    """Name of the gift if it is a chain of one or two."""
    had_neutral: bool
    """Whether there were neutral moves to play instead."""


class Waits(_Fact, frozen=True, tag="waits"):
    """It is neutral: it takes nothing and gives nothing."""


class FirstOpened(_Fact, frozen=True, tag="first_opened"):
    """The first long chain or loop that is opened later, if both play best."""

    by_mover: bool
    """True if the player of the move opens it, False if the other one does."""
    shape: Shape | None
    """None: a chain in some best lines, a loop in others."""
    boxes: int | None
    """Its length; None if that differs."""
    always: bool = True
    """Whether the same player opens it in all best lines; else this is one of them."""


class Gets(_Fact, frozen=True, tag="gets"):
    """Boxes of both players from the move on, those that it takes included, by best play."""

    own: int
    """Those of the player of the move."""
    others: int


AtOnce = Takes | Declines | Leaves | Opens | Waits
"""Effect of a move on the board."""

Fact = AtOnce | FirstOpened | Gets


def read_facts(objects: Iterable[JsonFact]) -> Iterator[Fact]:
    """Yield the facts in JSON `objects`; leave out those of a later version."""
    for each in objects:
        with suppress(msgspec.ValidationError):
            yield msgspec.convert(each, Fact)


def seats_in_play(position: Position) -> int:
    """How many seats haven't withdrawn."""
    return position.game.seats - len(position.withdrawn)


def facts_of(position: Position, move: Move) -> tuple[AtOnce, ...]:
    """The facts about `move`, which can be played in `position`, at once; at least one."""
    after = position.play(move)
    return (Takes(len(after.taken)),) if after.taken else tuple(_of_quiet(position, move))


def _of_quiet(position: Position, move: Move) -> Iterator[AtOnce]:
    """Yield the facts about a move that takes nothing."""
    on_offer = len(captures(position))
    parts = parts_of(position)
    declined = 0
    for opened in parts.opened:
        if opened.double_dealing == (move,):
            declined = opened.length
            yield Declines(declined)
    if on_offer > declined:
        yield Leaves(on_offer - declined)
    if not on_offer and move in parts.neutral:
        yield Waits()
    unopened: tuple[Chain | Loop, ...] = (*parts.chains, *parts.loops)
    for string in unopened:
        if move in string.edges:
            opening = _opening(position, move, string, on_offer)
            if opening.gives:  # else its boxes could be taken after those on offer anyway
                yield opening


def _opening(position: Position, move: Move, string: Chain | Loop, on_offer: int) -> Opens:
    return Opens(
        shape=Shape.CHAIN if isinstance(string, Chain) else Shape.LOOP,
        length=string.length,
        gives=captures_after(position.game.grid, position.edges, move) - on_offer,
        handout=handouts(position).get(move),
        had_neutral=bool(neutral(position)),
    )


def given(facts: Iterable[Fact]) -> int:
    """Return the boxes that the next player can take because of a move with these facts.

    Those that it declines are left out: they are the price of control.
    """
    boxes = 0
    for fact in facts:
        match fact:
            case Opens(gives=gives):
                boxes += gives
            case Leaves(boxes=left):
                boxes += left
            case _:
                pass
    return boxes


def contrast(
    facts: Sequence[Fact], better_facts: Sequence[Fact]
) -> tuple[tuple[Fact, ...], tuple[Fact, ...]]:
    """Return the facts that tell a costly move from a better one, of each.

    To be safe is no fault, and to open a string early is one only if the better move is safe.
    """
    is_early = any(isinstance(each, Waits) for each in better_facts)
    own = [_without_fault(each, keep=is_early) for each in facts]
    better = [_without_fault(each, keep=False) for each in better_facts]
    same = {*map(_as_if_always, own)} & {*map(_as_if_always, better)}
    told = (each for each in own if not isinstance(each, Waits))
    return _all_but(same, told), _all_but(same, better)


def _all_but(same: Collection[Fact], facts: Iterable[Fact]) -> tuple[Fact, ...]:
    return tuple(each for each in facts if _as_if_always(each) not in same)


def _as_if_always(fact: Fact) -> Fact:
    return replace(fact, always=True) if isinstance(fact, FirstOpened) else fact


def _without_fault(fact: Fact, *, keep: bool) -> Fact:
    if isinstance(fact, Opens) and not keep:
        return replace(fact, had_neutral=False)
    return fact
