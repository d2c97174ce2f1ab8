"""The state of a replay: its position in the game, and automatic playback. Pure.

Position 0 is before the first move, and position N after the Nth.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

PACES_S = (5.0, 2.0, 1.0, 0.5, 0.2, 0.1)
"""Seconds for each move during playback, from slow to fast."""

_DEFAULT_PACE = 2
_MOST_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Playback:
    """A position among those of a game; each method returns another state within the game."""

    last: int
    """The number of the last position."""
    at: int = 0
    plays: bool = False
    """Whether it goes on automatically."""
    pace: int = _DEFAULT_PACE
    """Index of the pace in `PACES_S`."""
    typed: str | None = None
    """Digits of a move's number that is being typed; None if none is."""

    @property
    def pace_s(self) -> float:
        """Seconds for each move."""
        return PACES_S[self.pace]

    # Moves

    def moved_to(self, at: int) -> "Playback":
        """Return it at that position, or at the nearest end."""
        return replace(self, at=max(0, min(at, self.last)), typed=None)

    def moved(self, by: int) -> "Playback":
        """Return it so many moves further, or back if negative."""
        return self.moved_to(self.at + by)

    def after(self, stops: Sequence[int]) -> "Playback":
        """Return it at the next of `stops`, which are in order; unchanged after the last one."""
        number = bisect_right(stops, self.at)
        return self.moved_to(stops[number] if number < len(stops) else self.at)

    def before(self, stops: Sequence[int]) -> "Playback":
        """Return it at the stop before this position; unchanged before the first one."""
        number = bisect_left(stops, self.at)
        return self.moved_to(stops[number - 1] if number else self.at)

    # Automatic playback

    def toggled(self) -> "Playback":
        """Return it playing instead of paused, or paused; at the end, play from the beginning."""
        at = 0 if not self.plays and self.at == self.last else self.at
        return replace(self, at=at, plays=not self.plays and self.last > 0)

    def paced(self, by: int) -> "Playback":
        """Return it faster by so many of `PACES_S`, or slower if negative."""
        return replace(self, pace=max(0, min(self.pace + by, len(PACES_S) - 1)))

    def played(self) -> "Playback":
        """Return it after the next move of the playback; paused at the end.

        A number that is being typed stays.
        """
        on = replace(self.moved(1), typed=self.typed)
        return replace(on, plays=on.at < on.last)

    # The number of a move

    def asking(self) -> "Playback":
        """Return it waiting for the number of a move."""
        return replace(self, typed=self.typed or "")

    def typing(self, digit: str) -> "Playback":
        """Return it with one more digit."""
        return replace(self, typed=f"{self.typed or ''}{digit}"[:_MOST_DIGITS])

    def erased(self) -> "Playback":
        """Return it with the last digit deleted; without any digit, stop waiting for a number."""
        return replace(self, typed=self.typed[:-1] if self.typed else None)

    def untyped(self) -> "Playback":
        """Return it without a typed number."""
        return replace(self, typed=None)

    def at_typed(self) -> "Playback":
        """Return it at the position whose number was typed; unchanged if none was."""
        return self.moved_to(int(self.typed)) if self.typed else self.untyped()
