"""The board and the functions that authors of robots use, and the check of a robot's answers.

The `Bot` that wraps a robot is `bots.robot`; loading a robot's file and running it in a process is
the client's. Robots import this package; inside the engine only `bots` does.

A robot is a function. It has one of two forms:

- A *classic* robot plays for two on a square board of Dots and Boxes: it takes a `Board` and
  returns the list of all lines of one turn. `board` has the vocabulary, `drawing` has `drawboard`.
- A *modern* robot plays any game, on any grid, for any number of players: it takes a `State` and
  returns one move, as a number or as people type it.

A robot whose parameter is called `board`, or annotated as `Board`, is classic.

`referee` checks a robot's answer and names the rule that it broke; `geometry` converts positions
into boards, and lines into moves.

Source: the MALAI challenge "Dots and Boxes", which chose these names.
"""

from boxroom_engine.robots.board import (
    Board,
    Box,
    InvalidMove,
    Line,
    Player,
    countboxes,
    get_all_lines,
    getboxes,
    getnewboxes,
    isboxfilled,
    isvalidmove,
    make_random_move,
    makemove,
)
from boxroom_engine.robots.drawing import drawboard

__all__ = [
    "Board",
    "Box",
    "InvalidMove",
    "Line",
    "Player",
    "countboxes",
    "drawboard",
    "get_all_lines",
    "getboxes",
    "getnewboxes",
    "isboxfilled",
    "isvalidmove",
    "make_random_move",
    "makemove",
]
