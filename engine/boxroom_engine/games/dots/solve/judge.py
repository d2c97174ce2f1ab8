"""The exact judge of recorded games: it values positions by the theory of endgames or by search.

`review.judging` goes through a game with it. It stands apart from `solver`, which every start of a
command imports.
"""

from collections.abc import Callable

from boxroom_engine.games.abilities import Judgement, Outlook, Solved
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

_FOR_REASONS = 0.05
"""Part of the limit that the best moves of a position may take, and so may each outlook."""


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
            judgement = value_of(position, self._solver, stop)
        self._is_too_early = judgement is None
        return judgement

    def best_moves(self, position: Position) -> tuple[Move, ...]:
        """Return all best moves; none unless they are found in a part of the limit."""
        if seats_in_play(position) != 2:
            return ()
        judgement = judge_exactly(position, self._solver, self._for_reasons())
        return () if judgement is None else judgement.best_moves

    def outlook(self, position: Position, move: Move) -> Outlook:
        """Return best play by both from `move` on; only the move itself unless two play."""
        if seats_in_play(position) != 2:
            return Outlook((move,))
        stop, after = self._for_reasons(), position.play(move)
        judgement = None if after.is_over else value_of(after, self._solver, stop)
        if judgement is None and not after.is_over:
            return Outlook((move,))
        margin = 0.0 if judgement is None else judgement.value

        def best_moves(later: Position) -> tuple[Move, ...]:
            found = judge_exactly(later, self._solver, stop)
            if found is None:
                raise SearchStopped
            return found.best_moves

        return best_play(position, move, margin, best_moves)

    def _for_reasons(self) -> StopToken:
        until_s = self._clock() + self._limit_s * _FOR_REASONS
        return self._stop.within(lambda: until_s - self._clock())

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


def value_of(position: Position, solver: Solver, stop: StopToken | None = None) -> Judgement | None:
    """The exact judgement of `position` with one best move or more: all would take longer.

    None if `stop` ended the search before the value was known.
    """
    if is_endgame(position):
        return _of_endgame(position)
    return _judgement(solver.solve(position.edges, moves=False, stop=stop))


def judge_exactly(
    position: Position, solver: Solver, stop: StopToken | None = None
) -> Judgement | None:
    """The exact judgement of `position` with all best moves, by the theory of endgames or search.

    None if `stop` ended the search before everything was known.
    """
    if is_endgame(position):
        return _of_endgame(position)
    return _judgement(solver.solve(position.edges, stop=stop))


def _of_endgame(position: Position) -> Judgement:
    return Judgement(float(endgame_value(position)), True, best_endgame_moves(position))


def _judgement(solved: Solved[int]) -> Judgement | None:
    return Judgement(float(solved.value), True, solved.best_moves) if solved.exact else None
