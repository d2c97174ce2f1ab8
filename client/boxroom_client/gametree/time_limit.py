"""Time limits of searches: a part for the exact value, the rest for an estimate."""

import time

from boxroom_engine.search.stopping import Stop, never

EXACT_PART = 0.75
"""Part of a limited time after which the search gives up exactness and estimates instead."""


def stop_after(seconds: float | None) -> Stop:
    """Return a condition that stops a search `seconds` from now; None never stops it."""
    if seconds is None:
        return never
    until_s = time.monotonic() + seconds
    return lambda: time.monotonic() >= until_s
