"""Reviews and judgements in words, the same ones as on the page (`review.js`)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from boxroom_common.phrases import say
from boxroom_engine.bots.levels import called
from boxroom_engine.games.abilities import MoveFacts
from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.games.registry import kind_of
from boxroom_engine.phrases import Phrase, Value, phrase
from boxroom_engine.review.position import JudgedPosition
from boxroom_engine.review.review import Effect, Finding, Review
from boxroom_engine.room.room import Room

MOST_EXPLAINED = 3
"""Findings that are explained at once; the others are told if they are asked for."""

MOST_BEST = 6
"""Best moves that are named; of others the number is told."""

_WITH_RESULT = (Effect.LOST_GAME, Effect.LOST_WIN, Effect.LOST_RESULT)


def explained(review: Review, seats: Collection[Seat]) -> tuple[Finding, ...]:
    """Return the findings about `seats` that are explained at once: those that mattered most."""
    matter = (each for each in review.of(seats) if each.effect is not Effect.LOST_ANYWAY)
    return tuple(islice(matter, MOST_EXPLAINED))


def review_in_words(review: Review, room: Room, me: str, *, every: bool) -> Iterator[str]:
    """Yield the review for the player `me` of the game, or a spectator; all if `every`."""
    mine = room.seats_of(me)
    first = room.opening + 1
    if review.behind in mine:
        early = review.first_judged > first
        yield say("review_behind" if early else "review_behind_start", n=review.first_judged)
    if room.opening:
        yield say("event.opening", n=room.opening)
    if review.first_judged > first:
        last = review.first_judged - 1
        yield say("review_early", n=last - room.opening, first=first, last=last)
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
        yield say("review_more" if told else "advice.review_anyway", n=len(rest))
    elif not told:
        yield say("review_none_mine" if mine else "review_none")
    if told:
        yield say("advice.explain")


def judgement_in_words(
    judged: JudgedPosition, position: State, number: int, room: Room, me: str
) -> Iterator[str]:
    """Yield the judgement of `position`, before the move with that number, for `me` in `room`."""
    mine, moves = room.seats_of(me), judged.best[:MOST_BEST]
    if len(judged.best) == len(position.legal_moves()) > 1:
        best = say("terminal.judged.all", number=number)
    elif rest := len(judged.best) - len(moves):
        best = say("judged_best_more", number=number, moves=", ".join(moves), n=rest)
    else:
        best = say("judged_best", number=number, moves=[*moves])
    yield " ".join((best, *_result(judged, position, room, mine)))
    if judged.finding is not None:
        name = _name(judged.finding, room, mine)
        yield _judged_move(judged.finding, name, kind_of(room.settings.game).abilities.facts)
    elif judged.move is not None and judged.lost is not None:
        yield say("judged_good", move=judged.move)
    yield from _losses(judged, position)


def _result(
    judged: JudgedPosition, position: State, room: Room, mine: Sequence[Seat]
) -> Iterator[str]:
    """Yield by how much best play wins, if that is known."""
    if not judged.exact:
        return
    seat, other = judged.seat, 1 - judged.seat
    margin = position.scores[seat] - position.scores[other] + round(judged.value)
    winner = seat if margin > 0 else other
    by = phrase("fact_gives", n=abs(margin))
    if not margin:
        yield say("judged_draw")
    elif tuple(mine) == (winner,):
        yield say("judged_wins.you", by=by)
    else:
        yield say("judged_wins.name", name=called(room.players[winner]), by=by)


def _judged_move(finding: Finding, name: str | None, facts: MoveFacts[Any]) -> str:
    """Return the cost of a move with its reasons, whether it was played or not."""
    return _with_reasons(finding, name, facts, "judged_costs", {"lost": _boxes_lost(finding)})


def _losses(judged: JudgedPosition, position: State) -> Iterator[str]:
    """Yield the moves by the boxes that they lose, and those of which that isn't known."""
    if not judged.losses:
        return
    for lost in sorted({*judged.losses.values()}):
        moves = ", ".join(move for move, loss in judged.losses.items() if loss == lost)
        key = "terminal.judged.loss" if lost else "terminal.judged.loss_none"
        yield say(key, n=round(lost / 2), moves=moves)
    names = map(position.game.format_move, position.legal_moves())
    if unknown := ", ".join(name for name in names if name not in judged.losses):
        yield say("terminal.judged.loss_unknown", moves=unknown)


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
    return say(
        "finding_you" if name is None else "finding",
        name=name or "",
        number=finding.number,
        lost=_boxes_lost(finding),
        move=finding.move,
        better=finding.better,
    )


def finding_sentences(finding: Finding, name: str | None, facts: MoveFacts[Any]) -> str:
    """Return a finding with its reasons and what best play leads to.

    It is about the player called `name`, or about the reader. `facts` are those of the game.
    """
    effect = finding.effect if finding.effect in _WITH_RESULT else Effect.LOST_BOXES
    key = f"{effect}_you" if name is None else effect
    about: dict[str, Value] = {"name": name or "", "number": finding.number}
    return _with_reasons(finding, name, facts, key, about)


def _boxes_lost(finding: Finding) -> Phrase:
    lost = phrase("fact_gives", n=round(finding.lost / 2))  # a box less is one more for the other
    return lost if finding.exact else phrase("about", what=lost)


def _with_reasons(
    finding: Finding,
    name: str | None,
    facts: MoveFacts[Any],
    key: str,
    values: Mapping[str, Value],
) -> str:
    """Return the phrase `key` about a finding, with its `values`, and what best play leads to."""
    known = tuple(facts.read(finding.facts))  # without those of a newer server
    known_better = tuple(facts.read(finding.better_facts))
    return " ".join(
        (
            say(
                key,
                **values,
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
