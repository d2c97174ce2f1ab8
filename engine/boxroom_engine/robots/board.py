"""The board of the robot-writing challenge, and the functions on it that robots may call.

The board is square, `size` boxes on each side. Its dots are `(x, y)`, counted from the bottom left
corner; a line `(i, j, r, s)` goes from the dot `(i, j)` one step to the right or upwards, to
`(r, s)`; a box is named by its bottom left dot::

    (0,2)   (1,2)   (2,2)         (0, 0, 1, 0)    the bottom line of the box (0, 0)
                                  (0, 0, 0, 1)    its left line
    (0,1)   (1,1)   (2,1)         (1, 0, 1, 1)    its right line
                                  (0, 1, 1, 1)    its top line
    (0,0)   (1,0)   (2,0)

A move is the list of all lines of one turn: every line but the last one completes a box, and the
last one doesn't, unless it is the last of the game. Red moves first, then blue.

A board owns its lists, so a move on a copy leaves the original unchanged. Lines that aren't one
step long, or not on the board, are refused; a move that breaks a rule raises an error that names
the rule. A player is given by name or by number, 0 for red.
"""

import random
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from boxroom_engine.errors import BoxroomError
from boxroom_engine.robots.drawing import board_svg

Line = tuple[int, int, int, int]
"""From a dot `(i, j)` to the next one on the right or above, `(r, s)`, as `(i, j, r, s)`."""

Box = tuple[int, int]
"""The dot in the bottom left corner of a box."""

Player = Literal["red", "blue", 0, 1]
"""A player; red, which is also 0, moves first."""


class InvalidMove(BoxroomError, ValueError):
    """A move that breaks a rule; the message names the rule."""


@dataclass
class Board:
    """A position: the drawn lines in the order of play, and the boxes of each player.

    Raises:
        ValueError: a line isn't on the board or stands there twice, or a box isn't complete.
    """

    size: int
    lines: list[Line] = field(default_factory=list)
    red_boxes: list[Box] = field(default_factory=list)
    blue_boxes: list[Box] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.size < 1:
            raise ValueError(f"a board has at least one box on each side, not {self.size}")
        self.lines = _distinct(self.lines, self.size)
        self.red_boxes = list(self.red_boxes)
        self.blue_boxes = list(self.blue_boxes)
        filled = getboxes(self)
        owned = [*self.red_boxes, *self.blue_boxes]
        for box in owned:
            if box not in filled:
                raise ValueError(f"the box {box} can't have an owner: its lines aren't all drawn")
            if owned.count(box) > 1:
                raise ValueError(f"the box {box} is owned twice")

    def _repr_svg_(self) -> str:
        """Return the board as an SVG picture, for notebooks."""
        return board_svg(self)


def get_all_lines(n: int) -> list[Line]:
    """Return all 2·n·(n + 1) lines of a board of n × n boxes."""
    steps = range(n)
    return [
        *((i, j, i + 1, j) for i in steps for j in steps),
        *((i, j, i, j + 1) for i in steps for j in steps),
        *((n, j, n, j + 1) for j in steps),
        *((i, n, i + 1, n) for i in steps),
    ]


def getboxes(board: Board) -> list[Box]:
    """Return all boxes whose four lines are drawn, column by column from the bottom left."""
    lines = set(board.lines)
    boxes = ((i, j) for i in range(board.size) for j in range(board.size))
    return [box for box in boxes if lines.issuperset(_sides(box))]


def countboxes(board: Board) -> int:
    """Return the number of complete boxes."""
    return len(getboxes(board))


def isboxfilled(board: Board, box: Box) -> bool:
    """Whether all four lines of `box` are drawn."""
    return set(board.lines).issuperset(_sides(box))


def getnewboxes(lines: Collection[Line], line: Line) -> list[Box]:
    """Return the boxes that `line` completes if `lines` are drawn; none if it is one of them.

    Raises:
        ValueError: `line` isn't one step to the right or upwards.
    """
    _check_is_line(line)
    if line in lines:
        return []
    drawn = {*lines, line}
    return [box for box in _boxes_beside(line) if drawn.issuperset(_sides(box))]


def isvalidmove(board: Board, move: Sequence[Line]) -> bool:
    """Whether `move` is exactly one turn; `makemove` raises an error with the reason if not."""
    return broken_rule(board, move) is None


