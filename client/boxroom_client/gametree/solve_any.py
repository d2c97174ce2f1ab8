"""What a position of any game is worth: exact search, or an estimate by the tree of playouts.

For two in play a value is what the seat to move is guaranteed in the end, +1, 0 or −1 where a game
is won or lost; for more it is what each seat ends with if all play for themselves.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from boxroom_client.gametree.answer import best_in_words
from boxroom_client.gametree.time_limit import EXACT_PART, stop_after
from boxroom_client.shell.output.wording import margin
from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.search.iterative import Iterative
from boxroom_engine.search.max_n import MaxN, Scores, choice
from boxroom_engine.search.mcts import grow
from boxroom_engine.search.memo import Memo
from boxroom_engine.search.minimax import best_moves
from boxroom_engine.search.stopping import Stop, Stopped
from boxroom_engine.wording import listed

_SEED = 0
"""Of the playouts of an estimate: the same question gets much the same answer."""


@dataclass(frozen=True, slots=True)
class AnyAnswer:
    """What search knows of a position, or the playouts make likely."""

    state: State
    value: float | Scores | None
    best_moves: tuple[Move, ...]
    nodes: int
    exact: bool = True
    playouts: int = 0

    def bounds(self) -> dict[str, object]:
        """What the estimate stands on."""
        return {"playouts": self.playouts}

    def in_words(self) -> Iterator[str]:
        """The same for people."""
        moves = [self.state.game.format_move(move) for move in self.best_moves]
        if self.exact:
            yield _worth(self.state, self.value)
            yield best_in_words(moves)
            return
        yield "The search ended before the value was known."
        if moves:
            about = f"about {margin(self.value)}, and " if isinstance(self.value, float) else ""
            yield (
                f"An estimate: {about}{listed(moves)} seems best, after {self.playouts:,} playouts."
            )


def solve_any(state: State, limit_s: float | None) -> AnyAnswer:
    """What `state` is worth, or about, if that isn't known after so many seconds."""
    stop = stop_after(None if limit_s is None else limit_s * EXACT_PART)
    is_for_two = state.game.seats - len(state.withdrawn) == 2
    try:
        return _for_two(state, stop) if is_for_two else _for_all(state, stop)
    except Stopped:
        assert limit_s is not None
        return _estimate(state, stop_after(limit_s * (1 - EXACT_PART)), is_for_two=is_for_two)


def _for_two(state: State, stop: Stop) -> AnyAnswer:
    search = Iterative(stop, Memo())
    values = search.values_of_moves(state)
    value = _plain(max(values.values()))
    return AnyAnswer(state, value, best_moves(values), search.positions)


def _for_all(state: State, stop: Stop) -> AnyAnswer:
    seat, search = _to_move(state), MaxN(stop)
    after = {move: search.scores(state.play(move)) for move in state.legal_moves()}
    best = best_moves({move: scores[seat] for move, scores in after.items()})
    scores = tuple(map(_plain, choice(seat, after.values())))
    return AnyAnswer(state, scores, best, search.positions)


def _estimate(state: State, stop: Stop, *, is_for_two: bool) -> AnyAnswer:
    grown = grow(state, random.Random(_SEED), stop=stop)
    best, playouts = grown.best, grown.playouts
    value = round(best.value, 2) if best is not None and is_for_two else None
    moves = () if best is None else (best.move,)
    # Every playout has added a position to the tree.
    return AnyAnswer(state, value, moves, nodes=playouts, exact=False, playouts=playouts)


def _worth(state: State, value: float | Scores | None) -> str:
    mover = _to_move(state)
    who = f"player {mover + 1}, who is to move"
    if isinstance(value, tuple):
        shares = (
            f"{margin(score)} for {who if seat == mover else f'player {seat + 1}'}"
            for seat, score in enumerate(value)
        )
        return f"What each ends with, if all play for themselves: {listed(shares)}."
    assert value is not None
    what = "a win" if value > 0 else "a loss" if value < 0 else "a draw"
    return f"{margin(value)}, {what}, for {who}."


def _plain(value: float) -> float:
    """A whole number as such: 1, not 1.0."""
    return int(value) if value.is_integer() else value


def _to_move(state: State) -> Seat:
    assert state.to_move is not None
    return state.to_move
