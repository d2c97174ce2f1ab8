"""The flags about how a board looks, the same for every command that shows one."""

import argparse
import os
import sys

from boxroom_client.painting import Canvas, colours_of, is_ascii_only
from boxroom_engine.games.drawing import Size

_SIZES = {"S": Size.COMPACT, "M": Size.NORMAL, "L": Size.LARGE}


def add_look(parser: argparse.ArgumentParser) -> None:
    """Add the flags to `parser`."""
    look = parser.add_argument_group("how the board looks")
    look.add_argument(
        "--size",
        type=str.upper,
        choices=tuple(_SIZES),
        help="compact, normal or large (default: what fits)",
    )
    look.add_argument("--ascii", action="store_true", help="no characters beyond ASCII")
    look.add_argument(
        "--no-numbers", action="store_true", help="don't show the names of free places"
    )


def canvas_from(args: argparse.Namespace) -> Canvas:
    """The canvas that the flags and the terminal make."""
    return Canvas(
        colours=colours_of(sys.stdout, os.environ),
        ascii_only=args.ascii or is_ascii_only(sys.stdout, os.environ),
        numbers=not args.no_numbers,
        size=_SIZES[args.size] if args.size else None,
    )