def broken_rule(board: Board, move: Sequence[Line]) -> str | None:
    """Return the rule that `move` breaks as a turn, for the robot's author; None if it is valid."""
    free = len(get_all_lines(board.size)) - len(board.lines)
    if not move:
        return f"a turn has at least one line, and {free} are free" if free else None
    drawn = list(board.lines)
    for number, line in enumerate(move, 1):
        wrong = _wrong_with_line(line, board.size)
        if wrong is not None:
            return wrong
        if line in drawn:
            return f"the line {line} is drawn already"
        completes = getnewboxes(drawn, line)
        drawn.append(line)
        if number < len(move) and not completes:
            return f"the line {line} completes no box, so the turn ends with it: leave out the rest"
        if number == len(move) < free and completes:
            return f"the line {line} completes the box {completes[0]}, so the turn goes on: add one"
    return None


def makemove(
    board: Board,
    move: Sequence[Line],
    player: Player,
    copyboard: bool = True,
    checkmove: bool = True,
) -> Board:
    """Return the board after `player` has drawn the lines of `move` and got the new boxes.

    Args:
        board: unchanged, unless `copyboard` is false: then it is changed and returned.
        move: all lines of a turn, in order.
        player: "red" or 0, "blue" or 1.
        copyboard: whether to work on a copy of `board`.
        checkmove: whether the lines must be exactly one turn; each must be free in any case.

    Raises:
        InvalidMove: the move breaks a rule; the board is unchanged.
        ValueError: there is no such player, or without `checkmove` a line isn't free.
    """
    if player not in ("red", "blue", 0, 1):
        raise ValueError(f"players are 'red' (0) and 'blue' (1), not {player!r}")
    broken = broken_rule(board, move) if checkmove else None
    if broken is not None:
        raise InvalidMove(broken)
    lines = _distinct([*board.lines, *move], board.size)
    after = (
        Board(board.size, board.lines, board.red_boxes, board.blue_boxes) if copyboard else board
    )
    before = getboxes(after)
    after.lines = lines
    boxes = after.red_boxes if player in ("red", 0) else after.blue_boxes
    boxes += [box for box in getboxes(after) if box not in before]
    return after


def make_random_move(board: Board, rng: random.Random | None = None) -> list[Line]:
    """Return a whole turn of random lines; empty if no line is free.

    A seeded `rng` makes it repeatable.
    """
    chance = rng or random.Random()
    free = [line for line in get_all_lines(board.size) if line not in board.lines]
    drawn = list(board.lines)
    move: list[Line] = []
    while free:
        line = free.pop(chance.randrange(len(free)))
        move.append(line)
        if not getnewboxes(drawn, line):
            break
        drawn.append(line)
    return move


def _distinct(lines: Iterable[Line], size: int) -> list[Line]:
    """Return `lines` as a new list, after checking them.

    Raises:
        ValueError: a line isn't on the board, or is there twice.
    """
    seen: dict[Line, None] = {}
    for line in lines:
        wrong = _wrong_with_line(line, size)
        if wrong is not None:
            raise ValueError(wrong)
        if line in seen:
            raise ValueError(f"the line {line} is drawn already")
        seen[line] = None
    return list(seen)


def _wrong_with_line(line: Line, size: int) -> str | None:
    """Return the reason why `line` isn't on a board of that size; None if it is."""
    try:
        _check_is_line(line)
    except ValueError as error:
        return str(error)
    if min(line) < 0 or max(line) > size:
        return f"the line {line} isn't on the board: its dots go from (0, 0) to ({size}, {size})"
    return None


def _check_is_line(line: object) -> None:
    """Raise ValueError unless `line` is one step to the right or upwards."""
    if not (isinstance(line, tuple) and len(line) == 4 and all(type(x) is int for x in line)):
        raise ValueError(f"a line is a tuple of four whole numbers (i, j, r, s), not {line!r}")
    i, j, r, s = line
    if (r - i, s - j) in ((-1, 0), (0, -1)):
        raise ValueError(f"lines go to the right or upwards: write {(r, s, i, j)}, not {line}")
    if (r - i, s - j) not in ((1, 0), (0, 1)):
        raise ValueError(f"a line goes from a dot to the next on the right or above, not {line}")


def _sides(box: Box) -> tuple[Line, Line, Line, Line]:
    """Return the bottom, top, left and right line of `box`."""
    i, j = box
    return (i, j, i + 1, j), (i, j + 1, i + 1, j + 1), (i, j, i, j + 1), (i + 1, j, i + 1, j + 1)


def _boxes_beside(line: Line) -> tuple[Box, Box]:
    """Return the two boxes on either side of a line; one may be off the board."""
    i, j, r, _ = line
    return ((i, j), (i, j - 1)) if r > i else ((i, j), (i - 1, j))
