"""Dots and Boxes on any grid, for any number of players.

- `rules`: the game itself: grid, positions and moves, notation, drawing, symmetry.
- `theory`: properties of a position, found without search: strings, captures, endgames, control.
- `solve`: searches: solvers for exact play, and playouts where exact play can't reach.
- `play`: strategies that choose a move in limited time, with the theory and the searches.
- `abilities`: all that can be done with the game besides playing it, for `GameKind.abilities`.

Each knows nothing of those below it in this list. No bots are in here. Rooms, bots and clients may
import it; it imports `games`, the `kernel`, and what stands below them.
"""

from boxroom_engine.games.dots.rules.grid import Border, Grid, grid_of
from boxroom_engine.games.dots.rules.state import KIND, AlreadyDrawn, Dots, Position

__all__ = ["KIND", "AlreadyDrawn", "Border", "Dots", "Grid", "Position", "grid_of"]
