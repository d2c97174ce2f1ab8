"""The solver of one position, as any game can offer one (`PositionSolver`)."""

from random import Random
from typing import Any

from boxroom_engine.games.abilities import EstimatedMove, Solved
from boxroom_engine.games.dots.play.estimates import estimate_moves, scores_in_play
from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.solve.max_n import MaxNSolver
from boxroom_engine.games.dots.solve.solver import Solver, solver_for
from boxroom_engine.stopping import StopToken

_SMALL_EDGES = 31
"""The edges of 3×4 boxes. Their search needs no more than a small table.

Entries are scattered over a table, so all of its memory is in use at once.
"""

_SMALL_TABLE_BYTES = 1 << 26


class DotsSolver:
    """A `PositionSolver` that takes `memory_bytes` for what it learns."""

    def __init__(self, position: Position, memory_bytes: int) -> None:
        self._position = position
        rows, cols, in_play = position.game.rows, position.game.cols, len(scores_in_play(position))
        # One of the two searches: the first if two are in play.
        self._for_two: Solver | None = None
        if in_play == 2:
            is_small = position.game.grid.edges <= _SMALL_EDGES
            table_bytes = min(memory_bytes, _SMALL_TABLE_BYTES) if is_small else memory_bytes
            self._for_two = solver_for(rows, cols, table_bytes)
        else:
            self._for_all = MaxNSolver(rows, cols, in_play, memory_bytes)

    def search(self, stop: StopToken) -> Solved[Any]:
        if self._for_two is not None:
            return self._for_two.solve(self._position.edges, stop=stop)
        return self._for_all.solve(self._position, stop=stop)

    def estimate(self, stop: StopToken, rng: Random) -> EstimatedMove:
        thoughts = estimate_moves(self._position, stop, rng, solver=self._for_two)
        value = None if self._for_two is None else thoughts[0].margin
        return EstimatedMove(thoughts[0].move, value, sum(thought.visits for thought in thoughts))
