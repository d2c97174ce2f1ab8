"""The choice among equally good moves: the one with the best result against replies at random.

Against perfect play all moves with the greatest value are the same, and where that is a loss or a
draw, they are often many. Against a player that makes mistakes they differ. Here the *expected
score* of a position says by how much, for a seat that goes on to play perfectly:

- At the end of the game it is the score.
- When it is the seat's turn, it is the greatest among the children whose *value* is the greatest:
  the seat gives nothing away in the hope of a mistake.
- When it is another's turn, it is the mean among all children, for each reply is as likely.

The first reply at random is looked at by itself, so that the expected score is the value and what
replies that are mistakes give away on average; then two replies, four, and so on to the end of the
game, as far as the stop condition and the number of positions allow.
"""

from collections.abc import Callable, Mapping, Sequence

from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.search.memo import Memo
from boxroom_engine.search.minimax import best_valued_moves
from boxroom_engine.stopping import PositionCounter, SearchStopped, Stop, never

Value = Callable[[State, Seat], float]
"""Returns the highest guaranteed score of a seat; raises SearchStopped if it takes too long."""

MOST_POSITIONS = 5_000
"""The number of positions after which no further reply is looked at; it takes some tenths of a
second, and doesn't depend on the time, so that games can be repeated."""

MOST_REPLIES = 1_000
"""More than there are in a game that can be searched."""

_DIGITS = 9
"""Means that differ in later ones are the same but for rounding."""


def most_promising_moves(
    state: State,
    values: Mapping[Move, float],
    value: Value,
    stop: Stop = never,
    most_replies: int = MOST_REPLIES,
) -> Sequence[Move]:
    """Return the moves with the greatest value, and among these with the greatest expected score.

    Args:
        state: a position that isn't over.
        values: the score that moves guarantee to the seat to move.
        value: the function that these values are from.
        stop: the stop condition; the result is then that of the last number of replies.
        most_replies: the largest number of replies at random.
    """
    best: Sequence[Move] = best_valued_moves(values)
    if len(best) < 2 or (values[best[0]] == 1 and state.game.kind.only_the_win_counts):
        return best
    search = _Expectation(state, value, stop)
    replies = 1
    try:
        while replies <= most_replies and not search.is_whole:
            best = search.best_of(best_valued_moves(values), replies)
            replies *= 2
    except (SearchStopped, RecursionError):
        pass
    return best


class _Expectation:
    """Expected scores for the seat to move in `state`."""

    def __init__(self, state: State, value: Value, stop: Stop) -> None:
        assert state.to_move is not None
        self._state = state
        self._seat = state.to_move
        self._value = value
        # Counts positions, and checks the stop condition.
        self._counter = PositionCounter(lambda: stop() or self._counter.positions >= MOST_POSITIONS)
        self._known = Memo[float]()  # the expected scores by position and number of replies left
        self.is_whole = False
        """Whether no line that was searched last ended before the game did."""

    def best_of(self, moves: Sequence[Move], replies: int) -> Sequence[Move]:
        """Return those of `moves` with the greatest expected score, after `replies` at random.

        Raises:
            SearchStopped: the stop condition was met, or there are too many positions.
            RecursionError: the game is too long.
        """
        self.is_whole, self._known = True, Memo()
        return best_valued_moves(
            {move: self._expected(self._state.play(move), replies) for move in moves}
        )

    def _expected(self, state: State, replies: int) -> float:
        """Return the expected score of `state`; after `replies` at random it is the value."""
        if state.to_move is None:
            return state.evaluate(self._seat)
        if not replies:
            self.is_whole = False
            return self._value(state, self._seat)
        known = self._known.get((state.key, replies))
        if known is not None:
            return known
        self._counter.count()
        children = [state.play(move) for move in state.legal_moves()]
        if state.to_move == self._seat:
            expected = max(self._expected(child, replies) for child in self._best(children))
        else:
            expected = sum(self._expected(child, replies - 1) for child in children) / len(children)
        self._known.store((state.key, replies), round(expected, _DIGITS))
        return round(expected, _DIGITS)

    def _best(self, children: Sequence[State]) -> Sequence[State]:
        """Return the positions with the greatest value."""
        values = [self._value(child, self._seat) for child in children]
        most = max(values)
        return [child for child, value in zip(children, values, strict=True) if value == most]
