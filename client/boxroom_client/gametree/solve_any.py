"""The value of a position of any game: by exact search, or estimated by UCT.

For two in play the value is the final score that the seat to move can guarantee, +1, 0 or −1 where
a game is won or lost; for more it is the final score of each seat if each maximises its own.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from boxroom_client.gametree.solving import EXACT_PART, Effort, best_moves_sentence
from boxroom_client.shell.output.wording import margin
from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.search.max_n import MaxNSearch, Scores, best_moves, best_scores
from boxroom_engine.search.mcts import uct_search
from boxroom_engine.search.memo import BYTES_A_POSITION, Memo
from boxroom_engine.search.minimax import best_valued_moves
from boxroom_engine.search.pruned import PrunedMinimax
from boxroom_engine.stopping import SearchStopped
from boxroom_engine.wording import listed

_SEED = 0
"""Seed of the playouts, so that the same position gets a similar estimate each time."""

_BYTES_A_NODE = 2048
"""About the memory for a position in a tree of playouts."""


@dataclass(frozen=True, slots=True)
class AnyGameResult:
    """A `SolveResult` of exact search or of playouts."""

    state: State
    value: float | Scores | None
    best_moves: tuple[Move, ...]
    nodes: int
    exact: bool = True
    playouts: int = 0
    moves_known: int = 0
    """Number of moves whose exact values were known when the user interrupted the search."""

    def bounds(self) -> dict[str, object]:
        return {"playouts": self.playouts}

    def sentences(self) -> Iterator[str]:
        moves = [self.state.game.format_move(move) for move in self.best_moves]
        if self.exact:
            yield _value_text(self.state, self.value)
            yield best_moves_sentence(moves)
            return
        yield "The search ended before the value was known."
        if self.moves_known and isinstance(self.value, float | int):
            many = "1 move" if self.moves_known == 1 else f"{self.moves_known} moves"
            yield f"Of {many} that were searched the best is {listed(moves)}: {margin(self.value)}."
        elif moves:
            about = f"about {margin(self.value)}, and " if isinstance(self.value, float) else ""
            yield (
                f"An estimate: {about}{listed(moves)} seems best, after {self.playouts:,} playouts."
            )


def solve_any(state: State, effort: Effort) -> AnyGameResult:
    """Return the value of `state`, or an estimate if `effort` is too little for the exact one."""
    is_for_two = state.game.seats - len(state.withdrawn) == 2
    found = _for_two(state, effort) if is_for_two else _for_all(state, effort)
    if found.exact or effort.is_interrupted():
        return found
    return _estimate(state, effort, is_for_two=is_for_two)


def _for_two(state: State, effort: Effort) -> AnyGameResult:
    """Return the value for two; if stopped, the best of the moves that are known by then."""
    seat, moves = _to_move(state), state.legal_moves()
    values: dict[Move, float] = {}

    def progress() -> str:
        best = f", the best {margin(_plain(max(values.values())))}" if values else ""
        return f"{search.positions:,} positions; {len(values)} of {len(moves)} moves known{best}"

    search = PrunedMinimax(effort.stop(EXACT_PART, progress), _memo(effort))
    try:
        for move in moves:
            values[move] = search.value(state.play(move), seat)
    except SearchStopped:
        pass
    value = _plain(max(values.values())) if values else None
    best = best_valued_moves(values) if values else ()
    is_exact = len(values) == len(moves)
    return AnyGameResult(
        state, value, best, search.positions, is_exact, moves_known=0 if is_exact else len(values)
    )


def _memo(effort: Effort) -> Memo[Any]:
    return Memo(max(1, effort.memory_bytes // BYTES_A_POSITION))


def _for_all(state: State, effort: Effort) -> AnyGameResult:
    try:
        return _scores_for_all(state, effort)
    except SearchStopped:
        return AnyGameResult(state, None, (), 0, exact=False)


def _scores_for_all(state: State, effort: Effort) -> AnyGameResult:
    """Return the score of each seat.

    Raises:
        SearchStopped: a limit of `effort` was reached.
    """
    stop = effort.stop(EXACT_PART, lambda: f"{search.positions:,} positions")
    search = MaxNSearch(stop, _memo(effort))
    reached = search.scores_of_moves(state)
    scores = tuple(map(_plain, best_scores(state, reached.values())))
    return AnyGameResult(state, scores, tuple(best_moves(state, reached)), search.positions)


def _estimate(state: State, effort: Effort, *, is_for_two: bool) -> AnyGameResult:
    most = max(1, effort.memory_bytes // _BYTES_A_NODE)
    stop = effort.stop(1, lambda: "too long to search: estimating by playouts")
    build_tree = uct_search(state, random.Random(_SEED), stop=stop, most_playouts=most)
    best, playouts = build_tree.best, build_tree.playouts
    value = round(best.value, 2) if best is not None and is_for_two else None
    moves = () if best is None else (best.move,)
    # Every playout has added a position to the tree.
    return AnyGameResult(state, value, moves, nodes=playouts, exact=False, playouts=playouts)


def _value_text(state: State, value: float | Scores | None) -> str:
    mover = _to_move(state)
    who = f"player {mover + 1}, who is to move"
    if isinstance(value, tuple):
        shares = (
            f"{margin(score)} for {who if seat == mover else f'player {seat + 1}'}"
            for seat, score in enumerate(value)
        )
        return f"The scores at the end, if all play for themselves: {listed(shares)}."
    assert value is not None
    what = "a win" if value > 0 else "a loss" if value < 0 else "a draw"
    return f"{margin(value)}, {what}, for {who}."


def _plain(value: float) -> float:
    """Return a whole number as an int: 1, not 1.0."""
    return int(value) if value.is_integer() else value


def _to_move(state: State) -> Seat:
    assert state.to_move is not None
    return state.to_move
