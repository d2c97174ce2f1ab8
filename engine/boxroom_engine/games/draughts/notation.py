"""Names of moves: as text, as numbers, and the legal moves that they name.

The name of a quiet move is `11-15`: the square on which it starts and that on which it ends. A
capture is `22x8`, or, with each square on which it lands, `22x15x8`. So a capture can have more
than one name; its own is the shortest that no other legal move has.

As a `Move` a name is one integer: its squares are the digits in a number system with one digit more
than there are squares, and the last bit says whether it is a capture.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from boxroom_engine.games.draughts.board import Board
from boxroom_engine.games.draughts.moves import Step
from boxroom_engine.games.draughts.rules import RuleSet
from boxroom_engine.games.errors import MalformedMove, MoveOutOfRange
from boxroom_engine.games.notation import has_only, shorten, without_stop
from boxroom_engine.games.protocol import Move
from boxroom_engine.phrases import Phrase, phrase

_QUIET = re.compile(r"([0-9]{1,3})\s*-\s*([0-9]{1,3})")
_CAPTURE = re.compile(r"[0-9]{1,3}(?:\s*[xX]\s*[0-9]{1,3})+")
_PIECE = re.compile(r"[0-9]{1,3}(?:[-xX][0-9]{1,3})*[-xX]?|[-xX]")

_MOST_SQUARES = 40
"""More than any capture lands on."""


@dataclass(frozen=True, slots=True)
class Name:
    """Name of a move: the numbers of its squares, from the start to the end."""

    squares: tuple[int, ...]
    is_capture: bool

    def __str__(self) -> str:
        return ("x" if self.is_capture else "-").join(map(str, self.squares))


def looks_like_move(text: str) -> bool:
    """Whether `text` is or might be meant as a move: squares with `-` or `x` between them."""
    typed = without_stop(text)
    return _pattern(typed) is not None or (has_only(_PIECE, typed) and _has_digit(typed))


def _has_digit(text: str) -> bool:
    return any(char in "0123456789" for char in text)


def _pattern(typed: str) -> re.Pattern[str] | None:
    return next((each for each in (_QUIET, _CAPTURE) if each.fullmatch(typed)), None)


def parse_name(text: str, board: Board, rules: RuleSet) -> Name:
    """Return the name that `text` is; the inverse of `str(name)`.

    Raises:
        MalformedMove: `text` is no name of a move.
        MoveOutOfRange: no move on this board has the name.
    """
    typed = without_stop(text)
    pattern = _pattern(typed)
    if pattern is None:
        raise MalformedMove(phrase("move.draughts.malformed", text=repr(shorten(text))))
    squares = tuple(int(number) for number in re.findall("[0-9]+", typed))
    name = Name(squares, is_capture=pattern is _CAPTURE)
    problem = _problem(name, board, rules)
    if problem is not None:
        raise MoveOutOfRange(problem)
    return name


def _problem(name: Name, board: Board, rules: RuleSet) -> Phrase | None:
    """Return why no move on the board has this name; None if one may have it."""
    for square in name.squares:
        if not 1 <= square <= board.count:
            return phrase("move.draughts.square", square=square, last=board.count)
    if len(name.squares) == 2 and name.is_capture:
        return None  # a capture may lead anywhere
    if len(name.squares) > _MOST_SQUARES:
        return phrase("move.draughts.squares", squares=len(name.squares))
    for one, other in pairwise(name.squares):
        if not board.are_in_line(one, other):
            return phrase("move.draughts.diagonal", one=one, other=other)
        far = board.distance(one, other)
        if name.is_capture and far < 2:
            return phrase("move.draughts.between", one=one, other=other)
        if far > (2 if name.is_capture else 1) and not rules.kings_fly:
            return phrase("move.draughts.far", one=one, other=other)
    return None


def encode(name: Name, board: Board) -> Move:
    """Return the number of a name; the inverse of `decode`."""
    number = 0
    for square in name.squares:
        number = number * (board.count + 1) + square
    return Move(2 * number + name.is_capture)


def decode(move: Move, board: Board, rules: RuleSet) -> Name:
    """Return the name with this number.

    Raises:
        MoveOutOfRange: no move on this board has the number.
    """
    number, is_capture = divmod(move, 2)
    squares: list[int] = []
    while number > 0 and len(squares) <= _MOST_SQUARES:
        number, square = divmod(number, board.count + 1)
        squares.append(square)
    name = Name(tuple(reversed(squares)), bool(is_capture))
    if len(squares) < 2 or (len(squares) > 2 and not is_capture):
        raise MoveOutOfRange(phrase("move.draughts.number"))
    problem = _problem(name, board, rules)
    if problem is not None:
        raise MoveOutOfRange(problem)
    return name


def named(steps: Iterable[Step], board: Board) -> dict[Move, Step]:
    """Return each legal move by its own name, ascending."""
    between: defaultdict[tuple[int, int], list[Step]] = defaultdict(list)
    for step in steps:
        between[step.path[0], step.path[-1]].append(step)
    moves: dict[Move, Step] = {}
    for ends, same_ends in between.items():
        for step in same_ends:
            path = ends if len(same_ends) == 1 else step.path
            moves[encode(name_of(path, board, is_capture=step.captured != 0), board)] = step
    return dict(sorted(moves.items()))


def name_of(path: tuple[int, ...], board: Board, *, is_capture: bool) -> Name:
    """Return the name that has all squares of `path`."""
    return Name(tuple(board.number[bit] for bit in path), is_capture)
