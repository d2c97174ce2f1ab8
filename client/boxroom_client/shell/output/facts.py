"""Findings of a review as sentences."""

from collections.abc import Collection

from boxroom_engine.games.dots.theory.review import Finding, Review
from boxroom_engine.games.dots.theory.words import phrases
from boxroom_engine.games.protocol import Seat


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


def finding_sentences(finding: Finding, lead: str) -> str:
    """Return a finding of a review after `lead`, such as "You lost the game with"."""
    return (
        f"{lead} {finding.move}, move {finding.number}: it {phrases(finding.facts)}."
        f" {finding.better} was better: it {phrases(finding.better_facts)}."
    )
