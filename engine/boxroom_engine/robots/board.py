"""The board of the robot-writing challenge, and every function that its robots may use.

The board is square, `size` boxes on each side. Its dots are `(x, y)`, counted from the bottom left
corner; a line `(i, j, r, s)` goes from the dot `(i, j)` one step to the right or upwards, to
`(r, s)`; a box is called by its bottom left dot::

    (0,2)   (1,2)   (2,2)         (0, 0, 1, 0)    the bottom line of the box (0, 0)
                                  (0, 0, 0, 1)    its left line
    (0,1)   (1,1)   (2,1)         (1, 0, 1, 1)    its right line
                                  (0, 1, 1, 1)    its top line
    (0,0)   (1,0)   (2,0)

A move is the list of all lines of one turn: every line but the last one completes a box, and the
last one doesn't, unless it is the last of the game. Red moves first, and then blue.

Here a board owns its lists, so that a move made on a copy leaves the board as it is; lines that
aren't one step long, or not on the board, are refused; and a move that breaks a rule is an error
that names the rule. A player may be called by name or by number, 0 for red.
"""

import random
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from boxroom_engine.robots.drawing import board_svg

Line = tuple[int, int, int, int]
"""From a dot `(i, j)` to the next one on the right or above, `(r, s)`, as `(i, j, r, s)`."""

Box = tuple[int, int]
"""The dot in the bottom left corner of a box."""

Player = Literal["red", "blue", 0, 1]
"""Who moves: red, who is also 0, began."""


class InvalidMove(ValueError):
    """A move breaks a rule, which the sentence names."""


@dataclass
class Board:
    """A position: the lines that are drawn, in the order in which they were, and whose boxes are.

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
                raise ValueError(f"nobody can own the box {box}, whose lines aren't all drawn")
            if owned.count(box) > 1:
                raise ValueError(f"the box {box} is owned twice")

    def _repr_svg_(self) -> str:
        """The board as an SVG picture, for notebooks."""
        return board_svg(self)


def get_all_lines(n: int) -> list[Line]:
    """All 2·n·(n + 1) lines of a board of n × n boxes."""
    steps = range(n)
    return [
        *((i, j, i + 1, j) for i in steps for j in steps),
        *((i, j, i, j + 1) for i in steps for j in steps),
        *((n, j, n, j + 1) for j in steps),
        *((i, n, i + 1, n) for i in steps),
    ]


def getboxes(board: Board) -> list[Box]:
    """All boxes whose four lines are drawn, column by column from the bottom left."""
    lines = set(board.lines)
    boxes = ((i, j) for i in range(board.size) for j in range(board.size))
    return [box for box in boxes if lines.issuperset(_sides(box))]


def countboxes(board: Board) -> int:
    """How many boxes are complete."""
    return len(getboxes(board))


def isboxfilled(board: Board, box: Box) -> bool:
    """Whether all four lines of `box` are drawn."""
    return set(board.lines).issuperset(_sides(box))


def getnewboxes(lines: Collection[Line], line: Line) -> list[Box]:
    """The boxes that `line` completes when `lines` are drawn; none if it is one of them.

    Raises:
        ValueError: `line` isn't one step to the right or upwards.
    """
    _check_is_line(line)
    if line in lines:
        return []
    drawn = {*lines, line}
    return [box for box in _boxes_beside(line) if drawn.issuperset(_sides(box))]


def isvalidmove(board: Board, move: Sequence[Line]) -> bool:
    """Whether `move` is the whole of a turn: see `makemove` for why it isn't."""
    return broken_rule(board, move) is None


def broken_rule(board: Board, move: Sequence[Line]) -> str | None:
    """Why `move` isn't the whole of a turn: a sentence for the robot's author; None if it is."""
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
    """The board after `player` drew the lines of `move`, whose new boxes are the player's.

    Args:
        board: stays as it is, unless `copyboard` is false: then it is changed, and returned.
        move: all lines of a turn, in order.
        player: "red" or 0, "blue" or 1.
        copyboard: whether to leave `board` alone.
        checkmove: whether the lines must be the whole of a turn; each must be free anyway.

    Raises:
        InvalidMove: a rule was broken, and the board is as it was.
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
    """A whole turn of lines drawn at random; empty when none is free.

    `rng` makes it repeatable.
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
    """A list of its own of `lines`, each on the board and there once.

    Raises:
        ValueError: not all are.
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
    """Why `line` is none of a board of that size; None if it is one."""
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
    """The bottom, top, left and right line of `box`."""
    i, j = box
    return (i, j, i + 1, j), (i, j + 1, i + 1, j + 1), (i, j, i, j + 1), (i + 1, j, i + 1, j + 1)


def _boxes_beside(line: Line) -> tuple[Box, Box]:
    """The two boxes that a line lies between, of which one may be off the board."""
    i, j, r, _ = line
    return ((i, j), (i, j - 1)) if r > i else ((i, j), (i - 1, j))
