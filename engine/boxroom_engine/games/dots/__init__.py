"""Dots and Boxes on any grid, for any number of players.

- `grid`: a board's numbering and the tables that make a move cheap; no position.
- `notation`: moves and positions as text, both ways; plain values, no rules.
- `drawing`: a position for the eye; no rules.
- `symmetry`: which positions are the same, for the tables of searches; no rules.
- `state`: the rules: the game, its positions, and what a move does.

Only `state` knows the other four, so each can be read alone. What the theory says of a position
stands on all of them, and the rules know nothing of it:

- `parts`: the chains, loops, joints and neutral edges that it consists of.
- `structure`: what there is to take, and what each move gives away.
- `neutral`: how long players can wait before somebody has to open a chain.
- `control`: who decides where the game goes on: loony moves, handouts, the long chain rule.
- `endgame`: what chains and loops are worth when nothing else is left.
- `facts`: what a move does, in the words of all these.

And exact play, which searches every game from a position on:

- `exact`: the solver to use for two.
- `solved`: what a solver for two finds out.
- `twin`: the solver for two in Python; `_kernel` is the one in C++.
- `maxn`: exact play for three and more.

Beyond that, for any number of players, a solver tries out how a game may go on:

- `field`: a position that playouts draw edge after edge on, and how it ends.
- `tree`: the tree of those playouts; the kernel has its own.
- `grown`: what comes of it.

`judging` stands on both: what each move of a game of two lost.
"""

from boxroom_engine.games.dots.rules.grid import Border, Grid, grid_of
from boxroom_engine.games.dots.rules.state import KIND, AlreadyDrawn, Dots, Position

__all__ = ["KIND", "AlreadyDrawn", "Border", "Dots", "Grid", "Position", "grid_of"]
