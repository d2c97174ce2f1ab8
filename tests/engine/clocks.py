"""Clocks and limits for tests of what thinks."""

import math
from collections.abc import Callable
from itertools import count

from boxroom_engine.stopping import Limit


def no_limit() -> Limit:
    return Limit(math.inf, lambda: 0.0)


def ticking(step_s: float = 0.0) -> Callable[[], float]:
    """Return a clock that goes on by so many seconds each time it is looked at."""
    ticks = count()
    return lambda: next(ticks) * step_s
