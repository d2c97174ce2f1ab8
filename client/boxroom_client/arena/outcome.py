"""A run as it is reported: the contest, what came of it, and how it went."""

from dataclasses import dataclass

from boxroom_engine.arena.contest import Contest
from boxroom_engine.arena.summary import Summary


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that the text and the JSON object are made of."""

    contest: Contest
    summary: Summary
    jobs: int
    seconds: float
    version: str

    @property
    def is_whole(self) -> bool:
        """Whether all games were played."""
        return self.summary.games == self.contest.total
