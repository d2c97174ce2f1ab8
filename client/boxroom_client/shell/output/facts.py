"""Findings of a review as sentences."""

from collections.abc import Collection, Sequence
from typing import Any

from boxroom_engine.games.abilities import JsonFact, MoveFacts
from boxroom_engine.games.protocol import Seat
from boxroom_engine.review.review import Finding, Review


def finding_in_short(finding: Finding, who: str) -> str:
    """Return a finding of a review in one short sentence about `who`."""
    about = "" if finding.exact else "about "
    lost = f"{about}{finding.lost:.0f} of the margin"
    return (
        f"Move {finding.number}: {who} lost {lost} with {finding.move};"
        f" {finding.better} was better."
    )


def loss_in_words(review: Review, decisive: Finding, winners: Collection[Seat]) -> str:
    """Return what the player of a decisive move did by it, in a game that `winners` have won."""
    if decisive.number != review.turning_point:
        return "lost most"
    return "turned a win into a draw" if decisive.seat in winners else "lost the game"


def finding_sentences(finding: Finding, lead: str, facts: MoveFacts[Any]) -> str:
    """Return a finding of a review after `lead`, such as "You lost the game with".

    `facts` are those of the game.
    """

    def effect(found: Sequence[JsonFact]) -> str:
        known = tuple(facts.read(found))  # without those of a newer server
        return f": it {facts.words(known)}" if known else ""

    return (
        f"{lead} {finding.move}, move {finding.number}{effect(finding.facts)}."
        f" {finding.better} was better{effect(finding.better_facts)}."
    )
