"""Stonehenge: claim cells to take ley-lines, on a hexagonal grid for two players.

`grid` has the cells and ley-lines of one size, `state` the rules and what people type,
`drawing` what they see.

Source: the game of assignment 2 of CSC148 (University of Toronto, 2018).
"""

from boxroom_engine.games.stonehenge.state import KIND, CellClaimed, Position, Stonehenge

__all__ = ["KIND", "CellClaimed", "Position", "Stonehenge"]
