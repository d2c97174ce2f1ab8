"""A review in words, the same ones as on the page (`review.js`)."""

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Any

from boxroom_common.phrases import say
from boxroom_engine.bots.levels import called
from boxroom_engine.games.abilities import MoveFacts
from boxroom_engine.games.protocol import Seat
from boxroom_engine.games.registry import kind_of
from boxroom_engine.phrases import Phrase, Value, phrase
from boxroom_engine.review.review import Effect, Finding, Review
from boxroom_engine.room.room import Room

MOST_EXPLAINED = 3
"""Findings that are explained at once; the others are told if they are asked for."""

_WITH_RESULT = (Effect.LOST_GAME, Effect.LOST_WIN, Effect.LOST_RESULT)


def explained(review: Review, seats: Collection[Seat]) -> tuple[Finding, ...]:
    """Return the findings about `seats` that are explained at once: those that mattered most."""
    matter = (each for each in review.of(seats) if each.effect is not Effect.LOST_ANYWAY)
    return tuple(islice(matter, MOST_EXPLAINED))


def review_in_words(review: Review, room: Room, me: str, *, every: bool) -> Iterator[str]:
    """Yield the review for the player `me` of the game, or a spectator; all if `every`."""
    mine = room.seats_of(me)
    if review.behind in mine:
        early = review.first_judged > 1
        yield say("review_behind" if early else "review_behind_start", n=review.first_judged)
    if review.first_judged > 1:
        yield say("review_early", n=review.first_judged - 1)
    seats = mine or tuple(map(Seat, range(len(room.seats))))
    told = explained(review, seats)
    facts = kind_of(room.settings.game).abilities.facts
    for finding in told:
        name = _name(finding, room, mine)
        sentences = finding_sentences(finding, name, facts)
        yield f"{_rank(review, finding, name, seats)}{sentences}"
    rest = [each for each in review.of(seats) if each not in told]
    if every:
        yield from (finding_in_short(each, _name(each, room, mine)) for each in rest)
    elif rest:
        yield say("review_more", n=len(rest))
    elif not told:
        yield say("review_none_mine" if mine else "review_none")
    if told:
        yield say("advice.explain")


def _rank(review: Review, finding: Finding, name: str | None, seats: Collection[Seat]) -> str:
    """Return that the game turned with a move, or that of all it cost most; "" if neither is so."""
    if finding.effect in (Effect.LOST_GAME, Effect.LOST_WIN):
        return f"{say('finding_turned')} "
    others = (each.lost for each in review.of(seats) if each.number != finding.number)
    if finding.lost <= max(others, default=0.0):
        return ""
    return f"{say('finding_most_you' if name is None else 'finding_most')} "


def _name(finding: Finding, room: Room, mine: Sequence[Seat]) -> str | None:
    """Return the name of the player that it is about; None if that is the reader."""
    return None if tuple(mine) == (finding.seat,) else called(room.players[finding.seat])


def finding_in_short(finding: Finding, name: str | None) -> str:
    """Return a finding about the player called `name`, or about the reader, in one sentence."""
    lost = phrase("fact_gives", n=round(finding.lost / 2))  # a box less is one more for the other
    if not finding.exact:
        lost = phrase("about", what=lost)
    return say(
        "finding_you" if name is None else "finding",
        name=name or "",
        number=finding.number,
        lost=lost,
        move=finding.move,
        better=finding.better,
    )


def finding_sentences(finding: Finding, name: str | None, facts: MoveFacts[Any]) -> str:
    """Return a finding with its reasons and what best play leads to.

    It is about the player called `name`, or about the reader. `facts` are those of the game.
    """
    key = finding.effect if finding.effect in _WITH_RESULT else Effect.LOST_BOXES
    known = tuple(facts.read(finding.facts))  # without those of a newer server
    known_better = tuple(facts.read(finding.better_facts))
    return " ".join(
        (
            say(
                f"{key}_you" if name is None else key,
                name=name or "",
                number=finding.number,
                move=finding.move,
                why=_why(facts.effect(known)),
                better=finding.better,
                better_why=_why(facts.effect(known_better)),
            ),
            *_after(finding.move, facts.outlook(known, name)),
            *_after(finding.better, facts.outlook(known_better, name)),
        )
    )


def _why(effect: Phrase | None) -> Value:
    return "" if effect is None else phrase("finding_why", facts=effect)


def _after(move: str, outlook: Phrase | None) -> Iterator[str]:
    if outlook is not None:
        yield say("finding_after", move=move, outlook=outlook)
