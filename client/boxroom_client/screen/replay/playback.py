"""Where in a recorded game somebody is, and whether it goes on by itself. Pure.

Position 0 is before the first move, and position N after the Nth.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

PACES_S = (5.0, 2.0, 1.0, 0.5, 0.2, 0.1)
"""Seconds for each move while it plays, from slow to fast."""

_USUAL_PACE = 2
_MOST_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Reel:
    """A position among those of a game; every step gives another one that is within them."""

    last: int
    """The number of the last position."""
    at: int = 0
    plays: bool = False
    """Whether it goes on by itself."""
    pace: int = _USUAL_PACE
    """Which of `PACES_S`."""
    typed: str | None = None
    """The number of a move, as far as it is typed; None if nobody types one."""

    @property
    def pace_s(self) -> float:
        """Seconds for each move."""
        return PACES_S[self.pace]

    # Going somewhere

    def moved_to(self, at: int) -> "Reel":
        """At that position, or at the one of the two ends that is nearest to it."""
        return replace(self, at=max(0, min(at, self.last)), typed=None)

    def moved(self, by: int) -> "Reel":
        """So many moves on, or back if it is less than 0."""
        return self.moved_to(self.at + by)

    def after(self, stops: Sequence[int]) -> "Reel":
        """At the next of `stops`, which are in order; here if that was the last one."""
        number = bisect_right(stops, self.at)
        return self.moved_to(stops[number] if number < len(stops) else self.at)

    def before(self, stops: Sequence[int]) -> "Reel":
        """At the one of `stops` before this position; here if there is none."""
        number = bisect_left(stops, self.at)
        return self.moved_to(stops[number - 1] if number else self.at)

    # Going on by itself

    def toggled(self) -> "Reel":
        """Playing instead of paused, or the other way round; at the end, from the beginning."""
        at = 0 if not self.plays and self.at == self.last else self.at
        return replace(self, at=at, plays=not self.plays and self.last > 0)

    def paced(self, by: int) -> "Reel":
        """Faster by so many of `PACES_S`, or slower if it is less than 0."""
        return replace(self, pace=max(0, min(self.pace + by, len(PACES_S) - 1)))

    def played(self) -> "Reel":
        """A move later, because it is time; paused when that is the end.

        A number that is being typed stays.
        """
        on = replace(self.moved(1), typed=self.typed)
        return replace(on, plays=on.at < on.last)

    # The number of a move

    def asking(self) -> "Reel":
        """With the number of a move to be typed."""
        return replace(self, typed=self.typed or "")

    def typing(self, digit: str) -> "Reel":
        """With one more digit."""
        return replace(self, typed=f"{self.typed or ''}{digit}"[:_MOST_DIGITS])

    def erased(self) -> "Reel":
        """With one digit less; without any, nobody types any more."""
        return replace(self, typed=self.typed[:-1] if self.typed else None)

    def untyped(self) -> "Reel":
        """Without a number."""
        return replace(self, typed=None)

    def gone(self) -> "Reel":
        """At the position whose number was typed; here if none was."""
        return self.moved_to(int(self.typed)) if self.typed else self.untyped()
