"""Draughts: two players move men and kings on the dark squares of a board, and capture.

`board` has the squares as bits, `rules` what differs between English and international draughts,
`moves` the moves, `notation` their names, `pieces` their effects, `state` the game with its draw
rules, `text` parts of a position as text; `drawing` and `geometry` show it; `fen` and `pdn` are the
formats of other programs. Code that all games share lives in `games`. Other packages use the game
through the registry.
"""

from boxroom_engine.games.draughts.state import KIND, Draughts, Position

__all__ = ["KIND", "Draughts", "Position"]
