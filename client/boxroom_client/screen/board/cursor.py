"""A cursor on the open moves of a drawing, moved by arrow keys and Tab.

It knows no game: the drawing shows each move at a cell, and the arrows go to near cells.
Coordinates are cells of the drawing.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from boxroom_engine.games.drawing import Drawing
from boxroom_engine.games.protocol import Move


class Direction(Enum):
    """The direction of an arrow key, as columns and rows."""

    LEFT = (-1, 0)
    RIGHT = (1, 0)
    UP = (0, -1)
    DOWN = (0, 1)


class Cell(NamedTuple):
    """A cell of a drawing."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Cursor:
    """A chosen move and its cell."""

    move: Move
    cell: Cell
    aim: Cell
    """The cell to which the arrows would have led on a board without gaps.

    As in a text editor, going down line by line keeps to the first column, though the moves of
    one line stand between those of the next.
    """


@dataclass(frozen=True, slots=True)
class MoveCells:
    """The cells of the open moves of one drawing, made once by `move_cells`."""

    by_move: Mapping[Move, Cell]
    middle: Cell
    """The middle cell of the drawing; it needn't show a move."""
    in_order: tuple[Move, ...] = field(repr=False)
    """The moves in reading order: by lines, from left to right."""


def move_cells(drawing: Drawing) -> MoveCells:
    """Return the cells of all moves in `drawing`, each the middle of the move's spans."""
    corners: dict[Move, tuple[int, int, int, int]] = {}
    for y, row in enumerate(drawing.rows):
        x = 0
        for span in row:
            end = x + len(span.text)
            if (move := span.move) is not None:
                left, top, right, _ = corners.get(move, (x, y, end, y))
                corners[move] = (min(left, x), top, max(right, end), y)
            x = end
    by_move = {
        move: Cell((left + right - 1) // 2, (top + bottom) // 2)
        for move, (left, top, right, bottom) in corners.items()
    }
    middle = Cell(drawing.width // 2, drawing.height // 2)
    return MoveCells(
        by_move, middle, tuple(sorted(by_move, key=lambda move: _reading_order(by_move[move])))
    )


def _reading_order(cell: Cell) -> tuple[int, int]:
    return cell.y, cell.x


def cursor_on(cells: MoveCells, move: Move) -> Cursor | None:
    """Return a cursor on `move`, after a click or for a new drawing; None if it isn't open."""
    cell = cells.by_move.get(move)
    return None if cell is None else Cursor(move, cell, cell)


def step(cells: MoveCells, cursor: Cursor | None, direction: Direction) -> Cursor | None:
    """Return the cursor after an arrow key; it stays if no move is in that `direction`.

    A move that was played meanwhile still counts as the start. Without a cursor the first step
    leads near the middle of the board. None: there is no open move.
    """
    if cursor is None:
        return nearest(cells, cells.middle)
    here = cells.by_move.get(cursor.move, cursor.cell)
    aim = cursor.aim if here == cursor.cell else here  # another drawing has other cells
    found = min(_ahead(cells, here, aim, direction), default=None)
    if found is None:
        is_open = cursor.move in cells.by_move
        return Cursor(cursor.move, here, aim) if is_open else nearest(cells, here)
    _, _, cell, move = found
    is_sideways = direction in {Direction.LEFT, Direction.RIGHT}
    return Cursor(move, cell, Cell(cell.x, aim.y) if is_sideways else Cell(aim.x, cell.y))


def cycle(cells: MoveCells, cursor: Cursor | None, by: int) -> Cursor | None:
    """Return the cursor `by` moves further in reading order (back if negative), cyclically.

    A move that was played meanwhile counts as the gap between its neighbours. None: there is
    no open move.
    """
    moves = cells.in_order
    if not moves:
        return None
    if cursor is None:
        return cursor_on(cells, moves[(by - 1 if by > 0 else by) % len(moves)])
    here = cells.by_move.get(cursor.move, cursor.cell)
    at = bisect_left(
        moves, _reading_order(here), key=lambda move: _reading_order(cells.by_move[move])
    )
    if cursor.move not in cells.by_move and by > 0:
        at -= 1
    return cursor_on(cells, moves[(at + by) % len(moves)])


_COLUMNS_A_ROW = 6
"""Columns that count as far as one row.

Cells are only twice as high as wide. But left and right should stay in a line as long as it has
moves, and up and down should go to the next line, not past it. On a grid of any size a row must
for this count more than half the width of a box.
"""


def _ahead(
    cells: MoveCells, here: Cell, aim: Cell, direction: Direction
) -> Iterator[tuple[bool, int, Cell, Move]]:
    """Yield all moves in `direction`; the least is best: ahead rather than aside, then near."""
    dx, dy = direction.value
    for move, cell in cells.by_move.items():
        x, y = cell
        along = (x - here.x) * dx + (y - here.y) * dy * _COLUMNS_A_ROW
        if along > 0:
            aside = abs(x - aim.x) if dy else abs(y - aim.y) * _COLUMNS_A_ROW
            yield aside > along, along + aside, cell, move


def nearest(cells: MoveCells, target: Cell) -> Cursor | None:
    """Return a cursor on the open move nearest to `target`; None if there is none."""

    def distance(cell: Cell) -> int:
        return abs(cell.x - target.x) + abs(cell.y - target.y) * _COLUMNS_A_ROW

    move = min(cells.by_move, key=lambda move: distance(cells.by_move[move]), default=None)
    return None if move is None else cursor_on(cells, move)
