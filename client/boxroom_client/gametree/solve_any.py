"""The value of a position of any game: by exact search, or estimated by UCT.

For two in play the value is the final score that the seat to move can guarantee, +1, 0 or −1 where
a game is won or lost; for more it is the final score of each seat if each maximises its own.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from boxroom_client.gametree.solving import EXACT_PART, best_moves_sentence, stop_after
from boxroom_client.shell.output.wording import margin
from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.search.max_n import MaxNSearch, Scores, best_scores
from boxroom_engine.search.mcts import uct_search
from boxroom_engine.search.memo import Memo
from boxroom_engine.search.minimax import best_valued_moves
from boxroom_engine.search.pruned import PrunedMinimax
from boxroom_engine.search.stopping import SearchStopped, Stop
from boxroom_engine.wording import listed

_SEED = 0
"""Seed of the playouts, so that the same position gets a similar estimate each time."""


@dataclass(frozen=True, slots=True)
class AnyGameResult:
    """A `SolveResult` of exact search or of playouts."""

    state: State
    value: float | Scores | None
    best_moves: tuple[Move, ...]
    nodes: int
    exact: bool = True
    playouts: int = 0

    def bounds(self) -> dict[str, object]:
        """See `SolveResult`."""
        return {"playouts": self.playouts}

    def sentences(self) -> Iterator[str]:
        """See `SolveResult`."""
        moves = [self.state.game.format_move(move) for move in self.best_moves]
        if self.exact:
            yield _value_text(self.state, self.value)
            yield best_moves_sentence(moves)
            return
        yield "The search ended before the value was known."
        if moves:
            about = f"about {margin(self.value)}, and " if isinstance(self.value, float) else ""
            yield (
                f"An estimate: {about}{listed(moves)} seems best, after {self.playouts:,} playouts."
            )


def solve_any(state: State, limit_s: float | None) -> AnyGameResult:
    """Return the value of `state`, or an estimate if `limit_s` is too short for the exact one."""
    stop = stop_after(None if limit_s is None else limit_s * EXACT_PART)
    is_for_two = state.game.seats - len(state.withdrawn) == 2
    try:
        return _for_two(state, stop) if is_for_two else _for_all(state, stop)
    except SearchStopped:
        assert limit_s is not None
        return _estimate(state, stop_after(limit_s * (1 - EXACT_PART)), is_for_two=is_for_two)


def _for_two(state: State, stop: Stop) -> AnyGameResult:
    search = PrunedMinimax(stop, Memo())
    values = search.values_of_moves(state)
    value = _plain(max(values.values()))
    return AnyGameResult(state, value, best_valued_moves(values), search.positions)


def _for_all(state: State, stop: Stop) -> AnyGameResult:
    seat, search = _to_move(state), MaxNSearch(stop)
    scores_after = {move: search.scores(state.play(move)) for move in state.legal_moves()}
    best = best_valued_moves({move: scores[seat] for move, scores in scores_after.items()})
    scores = tuple(map(_plain, best_scores(seat, scores_after.values())))
    return AnyGameResult(state, scores, best, search.positions)


def _estimate(state: State, stop: Stop, *, is_for_two: bool) -> AnyGameResult:
    build_tree = uct_search(state, random.Random(_SEED), stop=stop)
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
