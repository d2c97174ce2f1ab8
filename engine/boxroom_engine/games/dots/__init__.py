"""Dots and Boxes on any grid, for any number of players.

- `grid`: a board's numbering and the tables that make a move cheap; no position.
- `notation`: moves and positions as text, both ways; plain values, no rules.
- `drawing`: a position for the eye; no rules.
- `state`: the rules: the game, its positions, and what a move does.

Only `state` knows the other three, so each can be read alone.
"""

from boxroom_engine.games.dots.grid import Border, Grid, grid_of
from boxroom_engine.games.dots.state import KIND, AlreadyDrawn, Dots, Position

__all__ = ["KIND", "AlreadyDrawn", "Border", "Dots", "Grid", "Position", "grid_of"]
