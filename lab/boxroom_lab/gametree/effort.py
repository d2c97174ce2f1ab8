"""The limits of a search."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from boxroom_engine.stopping import Stop, never

DEFAULT_MEMORY_MIB = 512
MOST_MEMORY_MIB = 1 << 20
_MIB = 1 << 20

_FILLED_IN_S = 64 << 20
"""Bytes of tables that a second of search can fill. A larger table would only cost the time in
which the system hands it out."""


@dataclass(frozen=True)
class Effort:
    """The limits of a search, and the place where it shows its progress."""

    limit_s: float | None = None
    """Seconds for the whole answer, from `began_s` on; None: as long as it takes."""
    memory_mib: int = DEFAULT_MEMORY_MIB
    """Memory for what the search learns."""
    is_interrupted: Callable[[], bool] = never
    """Returns True once the user wants what is known by then."""
    show: Callable[[str], None] | None = None
    """Shows a line about the progress; None if it would be shown nowhere."""
    began_s: float = field(default_factory=time.monotonic)

    @property
    def memory_bytes(self) -> int:
        """Memory for what the search learns: no more than it can fill in its time."""
        most = self.memory_mib * _MIB
        return most if self.limit_s is None else min(most, int(_FILLED_IN_S * (1 + self.limit_s)))

    @property
    def elapsed_s(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self.began_s

    def left_s(self, part: float) -> float:
        """Return the seconds that are left of that part of the time."""
        return math.inf if self.limit_s is None else self.limit_s * part - self.elapsed_s

    def stop(self, part: float, progress: Callable[[], str]) -> Stop:
        """Return a stop condition, met after that part of the time or when interrupted.

        Each time it is asked it shows `progress`.
        """

        def stop() -> bool:
            if self.show is not None:
                self.show(f"{self.elapsed_s:.0f} s, {progress()}")
            return self.left_s(part) <= 0 or self.is_interrupted()

        return stop


def stop_after(seconds: float | None) -> Stop:
    """Return a stop condition that is met after `seconds`; without a limit it never is."""
    if seconds is None:
        return never
    until_s = time.monotonic() + seconds
    return lambda: time.monotonic() >= until_s
