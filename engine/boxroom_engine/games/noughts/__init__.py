"""Noughts and crosses for two to ten players, on a board of any number of dimensions.

- `board`: cells, places, and all straight lines, without players; `symmetries`: its symmetries.
- `notation`: boards and moves as people type them.
- `layout`: slices beside and below each other.
- `drawing`: positions as rows of text, slice by slice.
- `geometry`: the shapes of the cells.
- `state`: the rules, and positions as text.
- `worksheet`: boards of 3×3 in the form `o|x|x`.
- `forced`, `expectation`: moves to search, and the likely result by open lines.
- `abilities`: all that can be done with the game besides playing it.

Code that all games share lives in `games`. Other packages use the game through the registry.
"""

from boxroom_engine.games.noughts.state import KIND, CellTaken, Noughts, Position

__all__ = ["KIND", "CellTaken", "Noughts", "Position"]
