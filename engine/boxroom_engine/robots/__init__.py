"""Writing robots: what a robot is given, and what it may answer.

A robot is a function. There are two forms of it:

- The *classic* one is for two on a square board of Dots and Boxes: it takes a `Board` and returns
  the list of all lines of one turn. `board` has its whole vocabulary, and `drawing` `drawboard`.
- The *modern* one is for any game, grid and number of players: it takes a `State` and returns one
  move, as a number or as people type it.

A robot whose parameter is called `board`, or annotated as `Board`, is classic; `bots.robot` makes
either a bot.

`referee` looks at what a robot has answered, and says which rule it broke; `geometry` turns
positions into boards, and lines into moves.

Source: the MALAI challenge "Dots and Boxes", whose names these are.
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
