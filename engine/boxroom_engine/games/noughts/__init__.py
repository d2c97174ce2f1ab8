"""Noughts and crosses on a board of any number of dimensions; 3×3 unless somebody wants more.

- `board`: cells, places, and all straight lines; nothing of players.
- `notation`: boards and moves as people type them.
- `drawing`: a position for the eye, slice by slice.
- `state`: the rules, and positions as text.
- `worksheet`: boards of 3×3 in the form `o|x|x`.
"""

from boxroom_engine.games.noughts.state import KIND, CellTaken, Noughts, Position

__all__ = ["KIND", "CellTaken", "Noughts", "Position"]
