"""Alpha-beta search with iterative deepening, for any number of players.

**Depth limit.** Few games can be searched to their end. At the depth limit, `State.evaluate`
estimates the value of a position; it is exact at the end of a game only.

**Quiescence.** When to stop is for the game to say: an evaluation is wrong in the middle of an
exchange. Beyond the depth limit the search goes on as long as the next move can overturn it
(`GameKind.is_unsettled`), as in draughts as long as there is a capture.

**Alpha-beta pruning.** While the search goes through the moves of a position, it knows two bounds:
the searching seat is sure of `low` (alpha) by another line of play, and the others can hold it down
to `high` (beta) by another. Once a move shows that the value is outside of these bounds, perfect
play never reaches the position, and its other moves needn't be searched. If the best move always
comes first, the work is about the square root of minimax's, which allows twice the depth in the
same time.

**Iterative deepening.** To find a good move order, the search begins one move deep, then goes two
deep, and so on; in each position it first tries the best move of the iteration before. All
iterations before the last cost less than the last, and whenever the search is stopped it has an
answer.

As in `minimax`, a value is what the seat can guarantee against all others together. For more than
two in play that is called paranoid search.

Sources: Donald Knuth and Ronald Moore, "An Analysis of Alpha-Beta Pruning" (Artificial
Intelligence 6, 1975); Nathan Sturtevant and Richard Korf, "On Pruning Techniques for
Multi-Player Games" (AAAI 2000); for quiescence Arthur Samuel, "Some Studies in Machine Learning
Using the Game of Checkers" (IBM Journal 3, 1959).
"""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.search.random_replies import most_promising_moves
from boxroom_engine.stopping import PositionCounter, SearchStopped, Stop, never

MOST_MOVES_AHEAD = 200
"""Largest depth; a deeper search would come near to Python's recursion limit."""

_FREE_POSITIONS = 1_000
"""The number of positions that are looked at in any case to compare equally good moves."""


@dataclass(frozen=True, slots=True)
class Horizon:
    """The estimate of positions at the depth limit, and where the search goes beyond it."""

    estimate: Callable[[State, Seat], float]
    """Returns the value of a position that isn't over for a seat."""
    is_unsettled: Callable[[State], bool] | None = None
    """`GameKind.is_unsettled`; None: no position is."""


@dataclass(frozen=True, slots=True)
class AlphaBetaResult:
    """The best move of the last completed iteration."""

    move: Move
    value: float
    """Score that it guarantees to the seat to move; an estimate unless `is_exact`."""
    moves_ahead: int
    """Depth of the iteration."""
    is_exact: bool
    """Whether no value was estimated, because all searched lines reached the end of the game."""
    positions: int
    """Number of positions visited in all iterations, with those at the end of a game."""


def alpha_beta_search(
    state: State,
    rng: random.Random,
    *,
    stop: Stop = never,
    most_moves_ahead: int = MOST_MOVES_AHEAD,
    horizon: Horizon | None = None,
) -> AlphaBetaResult | None:
    """Return the best move in a position; None if there was no time for one iteration.

    Args:
        state: a position that isn't over.
        rng: decides between equally good moves.
        stop: the stop condition; the result is then that of the last completed iteration.
        most_moves_ahead: the depth limit, 1 to `MOST_MOVES_AHEAD`.
        horizon: by default the evaluation of the game.
    """
    search = _Search(state, rng, stop, horizon or horizon_of(state))
    found = None
    for moves_ahead in range(1, most_moves_ahead + 1):
        try:
            found = search.search_to(moves_ahead)
        except SearchStopped:
            break
        if found.is_exact:
            return replace(found, move=search.most_promising_move(found))
    return found


def horizon_of(state: State) -> Horizon:
    """Return the evaluation of the game itself."""
    return Horizon(type(state).evaluate, state.game.kind.is_unsettled)


class _Search:
    """The iterations of one search, with the state that they share."""

    def __init__(self, state: State, rng: random.Random, stop: Stop, horizon: Horizon) -> None:
        moves = state.legal_moves()
        self._state = state
        self._rng = rng
        # The moves of the root, shuffled, so that chance decides between equally good ones.
        self._moves = rng.sample(moves, len(moves))
        self._seat = state.to_move
        self._horizon = horizon
        self._most_positions = math.inf  # the number of positions after which to give up
        # Counts positions, and checks the stop condition.
        self._counter = PositionCounter(
            lambda: stop() or self._counter.positions >= self._most_positions
        )
        # The best move of each position in the iteration before, or in this one.
        self._best: dict[State, Move] = {}
        # Whether this iteration has estimated a value at its depth limit.
        self._has_estimated = False

    def search_to(self, moves_ahead: int) -> AlphaBetaResult:
        """Run one iteration, `moves_ahead` deep.

        Raises:
            SearchStopped: the stop condition was met.
        """
        self._has_estimated = False
        value = self._value(self._state, moves_ahead, -math.inf, math.inf)
        return AlphaBetaResult(
            self._best[self._state],
            value,
            moves_ahead,
            not self._has_estimated,
            self._counter.positions,
        )

    def most_promising_move(self, found: AlphaBetaResult) -> Move:
        """Return a move as good as that of `found`, an exact result, of `most_promising_moves`.

        To compare them costs at most as much as the search before, and little for short ones. The
        values of mistakes are estimates where the game doesn't end in time.
        """
        self._most_positions = 2 * found.positions + _FREE_POSITIONS
        try:
            values = {move: self._full_value(found, self._state.play(move)) for move in self._moves}
        except SearchStopped:
            return found.move
        value = partial(self._full_value, found)
        return self._rng.choice(most_promising_moves(self._state, values, value))

    def _full_value(self, found: AlphaBetaResult, state: State, _: Seat | None = None) -> float:
        """Return the value of `state`, searched as deep as for `found`."""
        return self._value(state, found.moves_ahead, -math.inf, math.inf)

    def _value(self, state: State, moves_ahead: int, low: float, high: float) -> float:
        """Return the value of `state` if it is between the bounds, else the nearer bound."""
        self._counter.count()
        assert self._seat is not None
        if state.to_move is None:
            return min(max(state.evaluate(self._seat), low), high)
        if moves_ahead <= 0 and self._is_settled(state):
            self._has_estimated = True
            return min(max(self._horizon.estimate(state, self._seat), low), high)
        is_own = state.to_move == self._seat
        for move in self._ordered_moves(state):
            value = self._value(state.play(move), moves_ahead - 1, low, high)
            if is_own and value > low:
                low = value
                self._best[state] = move
            elif not is_own and value < high:
                high = value
                self._best[state] = move
            if low >= high:
                break
        return low if is_own else high

    def _is_settled(self, state: State) -> bool:
        unsettled = self._horizon.is_unsettled
        return unsettled is None or not unsettled(state)

    def _ordered_moves(self, state: State) -> Sequence[Move]:
        """Return the moves of `state`, beginning with the best one of the iteration before."""
        moves = self._moves if state is self._state else state.legal_moves()
        best = self._best.get(state)
        return moves if best is None else [best, *(move for move in moves if move != best)]
