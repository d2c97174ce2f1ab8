"""A limit of time on the command line: `--time S`."""

import argparse

from boxroom_client.exits import UsageError


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
