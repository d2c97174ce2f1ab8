"""The pieces and the earlier positions of a game of draughts as text; see `state`."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from boxroom_engine.games.draughts.board import Board, Squares
from boxroom_engine.games.draughts.pieces import Pieces
from boxroom_engine.games.errors import FormatError
from boxroom_engine.games.notation import shorten
from boxroom_engine.games.turn_order import Seat

_SIGNS = "01AB"
"""A man of seat 0 and 1, a king of seat 0 and 1."""

_NUMBER = re.compile("0|[1-9][0-9]{0,4}")
_EARLIER = re.compile("([01]):([0-9,]*):([0-9,]*)")


class Earlier(NamedTuple):
    """A position since the last capture or move of a man: the kings stood elsewhere."""

    turn: Seat
    kings: tuple[Squares, Squares]


def format_pieces(pieces: Pieces, board: Board) -> str:
    """Return a character for each square, in order."""
    sets = (*pieces.men, *pieces.kings)
    return "".join(
        next((sign for sign, each in zip(_SIGNS, sets, strict=True) if each & bit), ".")
        for bit in board.bits
    )


def parse_pieces(text: str, board: Board) -> Pieces:
    """Return the pieces that `text` describes; the inverse of `format_pieces`.

    Raises:
        FormatError: it isn't as long as the board, or has another character.
    """
    if len(text) != board.count or not set(text) <= set(_SIGNS + "."):
        raise FormatError(
            f"{board.count} squares are each written ., 0, 1, A or B, not {shorten(text)!r}"
        )
    one, other, king, other_king = (
        sum(bit for bit, here in zip(board.bits, text, strict=True) if here == sign)
        for sign in _SIGNS
    )
    return Pieces((one, other), (king, other_king))


def format_earlier(earlier: Sequence[Earlier], board: Board) -> str:
    """Return the earlier positions with a `;` between them, or `-`."""
    return ";".join(_format_one(each, board) for each in earlier) or "-"


def _format_one(earlier: Earlier, board: Board) -> str:
    kings = (",".join(map(str, board.numbers(each))) for each in earlier.kings)
    return f"{earlier.turn}:{':'.join(kings)}"


def parse_earlier(text: str, board: Board) -> tuple[Earlier, ...]:
    """Return the earlier positions; the inverse of `format_earlier`.

    Raises:
        FormatError: `text` doesn't have their form, or they aren't in sorted order.
    """
    if text == "-":
        return ()
    earlier = tuple(_parse_one(part, board) for part in text.split(";"))
    if list(earlier) != sorted(earlier):
        raise FormatError("the earlier positions aren't in sorted order")
    return earlier


def _parse_one(text: str, board: Board) -> Earlier:
    match = _EARLIER.fullmatch(text)
    if match is None:
        raise FormatError(f"an earlier position is such as 0:5,9:30, not {shorten(text)!r}")
    return Earlier(Seat(int(match[1])), (_parse_set(match[2], board), _parse_set(match[3], board)))


def _parse_set(text: str, board: Board) -> Squares:
    numbers = [parse_number(part, board.count) for part in text.split(",")] if text else []
    if 0 in numbers or numbers != sorted(set(numbers)):
        raise FormatError(f"squares stand in ascending order, each once, not {shorten(text)!r}")
    return board.squares(numbers)


def parse_number(text: str, most: int) -> int:
    """Return the number, 0 to `most`, that `text` is.

    Raises:
        FormatError: it isn't one, or is written otherwise.
    """
    if _NUMBER.fullmatch(text) is None or int(text) > most:
        raise FormatError(f"a number here is 0 to {most}, not {shorten(text)!r}")
    return int(text)
