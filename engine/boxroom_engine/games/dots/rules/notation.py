"""Moves and positions of Dots and Boxes as text; every `parse` has its `format`.

A move is `h` or `v` and the number of an edge, in either case; people may type a space in between.
A position is one line of four parts, everything in hexadecimal with as many digits as the board
needs::

    02c/1,0/1/-
    edges/boxes of seat 0,boxes of seat 1,…/seat to move/seats withdrawn

where a set is an integer as in `grid`; the last two parts are those that all games have. The
board's size and border and the number of seats belong to the game, not to the position.
"""

import re
from typing import NamedTuple

from boxroom_engine.games.dots.rules.grid import Grid, select
from boxroom_engine.games.errors import FormatError, MalformedMove, MoveOutOfRange
from boxroom_engine.games.notation import (
    check_to_move,
    format_to_move,
    format_withdrawn,
    has_only,
    parse_to_move,
    parse_withdrawn,
    shorten,
    without_stop,
)
from boxroom_engine.games.protocol import Move, Seat
from boxroom_engine.games.turn_order import ends_game
from boxroom_engine.phrases import Phrase, phrase

_MOVE = re.compile(r"([hHvV])\s*0*([0-9]+)")
_OPENING = re.compile(r"\s*[hHvV]\s*[0-9]+(?!\w)")
_PIECE = re.compile(r"[hHvV]|[hHvV]+[+-]?[0-9]\S*|[0-9]+[hHvV]?")
_MOST_DIGITS = 9  # more can't be on any board, and int() refuses or is slow on thousands


class PositionFields(NamedTuple):
    """The parts of a position that its text describes."""

    edges: int
    boxes_of: tuple[int, ...]
    to_move: Seat | None
    """None: the game is over."""
    withdrawn: frozenset[Seat]


def looks_like_move(text: str) -> bool:
    """Whether `text` is or might be meant as a move: "h3", "3", "h3x", "h3 v4", "h3 was mean"."""
    return _OPENING.match(text) is not None or has_only(_PIECE, text)


def parse_move(grid: Grid, text: str) -> Move:
    """The edge that `text` names: "h3", but also "H 3" and "h3,".

    Raises:
        MalformedMove: it isn't `h` or `v` and a number.
        MoveOutOfRange: it is, but this board has no such edge.
    """
    move = grid.by_name.get(text)
    return _parse_unusual(grid, text.strip()) if move is None else move


def _parse_unusual(grid: Grid, text: str) -> Move:
    """A move that isn't typed exactly as the grid names it: capitals, zeros, spaces, mistakes."""
    match = _MOVE.fullmatch(without_stop(text))
    if match is None:
        raise MalformedMove(
            phrase(
                "move.dots.malformed",
                text=repr(shorten(text)),
                horizontal=_range(grid, "h"),
                vertical=_range(grid, "v"),
            )
        )
    letter, digits = match[1].lower(), match[2]
    move = grid.by_name.get(letter + digits) if len(digits) <= _MOST_DIGITS else None
    if move is None:
        raise MoveOutOfRange(
            phrase(
                "move.dots.out_of_range",
                move=shorten(letter + digits),
                board=f"{grid.rows}×{grid.cols}",
                range=_range(grid, letter),
            )
        )
    return move


def format_move(grid: Grid, move: Move) -> str:
    """The name of `move`, in lower case."""
    return grid.names[move]


def how_to_move(grid: Grid) -> Phrase:
    """Instructions for entering a move on this board, for new players."""
    top, bottom, left, right = (grid.names[edge] for edge in grid.edges_of[0])
    return phrase(
        "how_to_move.dots",
        horizontal=_range(grid, "h"),
        vertical=_range(grid, "v"),
        top=top,
        bottom=bottom,
        left=left,
        right=right,
    )


def _range(grid: Grid, letter: str) -> Phrase:
    count = grid.horizontals if letter == "h" else grid.edges - grid.horizontals
    return phrase("move.range", first=f"{letter}0", last=f"{letter}{count - 1}")


def format_position(grid: Grid, fields: PositionFields) -> str:
    """`fields` as one line without spaces, in the format of the module's docstring."""
    boxes = ",".join(_format_set(owned, grid.boxes) for owned in fields.boxes_of)
    seats = f"{format_to_move(fields.to_move)}/{format_withdrawn(fields.withdrawn)}"
    return f"{_format_set(fields.edges, grid.edges)}/{boxes}/{seats}"


def parse_position(grid: Grid, seats: int, text: str) -> PositionFields:
    """The parts of the position that `text` describes for `seats` players.

    Raises:
        FormatError: it isn't written so, or it contradicts itself.
    """
    parts = text.split("/")
    if len(parts) != 4:
        raise FormatError(
            f"a position has 4 parts, edges/boxes/to move/withdrawn, not {len(parts)}"
        )
    owners = parts[1].split(",")
    if len(owners) != seats:
        raise FormatError(f"there are {seats} seats, so {seats} sets of boxes, not {len(owners)}")
    fields = PositionFields(
        edges=_parse_set(parts[0], grid.edges, "edges"),
        boxes_of=tuple(_parse_set(part, grid.boxes, "boxes") for part in owners),
        to_move=parse_to_move(parts[2], seats),
        withdrawn=parse_withdrawn(parts[3], seats),
    )
    _check_edges(grid, fields.edges)
    _check_boxes(grid, fields)
    _check_turn(grid, fields)
    return fields


def _format_set(members: int, size: int) -> str:
    return f"{members:0{_digits(size)}x}"


def _digits(size: int) -> int:
    """How many hexadecimal digits a set of up to `size` members takes."""
    return (size + 3) // 4


def _parse_set(text: str, size: int, what: str) -> int:
    if len(text) != _digits(size):
        raise FormatError(f"{size} {what} take {_digits(size)} hexadecimal digits, not {len(text)}")
    if re.fullmatch("[0-9a-f]+", text) is None:  # int() alone would take "+f", "f_f" and "٣"
        raise FormatError(
            f"{what} are hexadecimal digits, 0 to 9 and a to f, not {shorten(text)!r}"
        )
    members = int(text, 16)
    if members >> size:
        raise FormatError(f"the board has {what} 0 to {size - 1}, not {members.bit_length() - 1}")
    return members


def _check_edges(grid: Grid, edges: int) -> None:
    missing = select(grid.names, grid.start & ~edges)
    if missing:
        raise FormatError(f"the border is {grid.border}, so {missing[0]} must be drawn")


def _check_boxes(grid: Grid, fields: PositionFields) -> None:
    owned = 0
    for boxes in fields.boxes_of:
        if owned & boxes:
            twice = select(range(grid.boxes), owned & boxes)[0]
            raise FormatError(f"box {twice} is owned by two seats")
        owned |= boxes
    for box, sides in enumerate(grid.sides):
        is_complete, is_owned = fields.edges & sides == sides, bool(owned >> box & 1)
        if is_complete and not is_owned:
            raise FormatError(f"box {box} is complete, but no seat owns it")
        if is_owned and not is_complete:
            raise FormatError(f"box {box} is owned, but not all of its sides are drawn")


def _check_turn(grid: Grid, fields: PositionFields) -> None:
    seats = len(fields.boxes_of)
    is_over = fields.edges == grid.all_drawn or ends_game(len(fields.withdrawn), seats)
    check_to_move(fields.to_move, fields.withdrawn, is_over=is_over)
