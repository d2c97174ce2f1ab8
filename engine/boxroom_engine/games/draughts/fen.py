"""Positions in the FEN of draughts: `B:W18,K24:B1-12`.

First comes the colour to move, then the squares of each colour, those of kings with a K before
them; `1-12` is a range. The text says nothing about earlier positions, so it is shorter than that
of `Draughts.format_position` and doesn't replace it.

Source: the tag FEN of the PDN standard (https://pdn.fmjd.org).
"""

import re
from collections.abc import Iterator

from boxroom_engine.games.draughts.board import Board, Squares, bits_of
from boxroom_engine.games.draughts.pieces import Pieces
from boxroom_engine.games.draughts.rules import RuleSet
from boxroom_engine.games.draughts.state import Draughts, Position
from boxroom_engine.games.errors import FormatError
from boxroom_engine.games.notation import shorten
from boxroom_engine.games.protocol import Seat

_WHOLE = re.compile(r"([WB]):([WB])([^:]*):([WB])([^:]*?)\.?")
_PIECE = re.compile(r"(K?)([0-9]{1,3})(?:-([0-9]{1,3}))?")


def colour(rules: RuleSet, seat: Seat) -> str:
    """Return the colour of a seat, W or B: white has the high numbers."""
    return "B" if rules.moves_down(seat) else "W"


def seat_of(rules: RuleSet, letter: str) -> Seat:
    """Return the seat of a colour; the inverse of `colour`."""
    return Seat(int(colour(rules, Seat(0)) != letter))


def format_fen(position: Position) -> str:
    """Return the pieces of `position` and the colour to move."""
    rules = position.game.differences
    sides = (f"{letter}{_format_side(position, seat_of(rules, letter))}" for letter in ("W", "B"))
    return f"{colour(rules, position.turn)}:{':'.join(sides)}"


def _format_side(position: Position, seat: Seat) -> str:
    board, pieces = position.game.board, position.pieces
    return ",".join(
        f"{'K' if bit & pieces.kings[seat] else ''}{board.number[bit]}"
        for bit in bits_of(pieces.of(seat))
    )


def parse_fen(text: str, game: Draughts) -> Position:
    """Return the position that `text` describes, as if its game began there.

    Raises:
        FormatError: `text` doesn't have the form of a FEN, or no game can have these pieces.
    """
    match = _WHOLE.fullmatch(text.replace(" ", ""))
    if match is None or match[2] == match[4]:
        raise FormatError(f"a FEN is such as B:W21,K30:B1,2, not {shorten(text)!r}")
    rules, board = game.differences, game.board
    men, kings = [0, 0], [0, 0]
    for letter, listed in ((match[2], match[3]), (match[4], match[5])):
        seat = seat_of(rules, letter)
        for squares, is_king in _pieces(listed, board):
            if squares & (men[0] | men[1] | kings[0] | kings[1]):
                raise FormatError(f"two pieces stand on one square in {shorten(text)!r}")
            (kings if is_king else men)[seat] |= squares
    pieces = Pieces((men[0], men[1]), (kings[0], kings[1]))
    return game.position(pieces, seat_of(rules, match[1]))


def _pieces(listed: str, board: Board) -> Iterator[tuple[Squares, bool]]:
    """Yield the squares of each part of a side, and whether kings stand there."""
    for part in listed.split(",") if listed else ():
        match = _PIECE.fullmatch(part)
        first = int(match[2]) if match else 0
        last = int(match[3] or first) if match else 0
        if match is None or not 1 <= first <= last <= board.count:
            raise FormatError(
                f"squares in a FEN are 1 to {board.count}, with K for a king, not {shorten(part)!r}"
            )
        yield board.squares(list(range(first, last + 1))), bool(match[1])
