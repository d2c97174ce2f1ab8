"""Max^n: the score of every seat if each seat maximises its own, searched to the end of the game.

The value of a position is a tuple with one number for each seat: the score that it ends with. The
seat to move takes the move whose value is the greatest in its own number. For two in a zero-sum
game that is minimax; with more in play it isn't, because no player plays against another.

A seat with several best moves must choose among them. So that the order of moves makes no
difference, it then chooses the most for the next seat, then for the one after it. That is a
convention: the values are those of one equilibrium among several, in which no seat can improve
alone.

Source: Carol Luckhardt and Keki Irani, "An Algorithmic Solution of N-Person Games" (AAAI 1986).
For Dots and Boxes `games.dots.solve.max_n` computes the same on larger boards.
"""

from collections.abc import Iterable

from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.search.memo import Memo
from boxroom_engine.stopping import PositionCounter, Stop, never

Scores = tuple[float, ...]
"""Final score of each seat: points ahead of the best other (`State.evaluate`)."""


class MaxNSearch:
    """Recursive max^n that searches every position once.

    Args:
        stop: the stop condition, checked now and then.
        memo: stores the scores of positions; by default one of the usual size.
    """

    def __init__(self, stop: Stop = never, memo: Memo[Scores] | None = None) -> None:
        self._counter = PositionCounter(stop)  # counts positions, and checks the stop condition
        self._memo: Memo[Scores] = memo or Memo()  # the scores of all positions searched so far

    @property
    def positions(self) -> int:
        """Number of positions searched, without those at the end of a game."""
        return self._counter.positions

    def scores(self, state: State) -> Scores:
        """Return the final score of each seat.

        Raises:
            SearchStopped: the stop condition was met.
            RecursionError: the game may last for more than some hundreds of moves.
        """
        seat = state.to_move
        if seat is None:
            return scores_at_end(state)
        known = self._memo.get(state.key)
        if known is not None:
            return known
        self._counter.count()
        children = [self.scores(state.play(move)) for move in state.legal_moves()]
        chosen = best_scores(seat, children)
        self._memo.store(state.key, chosen)
        return chosen

    def value(self, state: State, seat: Seat) -> float:
        """Return the final score of `seat`.

        Raises:
            SearchStopped, RecursionError: see `scores`.
        """
        return self.scores(state)[seat]

    def values_of_moves(self, state: State) -> dict[Move, float]:
        """Return the mover's final score after each legal move; the game mustn't be over.

        Raises:
            SearchStopped: the stop condition was met.
        """
        seat = state.to_move
        assert seat is not None
        return {move: self.value(state.play(move), seat) for move in state.legal_moves()}


def scores_at_end(state: State) -> Scores:
    """Return the score of each seat in a game that is over."""
    return tuple(state.evaluate(Seat(seat)) for seat in range(state.game.seats))


def best_scores(seat: Seat, children: Iterable[Scores]) -> Scores:
    """Return the scores that `seat` prefers: the most for itself, then for each seat after it."""
    return max(children, key=lambda scores: scores[seat:] + scores[:seat])
