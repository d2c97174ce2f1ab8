"""The exact judge of recorded games: it values a position by the theory of endgames or by search.

`theory.judging` goes through a game with it. It stands apart from `solver`, which every start of a
command imports.
"""

from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.solve.result import Stop
from boxroom_engine.games.dots.solve.solver import Solver
from boxroom_engine.games.dots.theory.endgame import best_endgame_moves, endgame_value, is_endgame
from boxroom_engine.games.dots.theory.judging import Judgement


def judge_exactly(position: Position, solver: Solver, stop: Stop | None = None) -> Judgement | None:
    """The exact judgement of `position`, by the theory of endgames or else by search.

    None if `stop` ended the search before everything was known.
    """
    if is_endgame(position):
        return Judgement(float(endgame_value(position)), True, best_endgame_moves(position))
    solved = solver.solve(position.edges, stop=stop)
    return Judgement(float(solved.value), True, solved.best_moves) if solved.exact else None
