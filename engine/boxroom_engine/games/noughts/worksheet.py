"""Boards of 3×3 for x and o in the text form of a well-known worksheet on minimax::

    o|x|x
     |x|o
    o|x|

Each row is a line, a free cell is a space; x is seat 0. The cells may be of any board, also one
that no game reaches; only `position_of` checks them.

Source: a lab exercise of the University of Bath on noughts and crosses with minimax (2021).
"""

from collections.abc import Sequence

from boxroom_engine.games.errors import FormatError
from boxroom_engine.games.notation import format_to_move
from boxroom_engine.games.noughts.state import Cells, Noughts, Position, won_lines
from boxroom_engine.games.protocol import Seat

SIDE = 3
"""Rows and columns of the board."""

_GAME = Noughts(seats=2)
_MARKS = {None: " ", Seat(0): "x", Seat(1): "o"}
_OWNERS = {mark: seat for seat, mark in _MARKS.items()}


def format_cells(cells: Sequence[Seat | None]) -> str:
    """Return nine cells of two seats as three lines, without a newline at the end."""
    rows = (cells[at : at + SIDE] for at in range(0, _GAME.longest, SIDE))
    return "\n".join("|".join(_MARKS[seat] for seat in row) for row in rows)


def worksheet(position: Position) -> str | None:
    """Return `position` as the worksheet prints it; None if it isn't 3×3 for two."""
    return format_cells(position.cells) if position.game == _GAME else None


def parse_cells(text: str) -> Cells:
    """Return the cells in `text`; the inverse of `format_cells`.

    Spaces at the end of a line may be missing.

    Raises:
        FormatError: `text` isn't three lines of three cells.
    """
    rows = [row.split("|") for row in text.splitlines()]
    marks = [mark.strip() or " " for row in rows for mark in row]
    if [len(row) for row in rows] != [SIDE] * SIDE or not _OWNERS.keys() >= set(marks):
        raise FormatError("a board is three lines such as 'o|x| ', with x, o or a space in a cell")
    return tuple(_OWNERS[mark] for mark in marks)


def position_of(cells: Cells, to_move: Seat | None = None) -> Position:
    """Return the position with these `cells`.

    Unless the game is over, `to_move` is to move; by default o if x has more marks, else x.

    Raises:
        FormatError: both players have three in a row.
    """
    if to_move is None:
        to_move = Seat(int(cells.count(Seat(0)) > cells.count(Seat(1))))
    is_over = None not in cells or any(won_lines(_GAME.board, cells))
    written = "".join("." if seat is None else str(seat) for seat in cells)
    return _GAME.parse_position(f"{written}/{format_to_move(None if is_over else to_move)}/-")
