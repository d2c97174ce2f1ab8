"""The exact judge of recorded games: it values positions by the theory of endgames or by search.

`review.judging` goes through a game with it. It stands apart from `solver`, which every start of a
command imports.
"""

from collections.abc import Callable

from boxroom_engine.games.abilities import Judgement, Outlook
from boxroom_engine.games.dots.rules.state import Dots, Position
from boxroom_engine.games.dots.solve.best_play import best_play
from boxroom_engine.games.dots.solve.max_n import MaxNSolver
from boxroom_engine.games.dots.solve.solver import Solver, solver_for
from boxroom_engine.games.dots.theory.endgame import best_endgame_moves, endgame_value, is_endgame
from boxroom_engine.games.dots.theory.facts import seats_in_play
from boxroom_engine.games.protocol import Move
from boxroom_engine.stopping import SearchStopped, StopToken

_SMALL_EDGES = 31
"""The edges of 3×4 boxes. A search of a larger board gets a large table."""

_SMALL_TABLE_BYTES = 1 << 26
_LARGE_TABLE_BYTES = 1 << 28


class TimedJudge:
    """A judge with a time limit, for the positions of one game from its end to its beginning.

    After the first position that takes longer, and once `stop` is met, it judges no more: earlier
    positions would take longer still. `clock` returns seconds; `most_table_bytes` limits the memory
    for what it learns.
    """

    def __init__(
        self,
        game: Dots,
        limit_s: float,
        stop: StopToken,
        clock: Callable[[], float],
        most_table_bytes: int = _LARGE_TABLE_BYTES,
    ) -> None:
        self._game = game
        is_small = game.grid.edges <= _SMALL_EDGES
        wanted_bytes = _SMALL_TABLE_BYTES if is_small else _LARGE_TABLE_BYTES
        self._table_bytes = min(wanted_bytes, most_table_bytes)
        self._solver = solver_for(game.rows, game.cols, self._table_bytes)
        # By the number of seats in play, unless they are two.
        self._solvers_for_all: dict[int, MaxNSolver] = {}
        self._limit_s = limit_s
        self._stop = stop
        self._clock = clock
        # Whether a position has exceeded the limit.
        self._is_too_early = False

    def __call__(self, position: Position) -> Judgement | None:
        """Return the value of `position`; None if the limit is too short."""
        if self._is_too_early or self._stop():
            return None
        until_s = self._clock() + self._limit_s
        stop = self._stop.within(lambda: until_s - self._clock())
        seats = seats_in_play(position)
        if seats != 2:
            judgement = self._judge_for_all(position, seats, stop)
        else:
            judgement = judge_exactly(position, self._solver, stop)
        self._is_too_early = judgement is None
        return judgement

    def outlook(self, position: Position, move: Move) -> Outlook:
        """Return best play by both from `move` on; only the move itself unless two play."""
        if seats_in_play(position) != 2:
            return Outlook((move,))
        try:
            return best_play(position, move, self._exactly)
        except SearchStopped:
            return Outlook((move,))

    def _exactly(self, position: Position) -> Judgement:
        judgement = judge_exactly(position, self._solver, self._stop)
        if judgement is None:
            raise SearchStopped
        return judgement

    def _judge_for_all(self, position: Position, seats: int, stop: StopToken) -> Judgement | None:
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


def judge_exactly(
    position: Position, solver: Solver, stop: StopToken | None = None
) -> Judgement | None:
    """The exact judgement of `position`, by the theory of endgames or else by search.

    None if `stop` ended the search before everything was known.
    """
    if is_endgame(position):
        return Judgement(float(endgame_value(position)), True, best_endgame_moves(position))
    solved = solver.solve(position.edges, stop=stop)
    return Judgement(float(solved.value), True, solved.best_moves) if solved.exact else None
