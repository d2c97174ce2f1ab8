"""Facts about a move, in the field's words: it takes, declines, opens, waits, gives up control.

Each *fact* is a small value with a tag, so that programs can read it and clients can
word it in any language. Facts describe what happens on the board and not whether it was wise: for
that see `judging`, which knows what positions are worth.

Source: Elwyn Berlekamp, The Dots and Boxes Game (A K Peters, 2000), whose words these are.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from enum import StrEnum

import msgspec

from boxroom_engine.games.abilities import JsonFact
from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.theory.captures import captures, captures_after, neutral
from boxroom_engine.games.dots.theory.control import (
    Handout,
    control,
    double_dealing_moves,
    handouts,
    is_loony,
)
from boxroom_engine.games.dots.theory.endgame import is_endgame
from boxroom_engine.games.dots.theory.neutral import longest_neutral_run
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

    room: int | None
    """So many neutral moves can follow it at most, see `neutral.longest_neutral_run`. The
    player to move after the last of them opens a chain. None: it isn't told (see `review`)."""


class ChangesLongChains(_Fact, frozen=True, tag="changes_long_chains"):
    """There are more long chains after it than before, or fewer, by which control is decided."""

    by: int


class Change(StrEnum):
    """Effect of a move on control, for the seat that moves."""

    KEEPS = "keeps"
    GAINS = "gains"
    GIVES_UP = "gives_up"
    """It had control, and now the other seat has."""
    GIVES = "gives"
    """Neither seat could have control, and now the other has, by a long chain that was made."""


class ChangesControl(_Fact, frozen=True, tag="changes_control"):
    """It decides who is in control. To keep control is told only of double-dealing moves."""

    change: Change
    is_forecast: bool
    """Whether it can come differently because chains can still change: see `control.control`."""


_FOR_OTHER = (Change.GIVES, Change.GIVES_UP)
_FOR_ITSELF = (Change.GAINS,)

Fact = Takes | Declines | Leaves | Opens | Waits | ChangesLongChains | ChangesControl


def read_facts(objects: Iterable[JsonFact]) -> Iterator[Fact]:
    """Yield the facts in JSON `objects`; leave out those of a later version."""
    for each in objects:
        with suppress(msgspec.ValidationError):
            yield msgspec.convert(each, Fact)


def facts_of(position: Position, move: Move) -> tuple[Fact, ...]:
    """The facts about `move`, which can be played in `position`; at least one.

    Facts about control are only given while two seats are in play.
    """
    after = position.play(move)
    return (
        *facts_about_boxes(position, move),
        *_about_long_chains(position, after),
        *_about_control(position, after, deals=move in double_dealing_moves(position)),
    )


def seats_in_play(position: Position) -> int:
    """How many seats haven't withdrawn."""
    return position.game.seats - len(position.withdrawn)


def facts_about_boxes(position: Position, move: Move) -> Iterator[Fact]:
    """The facts about boxes that `move`, which can be played, takes or leaves; at least one."""
    after = position.play(move)
    if after.taken:
        yield Takes(len(after.taken))
        return
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
        yield Waits(len(longest_neutral_run(after)))
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


def _about_long_chains(position: Position, after: Position) -> Iterator[Fact]:
    """Of a move that joins or makes chains: neither what is opened nor what is taken counts."""
    parts, then = parts_of(position), parts_of(after)
    change = len(then.long_chains) - len(parts.long_chains)
    if change and not after.taken and len(then.opened) == len(parts.opened):
        yield ChangesLongChains(change)


def _about_control(position: Position, after: Position, *, deals: bool) -> Iterator[Fact]:
    if seats_in_play(position) != 2:
        return
    seat, before, then = position.to_move, control(position), control(after)
    if then is None or (then == before and not deals):
        return
    if before is None and is_loony(after):
        return  # a choice about two boxes, with nothing to be in control of
    if then == seat:
        change = Change.KEEPS if before == seat else Change.GAINS
    else:
        change = Change.GIVES if before is None else Change.GIVES_UP
    is_forecast = not is_endgame(after) and not is_loony(after)
    yield ChangesControl(change, is_forecast)


def facts_to_tell(position: Position, move: Move, is_good: bool | None) -> tuple[Fact, ...]:
    """Return the facts about `move` that explain its value, as far as it is known to be good.

    Control is a forecast as long as chains can change, and so is parity as long as there is a
    choice of neutral moves. A forecast that the value of the move contradicts is left out, and so
    is parity with more than two seats in play, where it decides nothing.
    """
    contradicted = {None: (), True: _FOR_OTHER, False: _FOR_ITSELF}[is_good]
    has_parity = seats_in_play(position) == 2
    told: list[Fact] = []
    for fact in facts_of(position, move):
        match fact:
            case Waits(int(room)) if not has_parity or (room % 2 == 1) == is_good:
                told.append(Waits(None))
            case ChangesControl(change, is_forecast=True) if change in contradicted:
                pass
            case _:
                told.append(fact)
    return tuple(told)
