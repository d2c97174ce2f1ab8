"""Stonehenge: two players claim cells of a hexagonal grid to take ley-lines.

`grid` has the cells and ley-lines of one size, `state` the rules and the notation, `drawing` the
drawings, `geometry` the shapes. Code that all games share lives in `games`. Other packages use the
game through the registry.

Source: the game of assignment 2 of CSC148 (University of Toronto, 2018).
"""

from boxroom_engine.games.stonehenge.state import KIND, CellClaimed, Position, Stonehenge

__all__ = ["KIND", "CellClaimed", "Position", "Stonehenge"]
