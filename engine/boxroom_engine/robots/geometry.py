"""Conversion between positions of Dots and Boxes and boards of the robot-writing challenge.

The two count from different corners. Edges are numbered from the top left (see
`games.dots.rules.grid`), lines have their dots counted from the bottom left::

    •─ h0 ─•         (0, 1, 1, 1)
    v0     v1        (0, 0, 0, 1)   (1, 0, 1, 1)
    •─ h1 ─•         (0, 0, 1, 0)
"""

from boxroom_engine.games.dots import KIND, Dots, Grid, Position
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.protocol import Game, Move, State
from boxroom_engine.phrases import phrase
from boxroom_engine.robots.board import Board, Box, Line

KIND_WITH_BOARD = KIND
"""The kind of the games that have a `Board`, if they are square and for two."""


def check_has_board(game: Game) -> None:
    """Check that a classic robot can play `game`.

    Raises:
        OptionError: it isn't Dots and Boxes, the board isn't square, or it isn't for two.
    """
    if not isinstance(game, Dots):
        raise OptionError(phrase("option.robot.game", game=game.kind.name))
    if game.rows != game.cols or game.seats != 2:
        raise OptionError(phrase("option.robot.board"))


def board_of(state: State) -> Board:
    """Return the board that a classic robot gets for the position `state`.

    Its lines ascend, because a position doesn't record their order. The border's lines are drawn.
    Seat 0 is red.

    Raises:
        OptionError: see `check_has_board`.
    """
    check_has_board(state.game)
    assert isinstance(state, Position)
    grid, position = state.game.grid, state
    lines = [line_of(grid, move) for move in grid.moves if position.edges >> move & 1]
    red, blue = ([box_of(grid, box) for box in _members(boxes)] for boxes in position.boxes_of)
    return Board(grid.rows, lines, red, blue)


def line_of(grid: Grid, move: Move) -> Line:
    """Return the line of the edge `move`."""
    if move < grid.horizontals:
        row, x = divmod(move, grid.cols)
        y = grid.rows - row
        return x, y, x + 1, y
    row, x = divmod(move - grid.horizontals, grid.cols + 1)
    y = grid.rows - row - 1
    return x, y, x, y + 1


def move_of(grid: Grid, line: Line) -> Move:
    """Return the edge of `line`, which must be on the board; the inverse of `line_of`."""
    i, j, r, _ = line
    if r > i:
        return Move((grid.rows - j) * grid.cols + i)
    return Move(grid.horizontals + (grid.rows - j - 1) * (grid.cols + 1) + i)


def box_of(grid: Grid, box: int) -> Box:
    """Return the bottom left dot of box number `box`."""
    row, x = divmod(box, grid.cols)
    return x, grid.rows - row - 1


def _members(boxes: int) -> list[int]:
    return [box for box in range(boxes.bit_length()) if boxes >> box & 1]
