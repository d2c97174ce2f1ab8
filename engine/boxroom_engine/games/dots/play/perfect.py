"""Perfect moves for two players, as soon as the solver gets to the end of the game in time.

On 5×5 that is from about half the game on. Chains and loops alone, and what can be taken at no
cost, need no search. Searches that can't end in time, as far as is known before, aren't begun.
"""

import math
from functools import partial

from boxroom_engine.games.abilities import PerfectMoves
from boxroom_engine.games.dots.play.neutral_search import can_stay_neutral
from boxroom_engine.games.dots.play.offers import offer_in
from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.solve.solver import KernelSolver, Solver, shared_solver
from boxroom_engine.games.dots.theory.endgame import best_endgame_moves, is_endgame
from boxroom_engine.games.protocol import Seat
from boxroom_engine.stopping import Limit, SearchStopped

_NEUTRAL_MOVES_IN_A_SECOND = 14
"""With more of them to come, the kernel solves hardly a position of 4×4 or 5×5 in a second. With
two more it takes about ten times as long."""

_FEWER_WITHOUT_KERNEL = 5
"""The solver in Python gets as far with so many less."""

_MOST_EDGES_WITHOUT_KERNEL = 128
"""On larger boards the solver in Python may not notice in time that it is to stop."""


_NOT_IN_TIME: PerfectMoves[Position] = PerfectMoves(())


def perfect_moves(position: Position, limit: Limit) -> PerfectMoves[Position]:
    """Perfect moves, though not always all of them; none if there isn't the time.

    Two seats must be in play.
    """
    if is_endgame(position):
        return PerfectMoves(best_endgame_moves(position))
    offer = offer_in(position)
    if offer is not None and offer.decline is None:
        return PerfectMoves((offer.take,))
    solver = _solver_for(position, limit.budget_s)
    if solver is None:
        return _NOT_IN_TIME
    solved = solver.solve(position.edges, stop=limit.stop)
    if solved.least != solved.most:
        return _NOT_IN_TIME
    # If it was stopped after it knew the value, there are perfect moves too, though not all.
    return PerfectMoves(solved.best_moves, partial(_margin_at_end, solver, limit))


def _margin_at_end(solver: Solver, limit: Limit, position: Position, seat: Seat) -> float:
    """The boxes by which `seat` is ahead of the other at the end.

    Raises:
        SearchStopped: there is no time.
    """
    solved = solver.solve(position.edges, moves=False, stop=limit.stop)
    if solved.least != solved.most:
        raise SearchStopped
    return position.evaluate(seat) + (solved.value if position.to_move == seat else -solved.value)


def _solver_for(position: Position, time_s: float) -> Solver | None:
    """The solver, or None if it is known at once that it won't end in so many seconds."""
    if not time_s:
        return None
    moves = _NEUTRAL_MOVES_IN_A_SECOND + 2 * math.log10(time_s)
    if can_stay_neutral(position, moves):
        return None
    grid = position.game.grid
    solver = shared_solver(grid.rows, grid.cols)
    if isinstance(solver, KernelSolver):
        return solver
    is_small = grid.edges <= _MOST_EDGES_WITHOUT_KERNEL
    is_near = not can_stay_neutral(position, moves - _FEWER_WITHOUT_KERNEL)
    return solver if is_small and is_near else None
