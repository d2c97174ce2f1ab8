"""Time of the client to draw a large board: 30×30 boxes, of which 120×40 cells are visible.

A move changes the drawing; a cursor changes only the rows that are cut from it. A terminal
that shows 60 pictures a second has 16 ms for each.

    python benchmarks/redraw.py --rounds 300
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable
from itertools import cycle as endlessly

from boxroom_client.screen.board.cursor import Cursor, Direction, move_cells, step
from boxroom_client.screen.board.viewport import (
    Viewport,
    board_rows,
    choose_drawing,
    move_at,
    scrolled_to,
)
from boxroom_engine.games.dots import Border, Dots

FRAME_MS = 16.0
PANE = Viewport(0, 0, 120, 40)
NUMBERS = (0, 1, 2, 3)


class Redraw:
    """A half-played game on the screen, and the work after each kind of input."""

    def __init__(self, size: int) -> None:
        state = Dots(size, size, Border.NONE, len(NUMBERS)).initial()
        moves = list(state.legal_moves())
        random.Random(1).shuffle(moves)
        for move in moves[: len(moves) // 2]:
            state = state.play(move)
        self.state = state
        self.directions = endlessly(Direction)
        self.cursor: Cursor | None = None
        self.viewport = PANE
        self.draw()
        self.find_places()

    def draw(self) -> None:
        """Draw a new position."""
        self.drawing = choose_drawing(self.state, NUMBERS, columns=PANE.columns, lines=PANE.lines)

    def find_places(self) -> None:
        """Find the places to which the cursor can go."""
        self.places = move_cells(self.drawing)

    def cut_rows(self) -> None:
        """Cut out the visible rows."""
        cursor = None if self.cursor is None else self.cursor.move
        board_rows(self.drawing, self.viewport, numbers=NUMBERS, cursor=cursor)

    def after_a_move(self) -> None:
        """Do all that is needed after a move."""
        self.draw()
        self.find_places()
        self.viewport = scrolled_to(self.drawing, self.viewport)
        self.cut_rows()

    def after_a_key(self) -> None:
        """Do all that is needed when the cursor goes to the next place."""
        self.cursor = step(self.places, self.cursor, next(self.directions))
        assert self.cursor is not None
        self.viewport = scrolled_to(self.drawing, self.viewport, self.cursor.move)
        self.cut_rows()

    def click(self) -> None:
        """Find the place under the mouse."""
        move_at(self.drawing, self.viewport, 60, 20)


def milliseconds(act: Callable[[], None], rounds: int) -> list[float]:
    """Return the milliseconds of each of `rounds`."""
    spent = []
    for _ in range(rounds):
        start = time.perf_counter()
        act()
        spent.append((time.perf_counter() - start) * 1000)
    return spent


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--size", type=int, default=30, help="boxes each way (default %(default)s)")
    parser.add_argument("--rounds", type=int, default=300, help="of each (default %(default)s)")
    arguments = parser.parse_args()
    redraw = Redraw(arguments.size)
    acts = {
        "a move, all of it": redraw.after_a_move,
        "  the drawing": redraw.draw,
        "  the places of it": redraw.find_places,
        "  the rows seen": redraw.cut_rows,
        "a cursor key, all of it": redraw.after_a_key,
        "a click": redraw.click,
    }
    print("                              ms   of a frame     95 % within")
    for name, act in acts.items():
        spent = milliseconds(act, arguments.rounds)
        median = statistics.median(spent)
        most = statistics.quantiles(spent, n=20)[-1]
        print(f"{name:26} {median:5.2f} {median / FRAME_MS:12.0%} {most:12.2f} ms")


if __name__ == "__main__":
    main()
