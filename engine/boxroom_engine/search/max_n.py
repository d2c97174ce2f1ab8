"""Max^n: the score of every seat if each seat plays for itself, searched to the end of the game.

The value of a position is a tuple with one number for each seat: the score that it ends with, by
`State.evaluate`. The seat to move takes the move that it prefers by the rule of `preference`.
For two in a zero-sum game that is minimax; with more in play it isn't, because no player plays
against another. The values are those of one equilibrium among several, in which no seat can improve
alone.

For Dots and Boxes `games.dots.solve.max_n` finds the same on larger boards.
"""

from collections.abc import Iterable, Mapping

from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.preference import choice_key, preference
from boxroom_engine.search.memo import Memo
from boxroom_engine.stopping import PositionCounter, Stop, never

Scores = tuple[float, ...]
"""Final score of each seat (`State.evaluate`)."""


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
        if state.is_over:
            return scores_at_end(state)
        known = self._memo.get(state.key)
        if known is not None:
            return known
        self._counter.count()
        children = [self.scores(state.play(move)) for move in state.legal_moves()]
        chosen = best_scores(state, children)
        self._memo.store(state.key, chosen)
        return chosen

    def value(self, state: State, seat: Seat) -> float:
        """Return the final score of `seat`.

        Raises:
            SearchStopped, RecursionError: see `scores`.
        """
        return self.scores(state)[seat]

    def scores_of_moves(self, state: State) -> dict[Move, Scores]:
        """Return the final scores after each legal move; the game mustn't be over.

        Raises:
            SearchStopped, RecursionError: see `scores`.
        """
        return {move: self.scores(state.play(move)) for move in state.legal_moves()}


def scores_at_end(state: State) -> Scores:
    """Return the score of each seat in a game that is over."""
    return tuple(state.evaluate(Seat(seat)) for seat in range(state.game.seats))


def best_scores(state: State, reached: Iterable[Scores]) -> Scores:
    """Return the final scores that the seat to move chooses."""
    return max(reached, key=lambda scores: choice_key(_gains(state, scores), _to_move(state)))


def best_moves(state: State, reached: Mapping[Move, Scores]) -> dict[Move, float]:
    """Return the best of the moves that reach these final scores, with that of the seat to move."""
    wishes = {move: worth(state, scores) for move, scores in reached.items()}
    best, seat = max(wishes.values()), _to_move(state)
    return {move: reached[move][seat] for move in wishes if wishes[move] == best}


def worth(state: State, scores: Scores) -> tuple[float, float]:
    """Return what final `scores` are worth to the seat to move: best moves have the greatest."""
    return preference(_gains(state, scores), _to_move(state))


def _gains(state: State, scores: Scores) -> Scores:
    return tuple(end - now for end, now in zip(scores, state.scores, strict=True))


def _to_move(state: State) -> Seat:
    assert state.to_move is not None
    return state.to_move
