"""Analysis by search: the effect of each move on the result that is to be expected.

It is for games of two in which only the win counts. Each position is searched for the same time
(`boxroom_engine.search.alphabeta`). What is to be expected from it is exact if the search has
reached the end of the game; otherwise it is the game's own estimate, as in draughts. 1 stands for a
win, 0 for a draw, -1 for a loss.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from time import monotonic

from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.search.alphabeta import AlphaBetaResult, alpha_beta_search

COSTLY = 0.1
"""A move that loses less, which is 5 % of a win, is within the error of the search."""

_SEED = 1  # so that the same analysis has the same best moves


@dataclass(frozen=True, slots=True)
class SearchedMove:
    """One move of a game, and what its player could expect before it and after it."""

    number: int
    """Its place in the record, from 1, where withdrawals have numbers too."""
    seat: Seat
    move: Move
    best: Move
    """The best move that the search has found, perhaps this one."""
    before: float
    after: float
    exact: bool
    """Whether both expectations are exact."""

    @property
    def lost(self) -> float:
        """Loss of the move, 0 to 2."""
        return 0.0 if self.move == self.best else max(0.0, self.before - self.after)

    @property
    def is_costly(self) -> bool:
        """Whether it lost something to speak of."""
        return self.lost >= COSTLY


class Searcher:
    """The searches of the positions of one game, with `limit_s` seconds for each."""

    def __init__(self, limit_s: float, is_to_stop: Callable[[], bool]) -> None:
        self._limit_s = limit_s
        self._is_to_stop = is_to_stop
        self._rng = random.Random(_SEED)

    def __call__(self, state: State) -> AlphaBetaResult | None:
        """Return the best move of a position that isn't over; None if it is time to stop."""
        until_s = monotonic() + self._limit_s

        def stop() -> bool:
            return self._is_to_stop() or monotonic() >= until_s

        found = alpha_beta_search(state, self._rng, stop=stop)
        if found is None:  # one move ahead takes longer than the limit
            found = alpha_beta_search(state, self._rng, stop=self._is_to_stop, most_moves_ahead=1)
        return None if self._is_to_stop() else found


def searched_moves(
    positions: Sequence[State], search: Callable[[State], AlphaBetaResult | None]
) -> tuple[SearchedMove, ...]:
    """Return the moves of a game from some move on to its last one.

    The positions are searched from the end of the game to its beginning, until `search` returns
    None. Withdrawals are left out.
    """
    found: dict[int, AlphaBetaResult] = {}
    for ply in reversed(range(len(positions))):
        if positions[ply].to_move is None:
            continue
        result = search(positions[ply])
        if result is None:
            break
        found[ply] = result
    return tuple(_moves(positions, found))


def _moves(positions: Sequence[State], found: dict[int, AlphaBetaResult]) -> Iterator[SearchedMove]:
    for ply, (before, after) in enumerate(pairwise(positions)):
        if ply in found and before.withdrawn == after.withdrawn:
            assert before.to_move is not None
            result, seat = found[ply], before.to_move
            value, exact = _expected(after, found.get(ply + 1), seat)
            move = _move_between(before, after)
            is_exact = exact and result.is_exact
            yield SearchedMove(ply + 1, seat, move, result.move, result.value, value, is_exact)


def _expected(state: State, found: AlphaBetaResult | None, seat: Seat) -> tuple[float, bool]:
    """Return what `seat` can expect from a position, and whether that is exact."""
    if found is None:
        return state.evaluate(seat), True  # the game is over
    return (found.value if state.to_move == seat else -found.value), found.is_exact


def _move_between(before: State, after: State) -> Move:
    """Return the move from one position to the next, by its own name."""
    return next(move for move in before.legal_moves() if before.play(move) == after)
