"""The judge of recorded games: exact, with a time limit for each position."""

import time
from collections.abc import Callable

from boxroom_engine.games.dots import Dots, Position
from boxroom_engine.games.dots.solve.judge import judge_exactly
from boxroom_engine.games.dots.solve.max_n import MaxNSolver
from boxroom_engine.games.dots.solve.result import Stop
from boxroom_engine.games.dots.solve.solver import solver_for
from boxroom_engine.games.dots.theory.facts import seats_in_play
from boxroom_engine.games.dots.theory.judging import Judgement

_SMALL_EDGES = 31
"""The edges of 3×4 boxes. A search of a larger board gets a large table."""

_SMALL_TABLE_BYTES = 1 << 26
_LARGE_TABLE_BYTES = 1 << 28


class TimedJudge:
    """A `Judge` with a time limit, for the positions of one game from its end to its beginning.

    After the first position that takes longer, and once `is_to_stop` returns True, it judges no
    more: earlier positions would take longer still.
    """

    def __init__(
        self,
        game: Dots,
        limit_s: float,
        is_to_stop: Callable[[], bool],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._game = game
        is_small = game.grid.edges <= _SMALL_EDGES
        self._table_bytes = _SMALL_TABLE_BYTES if is_small else _LARGE_TABLE_BYTES
        self._solver = solver_for(game.rows, game.cols, self._table_bytes)
        # By the number of seats in play, for more than two.
        self._solvers_for_all: dict[int, MaxNSolver] = {}
        self._limit_s = limit_s
        self._is_to_stop = is_to_stop
        self._clock = clock
        # Whether a position has exceeded the limit.
        self._is_too_early = False

    def __call__(self, position: Position) -> Judgement | None:
        """Return the value of `position`; None if the limit is too short."""
        if self._is_too_early or self._is_to_stop():
            return None
        until_s = self._clock() + self._limit_s

        def stop() -> bool:
            return self._is_to_stop() or self._clock() >= until_s

        seats = seats_in_play(position)
        if seats > 2:
            judgement = self._judge_for_all(position, seats, stop)
        else:
            judgement = judge_exactly(position, self._solver, stop)
        self._is_too_early = judgement is None
        return judgement

    def _judge_for_all(self, position: Position, seats: int, stop: Stop) -> Judgement | None:
        """Return the value if every seat plays for its own boxes; None if stopped."""
        game = self._game
        if seats not in self._solvers_for_all:
            self._solvers_for_all[seats] = MaxNSolver(
                game.rows, game.cols, seats, self._table_bytes
            )
        solved = self._solvers_for_all[seats].solve(position, stop=stop)
        if not solved.exact:
            return None
        assert position.to_move is not None
        value = float(solved.value[position.to_move])
        return Judgement(value, exact=True, best_moves=solved.best_moves, shares=solved.value)
