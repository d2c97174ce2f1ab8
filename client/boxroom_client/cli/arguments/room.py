"""Flags for settings that all rooms have, whatever is played in them; they are called like these.

The module knows no game, so that the help of a command needs none.
"""

import argparse

_SETTINGS = ("seats", "clock", "best")


def add_room_flags(parser: argparse._ActionsContainer, usual_seats: str) -> None:
    """Add the flags; `usual_seats` says how many seats a new room has without them."""
    parser.add_argument(
        "--seats",
        metavar="N",
        help=f"players: 4, or 2-6 for as many as come (default: {usual_seats})",
    )
    parser.add_argument("--clock", metavar="S", help="seconds for each move, or off")
    parser.add_argument(
        "--best", metavar="N", help="a series: the best of so many games, or off (default)"
    )


def room_flags(args: argparse.Namespace) -> dict[str, int | str]:
    """Return what the flags say, by the names of the settings."""
    said = {name: getattr(args, name) for name in _SETTINGS}
    return {name: value for name, value in said.items() if value is not None}
