"""Exact search of one position of any game to its end, and an estimate by UCT.

A position is worth the final score (`State.evaluate`): +1, 0 or −1 where a game is won or lost. For
games that have no solver of their own, which reaches further (`Abilities.solver`).
"""

import math
from random import Random
from typing import Any

from boxroom_engine.games.abilities import EstimatedMove, Solved
from boxroom_engine.games.protocol import Move, State
from boxroom_engine.search.max_n import MaxNSearch, Scores, best_moves, best_scores
from boxroom_engine.search.mcts import uct_search
from boxroom_engine.search.memo import BYTES_A_POSITION, Memo
from boxroom_engine.search.minimax import best_valued_moves
from boxroom_engine.search.pruned import PrunedMinimax
from boxroom_engine.stopping import SearchStopped, StopToken

_BYTES_A_NODE = 2048
"""About the memory for a position in a tree of playouts."""


class ExactSearch:
    """A `PositionSolver` that takes about `memory_bytes` for what it learns."""

    def __init__(self, state: State, memory_bytes: int) -> None:
        self._state = state
        self._is_for_two = state.game.seats - len(state.withdrawn) == 2
        self._most_nodes = max(1, memory_bytes // _BYTES_A_NODE)
        self._memo: Memo[Any] = Memo(max(1, memory_bytes // BYTES_A_POSITION))
        # For two: what the moves that have been searched are worth to the seat to move.
        self._values: dict[Move, float] = {}

    def search(self, stop: StopToken) -> Solved[Any]:
        return self._search_for_two(stop) if self._is_for_two else self._search_for_all(stop)

    def _search_for_two(self, stop: StopToken) -> Solved[float]:
        state, values = self._state, self._values
        moves, seat = state.legal_moves(), state.to_move
        assert seat is not None
        search = PrunedMinimax(lambda: stop.is_met(search.positions), self._memo)
        try:
            for move in moves:
                if move not in values:
                    values[move] = search.value(state.play(move), seat)
        except SearchStopped:
            pass
        is_exact = len(values) == len(moves)
        least = _plain(max(values.values(), default=-math.inf))
        best = best_valued_moves(values) if values else ()
        return Solved(least, least if is_exact else math.inf, best, search.positions, is_exact)

    def _search_for_all(self, stop: StopToken) -> Solved[Scores]:
        state = self._state
        search = MaxNSearch(lambda: stop.is_met(search.positions), self._memo)
        try:
            reached = search.scores_of_moves(state)
        except SearchStopped:
            least, most = (-math.inf,) * state.game.seats, (math.inf,) * state.game.seats
            return Solved(least, most, (), search.positions, exact=False)
        scores = tuple(map(_plain, best_scores(state, reached.values())))
        best = tuple(best_moves(state, reached))
        return Solved(scores, scores, best, search.positions, exact=True)

    def estimate(self, stop: StopToken, rng: Random) -> EstimatedMove | None:
        found = uct_search(self._state, rng, stop=stop, most_playouts=self._most_nodes)
        if found.best is None:
            return None
        value = found.best.value if self._is_for_two else None
        return EstimatedMove(found.best.move, value, found.playouts)


def _plain(value: float) -> float:
    """Return a whole number as an int: 1, not 1.0."""
    return int(value) if value.is_integer() else value
