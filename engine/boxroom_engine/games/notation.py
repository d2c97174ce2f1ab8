"""What the texts of all games have in common: how seats stand in a position.

A position is one line of parts with a `/` between them; the last two are the seat to move, `-`
when the game is over, and the seats withdrawn, `-` for none: `…/1/0,2`. What stands before
them, and the moves, are each game's own.
"""

import re
from collections.abc import Set as AbstractSet

from boxroom_engine.games.errors import FormatError
from boxroom_engine.games.protocol import Seat

_SEAT = re.compile("0|[1-9][0-9]{0,8}")
_MOST_CHARS_SHOWN = 16


def shorten(text: str) -> str:
    """`text`, or so much of it as a sentence can quote."""
    return text if len(text) <= _MOST_CHARS_SHOWN else text[: _MOST_CHARS_SHOWN - 1] + "…"


def parse_seat(text: str, seats: int) -> Seat:
    """One of `seats` seats.

    Raises:
        FormatError: it isn't the number of one, written plainly.
    """
    if _SEAT.fullmatch(text) is None or int(text) >= seats:
        raise FormatError(f"seats are 0 to {seats - 1}, not {shorten(text)!r}")
    return Seat(int(text))


def parse_to_move(text: str, seats: int) -> Seat | None:
    """The seat to move, or None for `-`.

    Raises:
        FormatError: it is neither.
    """
    return None if text == "-" else parse_seat(text, seats)


def format_to_move(seat: Seat | None) -> str:
    """The inverse of `parse_to_move`."""
    return "-" if seat is None else str(seat)


def parse_withdrawn(text: str, seats: int) -> frozenset[Seat]:
    """The seats that withdrew, of `seats`.

    Raises:
        FormatError: they aren't seats in ascending order, or they are all that there are.
    """
    if text == "-":
        return frozenset()
    withdrawn = [parse_seat(part, seats) for part in text.split(",")]
    if withdrawn != sorted(set(withdrawn)):
        raise FormatError(f"seats withdrawn stand in ascending order, each once, not {text}")
    if len(withdrawn) == seats:
        raise FormatError("not all seats can withdraw: the last one left ends the game")
    return frozenset(withdrawn)


def format_withdrawn(withdrawn: AbstractSet[Seat]) -> str:
    """The inverse of `parse_withdrawn`."""
    return ",".join(map(str, sorted(withdrawn))) or "-"


def check_to_move(to_move: Seat | None, withdrawn: AbstractSet[Seat], *, is_over: bool) -> None:
    """Make sure that somebody is to move who can, unless the game `is_over`.

    Raises:
        FormatError: it is nobody, or the wrong seat.
    """
    if is_over and to_move is not None:
        raise FormatError(f"the game is over, so '-' is to move, not seat {to_move}")
    if not is_over and to_move is None:
        raise FormatError("the game isn't over, so a seat must be to move, not '-'")
    if to_move in withdrawn:
        raise FormatError(f"seat {to_move} has withdrawn, so it can't be to move")
