"""The end of a search, which its caller sets: a deadline, and a flag in memory.

The kernel looks at both while it runs without the interpreter, so they aren't a function.
"""

import math
from array import array
from collections.abc import Callable
from typing import Self

Stop = Callable[[], bool]
"""Function that a search in Python calls from time to time: True ends it."""


def _forever() -> float:
    return math.inf


class StopToken:
    """Ends a search when its time is up, or once `set` was called, also by another thread.

    Called as a function it is a `Stop`.
    """

    def __init__(self, left_s: Callable[[], float] = _forever) -> None:
        self.left_s = left_s
        """Returns the seconds until the search has to end, by the clock of the caller.

        The kernel asks once, when it begins.
        """
        self.signals = array("q", (0, 0))
        """The flag, which isn't 0 once it is set, and `nodes`."""

    def __call__(self) -> bool:
        """Return whether to end the search."""
        return self.signals[0] != 0 or self.left_s() <= 0

    @property
    def nodes(self) -> int:
        """Number of positions, or playouts, of the search that ran last, or is running."""
        return self.signals[1]

    def is_met(self, nodes: int) -> bool:
        """Note the number of positions so far, and return whether to end the search."""
        self.signals[1] = nodes
        return self()

    def set(self) -> None:
        """End the search as soon as possible."""
        self.signals[0] = 1

    def within(self, left_s: Callable[[], float]) -> Self:
        """A token with the same flag that also ends a search when `left_s` returns 0 or less."""
        sooner = type(self)(lambda: min(left_s(), self.left_s()))
        sooner.signals = self.signals
        return sooner
