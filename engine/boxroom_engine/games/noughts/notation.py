"""Notation of noughts and crosses: boards and moves as people type them.

A board is its dimensions, `3,3`. A move is the number of a cell or its place, in which the row
and the column come last: on 3×3 `5` and `1,2` are the same move.
"""

import re

from boxroom_engine.games.errors import MalformedMove, MoveOutOfRange, OptionError
from boxroom_engine.games.notation import has_only, shorten
from boxroom_engine.games.noughts.board import Board
from boxroom_engine.games.protocol import Move
from boxroom_engine.phrases import Phrase, phrase

_COMMA = re.compile(r"\s*,\s*")
_NUMBERS = re.compile(r"[0-9]+(?:\s*,\s*[0-9]+)*")
_ATTEMPT = re.compile(r"\s*[+-]?[0-9]+(?:\s*,\s*[^\s,]+)+\s*")
_OPENING = re.compile(r"\s*[0-9]+(?:,[0-9]+)+(?!\w)")
_PIECE = re.compile(r"[+-]?[0-9]\S*")
_DIMS = re.compile(r"[0-9]{1,4}(?:,[0-9]{1,4})*")
_MOST_DIGITS = 9  # more can't be on any board, and int() refuses or is slow on thousands

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def in_words(number: int) -> str:
    """Return `number` for a sentence: "three", but "12"."""
    return _WORDS[number] if number < len(_WORDS) else str(number)


def parse_dims(text: str) -> tuple[int, ...]:
    """Return the dimensions that `text` lists.

    Raises:
        OptionError: `text` isn't a list of numbers.
    """
    if _DIMS.fullmatch(text) is None:
        raise OptionError(phrase("option.noughts.dims", text=repr(shorten(text))))
    return tuple(map(int, text.split(",")))


def format_place(place: tuple[int, ...]) -> str:
    """Return a place or dimensions as text; the inverse of `parse_dims`."""
    return ",".join(map(str, place))


def name(board: Board) -> str:
    """Return the name of `board` in sentences: "3×3"."""
    return "×".join(map(str, board.dims))


def looks_like_move(text: str) -> bool:
    """Whether `text` is or might be meant as a move: "5", "1, 2", "-1", "1 2", "1,2 was mean"."""
    is_place = _ATTEMPT.fullmatch(text) or _OPENING.match(text)
    return is_place is not None or has_only(_PIECE, text)


def parse_move(board: Board, text: str) -> Move:
    """Return the cell that `text` names by its number or its place.

    Raises:
        MalformedMove: `text` is neither.
        MoveOutOfRange: the board has no such cell.
    """
    text = text.strip()
    numbers = _numbers_in(text)
    if len(numbers) == 1:
        if numbers[0] >= board.cells:
            last = board.cells - 1
            raise MoveOutOfRange(
                phrase("move.noughts.cells", move=shorten(text), board=name(board), last=last)
            )
        return Move(numbers[0])
    if len(numbers) != len(board.dims):
        raise MalformedMove(_no_move(board, repr(shorten(text))))
    if any(x >= size for x, size in zip(numbers, board.dims, strict=True)):
        raise MoveOutOfRange(_out_of_range(board, text))
    return Move(board.cell_at(numbers))


def _numbers_in(text: str) -> tuple[int, ...]:
    """Return the numbers that `text` lists; none if it is anything else."""
    if _NUMBERS.fullmatch(text) is None:
        return ()
    digits = (number.lstrip("0") or "0" for number in _COMMA.split(text))
    return tuple(int(number[: _MOST_DIGITS + 1]) for number in digits)


def _out_of_range(board: Board, text: str) -> Phrase:
    """Return that a place isn't on the board, and which places are."""
    move, shown = shorten(text), name(board)
    if len(board.dims) == 2 and len(set(board.dims)) == 1:
        return phrase("move.noughts.rows", move=move, board=shown, last=board.dims[0] - 1)
    return phrase(
        "move.noughts.places", move=move, board=shown, last=format_place(board.places[-1])
    )


def _no_move(board: Board, text: str) -> Phrase:
    """Return that `text` is no move, and how a move is entered."""
    last, example = board.cells - 1, format_place(board.places[_example(board)])
    match len(board.dims):
        case 1:
            return phrase("move.noughts.malformed", text=text, last=last)
        case 2:
            return phrase("move.noughts.malformed.plane", text=text, last=last, example=example)
        case _:
            return phrase("move.noughts.malformed.space", text=text, last=last, example=example)


def how_to_move(board: Board) -> Phrase:
    """Return sentences that tell a new player how to enter a move on `board`."""
    last, example = board.cells - 1, _example(board)
    place = format_place(board.places[example])
    match len(board.dims):
        case 1:
            return phrase("how_to_move.noughts", last=last)
        case 2:
            return phrase("how_to_move.noughts.plane", last=last, place=place, cell=example)
        case _:
            return phrase("how_to_move.noughts.space", last=last, place=place, cell=example)


def _example(board: Board) -> int:
    """Return a cell whose place shows which coordinate is which: on 3×3 it is 5, at 1,2."""
    return board.cells * 5 // 9
