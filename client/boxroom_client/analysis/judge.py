"""The judge of `boxroom analyse`: exact, as long as that takes no longer than it may."""

import time
from collections.abc import Callable

from boxroom_engine.games.dots import Dots, Position
from boxroom_engine.games.dots.solve.solver import judge_exactly, solver_for
from boxroom_engine.games.dots.theory.judging import Judgement

_SMALL_EDGES = 31
"""The edges of 3×4 boxes. For larger boards a search is given a large table."""

_SMALL_TABLE_BYTES = 1 << 26
_LARGE_TABLE_BYTES = 1 << 28


class PatientJudge:
    """A `Judge` with a limit for each position, for one game from its end to its beginning.

    After the first position that takes longer, and when it is told to stop, it judges none
    any more: those before would take longer still.
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
        self._is_too_early = False

    def __call__(self, position: Position) -> Judgement | None:
        """What `position` is worth, if it is known in time."""
        if self._is_too_early or self._is_to_stop():
            return None
        until_s = self._clock() + self._limit_s
        judgement = judge_exactly(
            position, self._solver, lambda: self._is_to_stop() or self._clock() >= until_s
        )
        self._is_too_early = judgement is None
        return judgement
