"""The solvers that this process keeps, so that a bot needn't learn anew with every move.

A solver remembers the positions that it has searched, and most of what one move made it look at
comes up again after the next. Kept are those of the few boards that were asked for last: a process
of a server plays for many rooms, and each solver takes 64 MB. What is remembered makes a search
shorter and never changes what it finds, so the bots remain without memory as far as anybody sees;
but for those that think under a time limit, who get further in the same time.

There are no locks here. A solver runs one search at a time, and a process has one bot thinking.
"""

from functools import lru_cache

from boxroom_engine.games.dots.solve.exact import solver_for
from boxroom_engine.games.dots.solve.solver import Solver

MOST_KEPT = 3
"""Solvers of so many boards are kept."""


@lru_cache(maxsize=MOST_KEPT)
def kept_solver(rows: int, cols: int) -> Solver:
    """The solver for boards of `rows × cols` boxes, the same one as long as it is kept."""
    return solver_for(rows, cols)
