"""Findings of a review as sentences, the same ones as on the page (`review.js`)."""

from collections.abc import Collection, Sequence
from typing import Any

from boxroom_common.phrases import say
from boxroom_engine.games.abilities import JsonFact, MoveFacts
from boxroom_engine.games.protocol import Seat
from boxroom_engine.phrases import Value, phrase
from boxroom_engine.review.review import Finding, Review


def finding_in_short(finding: Finding, name: str | None) -> str:
    """Return a finding about the player called `name`, or about the reader, in one sentence."""
    lost: Value = f"{finding.lost:.0f}"
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


def loss_key(review: Review, decisive: Finding, winners: Collection[Seat]) -> str:
    """Return the key of what a player did by the decisive move, in a game that `winners` won."""
    if decisive.number != review.turning_point:
        return "lost_most"
    return "lost_win" if decisive.seat in winners else "lost_game"


def finding_sentences(finding: Finding, key: str, name: str | None, facts: MoveFacts[Any]) -> str:
    """Return a finding with its reasons, by the key of the loss.

    It is about the player called `name`, or about the reader. `facts` are those of the game.
    """

    def why(found: Sequence[JsonFact]) -> Value:
        known = tuple(facts.read(found))  # without those of a newer server
        return phrase("finding_why", facts=facts.words(known)) if known else ""

    return say(
        f"{key}_you" if name is None else key,
        name=name or "",
        number=finding.number,
        move=finding.move,
        why=why(finding.facts),
        better=finding.better,
        better_why=why(finding.better_facts),
    )
