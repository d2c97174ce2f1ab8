"""The judge of recorded games: exact, with a time limit for each position."""

import time
from collections.abc import Callable

from boxroom_engine.games.dots import Dots, Position
from boxroom_engine.games.dots.solve.judge import judge_exactly
from boxroom_engine.games.dots.solve.solver import solver_for
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
        is_small = game.grid.edges <= _SMALL_EDGES
        table_bytes = _SMALL_TABLE_BYTES if is_small else _LARGE_TABLE_BYTES
        self._solver = solver_for(game.rows, game.cols, table_bytes)
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
        judgement = judge_exactly(
            position, self._solver, lambda: self._is_to_stop() or self._clock() >= until_s
        )
        self._is_too_early = judgement is None
        return judgement
