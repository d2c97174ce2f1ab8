"""Max^n: what every seat gets if each plays for itself, searched to the end of the game.

A position is worth a tuple, one number a seat: the score that each ends with. Who is to move takes
the position in which its own number is the greatest. For two who win what the other loses that is
minimax again; with more in play it is another thing, for nobody plays against anybody.

Who has several best moves decides between the others. So that it makes no difference in which
order moves are looked at, it then is taken to choose what gives the next seat the most, then the
one after it. That is a convention: the values are those of one way to play on among several, which
nobody can improve alone.

Source: Carol Luckhardt and Keki Irani, "An Algorithmic Solution of N-Person Games" (AAAI 1986).
For Dots and Boxes `games.dots.maxn` says the same of larger boards.
"""

from collections.abc import Iterable

from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.search.memo import Memo
from boxroom_engine.search.stopping import Counter, Stop, never

Scores = tuple[float, ...]
"""What each seat ends with: points ahead of the best other (`State.evaluate`)."""


class MaxN:
    """Max^n that searches every position once. It calls itself, as `Recursive` does.

    Args:
        stop: asked now and then whether to give up.
    """

    def __init__(self, stop: Stop = never) -> None:
        self._counter = Counter(stop)
        self._memo: Memo[Scores] = Memo()

    @property
    def positions(self) -> int:
        """How many positions were searched, those at the end of a game not counted."""
        return self._counter.positions

    def scores(self, state: State) -> Scores:
        """What each seat ends with.

        Raises:
            Stopped: the stop said so.
            RecursionError: the game may last for more than some hundreds of moves.
        """
        seat = state.to_move
        if seat is None:
            return scores_at_end(state)
        known = self._memo.recall(state.key)
        if known is not None:
            return known
        self._counter.count()
        after = [self.scores(state.play(move)) for move in state.legal_moves()]
        chosen = choice(seat, after)
        self._memo.keep(state.key, chosen)
        return chosen

    def values_of_moves(self, state: State) -> dict[Move, float]:
        """What the seat to move ends with after each move, in a position that isn't over.

        Raises:
            Stopped: the stop said so.
        """
        seat = state.to_move
        assert seat is not None
        return {move: self.scores(state.play(move))[seat] for move in state.legal_moves()}


def scores_at_end(state: State) -> Scores:
    """What each seat has ended with in a game that is over."""
    return tuple(state.evaluate(Seat(seat)) for seat in range(state.game.seats))


def choice(seat: Seat, after: Iterable[Scores]) -> Scores:
    """What `seat` chooses: the most for itself, then for the next one, and so around the table."""
    return max(after, key=lambda scores: scores[seat:] + scores[:seat])
