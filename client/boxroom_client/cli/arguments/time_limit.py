"""A limit of time on the command line: `--time S`."""

import argparse
import time

from boxroom_client.exits import UsageError
from boxroom_engine.search.stopping import Stop, never

EXACT_PART = 0.75
"""Of a limited time, the part after which an estimate is made instead."""


def add_time(parser: argparse.ArgumentParser) -> None:
    """Add `--time` to `parser`."""
    parser.add_argument(
        "--time", type=float, metavar="S", help="answer after S seconds, by an estimate if need be"
    )


def check_time(limit_s: float | None) -> None:
    """Make sure that a limit is one.

    Raises:
        UsageError: it isn't above 0.
    """
    if limit_s is not None and not limit_s > 0:
        raise UsageError("--time is a number of seconds above 0")


def stop_after(seconds: float | None) -> Stop:
    """What tells a search to stop so many seconds from now; without a limit it never does."""
    if seconds is None:
        return never
    until_s = time.monotonic() + seconds
    return lambda: time.monotonic() >= until_s
