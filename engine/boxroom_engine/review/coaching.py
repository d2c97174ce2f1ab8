"""A coach's words: about a move that changed who wins, and about the whole game when it is over."""

from collections import Counter
from typing import Any

import msgspec

from boxroom_engine.games.abilities import JsonFact, Judge, MoveFacts
from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.phrases import Phrase, Value, phrase
from boxroom_engine.review.mistakes import missed_themes, mistakes_of
from boxroom_engine.review.position import JudgedPosition
from boxroom_engine.review.review import Effect, Reviewing


class CoachWords(msgspec.Struct, frozen=True):
    """A coach's words about a move or a finished game."""

    said: Phrase
    """Of a game one thing that went well, and one to practise."""
    move: str | None = None
    """The move that they are about; None after a game."""
    theme: str | None = None
    """Theme to practise; None if the coach knows none."""


def remark(position: State, judged: JudgedPosition) -> CoachWords | None:
    """Return the words about a move in `position`, as `judged`; None if it doesn't change who wins.

    Two play. Estimates don't count.
    """
    finding = judged.finding
    if finding is None or finding.effect is not Effect.LOST_RESULT:
        return None
    lead = position.scores[finding.seat] - position.scores[1 - finding.seat]
    facts = position.game.kind.abilities.facts
    said = phrase(
        "coach.win" if lead + judged.value > 0 else "coach.draw",
        move=finding.move,
        why=_why(facts, finding.facts),
        better=finding.better,
        better_why=_why(facts, finding.better_facts),
    )
    return CoachWords(said, move=finding.move)


def _why(facts: MoveFacts[Any], told: tuple[JsonFact, ...]) -> Value:
    effect = facts.effect(facts.read(told))
    return "" if effect is None else phrase("finding_why", facts=effect)


def coached_game(reviewing: Reviewing, seat: Seat, judge: Judge) -> CoachWords:
    """Return what went well for `seat`, and what to practise, by a review that is done."""
    missed = missed_themes([mistakes_of(reviewing, seat)])
    practise = missed[0].theme if missed else None
    found = _found_themes(reviewing, seat, judge)
    well = max(found.keys() - {practise}, key=lambda theme: (found[theme], theme), default=None)
    said = phrase(
        "coach.end", well=_about("coach.well", well), next=_about("coach.practise", practise)
    )
    return CoachWords(said, theme=practise)


def _found_themes(reviewing: Reviewing, seat: Seat, judge: Judge) -> Counter[str]:
    """Return how often `seat` found the idea of a position, by themes."""
    found = Counter[str]()
    for move in reviewing.judged.moves:
        is_best = move.seat == seat and move.exact and move.lost == 0
        best = judge.best_moves(move.before) if is_best else ()
        if best and (theme := move.before.game.kind.abilities.facts.theme(move.before, best)):
            found[theme] += 1
    return found


def _about(key: str, theme: str | None) -> Phrase:
    if theme is None:
        return phrase(f"{key}.none")
    return phrase(key, theme=phrase(f"puzzle.theme.{theme}"))
