"""The sides of one box, as people name it: by its number, or by its row and column."""

import re

from boxroom_engine.games.abilities import BoxSide, BoxSides
from boxroom_engine.games.dots.rules.grid import Grid
from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.errors import NoSuchBox
from boxroom_engine.games.notation import shorten
from boxroom_engine.games.protocol import Seat
from boxroom_engine.phrases import phrase

_PLACE = re.compile(r"([0-9]{1,9})(?:\s*[,/ ]\s*([0-9]{1,9}))?")


def box_sides(position: Position, text: str) -> BoxSides:
    """Return the box that `text` names: "7", or "2,2" for row and column, all from 1.

    Raises:
        NoSuchBox: it names none of this board.
    """
    grid = position.game.grid
    box = _parse_box(grid, text)
    sides = dict(zip(BoxSide, grid.edges_of[box], strict=True))
    owners = (seat for seat, boxes in enumerate(position.boxes_of) if boxes >> box & 1)
    return BoxSides(
        number=box + 1,
        row=box // grid.cols + 1,
        column=box % grid.cols + 1,
        owner=next(map(Seat, owners), None),
        free={side: grid.moves[e] for side, e in sides.items() if not position.edges >> e & 1},
        drawn={side: grid.moves[e] for side, e in sides.items() if position.edges >> e & 1},
    )


def _parse_box(grid: Grid, text: str) -> int:
    """Return the number, from 0, of the box that `text` names."""
    match = _PLACE.fullmatch(text.strip())
    first, second = match.groups() if match else ("0", None)
    row, column = (int(first), int(second)) if second else _place(grid, int(first))
    if 1 <= row <= grid.rows and 1 <= column <= grid.cols:
        return (row - 1) * grid.cols + column - 1
    raise NoSuchBox(
        phrase("no_such_box", text=repr(shorten(text)), n=grid.boxes, row=grid.rows, col=grid.cols)
    )


def _place(grid: Grid, number: int) -> tuple[int, int]:
    """Return row and column of a box by its number, all from 1; row 0 if that is 0."""
    row, column = divmod(number - 1, grid.cols)
    return row + 1, column + 1
