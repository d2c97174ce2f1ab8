"""Notation that all games share: the seats in the text of a position, and typed lines.

A position is one line of parts with a `/` between them. The last two parts are the seat to move
(`-` when the game is over) and the seats withdrawn (`-` for none): `…/1/0,2`. Each game defines
the parts before them, and its moves.

A line that a person types is one of three things; each game tells them apart by its patterns:

1. *One move*: `parse_move` reads it, in either case, with spaces around it and a comma, semicolon
   or full stop behind it.
2. *No move that looks like one*: it has only pieces of moves, as `3` and `h3 v4` in Dots and Boxes,
   or it begins with a move as no other text does. It may be a slip, so it is neither played nor
   said.
3. *Chat*: everything else.

`looks_like_move` tells the first two from the third.
"""

import re
from collections.abc import Set as AbstractSet

from boxroom_engine.games.errors import FormatError
from boxroom_engine.games.turn_order import Seat

_SEAT = re.compile("0|[1-9][0-9]{0,8}")
_BETWEEN_PIECES = re.compile(r"[\s,;.]+")
_MOST_CHARS_SHOWN = 16
_NO_TEXT = re.compile(r"[\0-\x08\x0e-\x1f\x7f]")


def shorten(text: str) -> str:
    """Return `text`, cut to a length that a sentence can quote."""
    return text if len(text) <= _MOST_CHARS_SHOWN else text[: _MOST_CHARS_SHOWN - 1] + "…"


def check_characters(text: str, line: int) -> None:
    """Check that `text`, which begins in line number `line` of a file, is text.

    Raises:
        FormatError: it has a control character, as files of other kinds have.
    """
    found = _NO_TEXT.search(text)
    if found is not None:
        at = line + text.count("\n", 0, found.start())
        raise FormatError(f"line {at} has the control character U+{ord(found[0]):04X}, not text")


def without_stop(text: str) -> str:
    """Return `text` without spaces around it and without stops such as a comma at its end."""
    return text.strip().rstrip(",;. ")


def has_only(piece: re.Pattern[str], text: str) -> bool:
    """Whether `text` has nothing but pieces of moves, at least one."""
    words = [word for word in _BETWEEN_PIECES.split(text) if word]
    return bool(words) and all(piece.fullmatch(word) for word in words)


def parse_seat(text: str, seats: int) -> Seat:
    """Return the seat, one of `seats`, that `text` names.

    Raises:
        FormatError: `text` isn't the plain number of a seat.
    """
    if _SEAT.fullmatch(text) is None or int(text) >= seats:
        raise FormatError(f"seats are 0 to {seats - 1}, not {shorten(text)!r}")
    return Seat(int(text))


def parse_to_move(text: str, seats: int) -> Seat | None:
    """Return the seat to move, or None for `-`.

    Raises:
        FormatError: `text` is neither a seat nor `-`.
    """
    return None if text == "-" else parse_seat(text, seats)


def format_to_move(seat: Seat | None) -> str:
    """Return the text of the seat to move; the inverse of `parse_to_move`."""
    return "-" if seat is None else str(seat)


def parse_withdrawn(text: str, seats: int) -> frozenset[Seat]:
    """Return the seats that withdrew, of `seats`.

    Raises:
        FormatError: they aren't seats in ascending order, or none of several seats is left.
    """
    if text == "-":
        return frozenset()
    withdrawn = [parse_seat(part, seats) for part in text.split(",")]
    if withdrawn != sorted(set(withdrawn)):
        raise FormatError(f"seats withdrawn stand in ascending order, each once, not {text}")
    if len(withdrawn) == seats > 1:
        raise FormatError("not all seats can withdraw: the last one left ends the game")
    return frozenset(withdrawn)


def format_withdrawn(withdrawn: AbstractSet[Seat]) -> str:
    """Return the text of the seats that withdrew; the inverse of `parse_withdrawn`."""
    return ",".join(map(str, sorted(withdrawn))) or "-"


def check_to_move(to_move: Seat | None, withdrawn: AbstractSet[Seat], *, is_over: bool) -> None:
    """Check that a seat that hasn't withdrawn is to move, or no seat if the game `is_over`.

    Raises:
        FormatError: another seat is to move, or none.
    """
    if is_over and to_move is not None:
        raise FormatError(f"the game is over, so '-' is to move, not seat {to_move}")
    if not is_over and to_move is None:
        raise FormatError("the game isn't over, so a seat must be to move, not '-'")
    if to_move in withdrawn:
        raise FormatError(f"seat {to_move} has withdrawn, so it can't be to move")
