"""The minimax value of a position, and the common part of its two algorithms.

The *value* of a position for a seat is its highest guaranteed score: what the seat ends with at
least if it plays as well as possible, whatever the others do.

- At the end of the game it is the score, `State.evaluate`. That is +1 for a win, 0 for a draw and
  −1 for a loss where nothing is counted, as in noughts and crosses, and in Dots and Boxes the
  margin in boxes of two, or the seat's own boxes with more in play.
- When it is the seat's turn, it is the *greatest* value among the children, the positions after
  each legal move.
- When it is another's turn, it is the *least* of them, for nothing more is guaranteed.

For two, one player's gain is the other's loss, so the least for the one is the greatest for the
other: both play perfectly, and their values are opposite numbers. With more in play the others are
assumed to play against the seat together ("paranoid"). That is what the seat can guarantee, not
what it can expect; for that see `max_n`.

**Signs.** Minimax for two is often written as negamax: compute the value for the player to move,
the greatest of the *negated* values of the children. That is right only if the turn passes with
every move. In Dots and Boxes a player who completes a box moves again, and then the value mustn't
be negated. Here no sign is ever flipped: all values are those of one seat, and every position is
checked for who is to move.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping

from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.search.memo import Memo
from boxroom_engine.stopping import PositionCounter, Stop, never


class MinimaxSearch(ABC):
    """Minimax to the end of the game; subclasses differ in how they traverse the tree.

    Args:
        stop: the stop condition, checked now and then.
        memo: stores the values of positions; without it a position is searched as often as it
            recurs. Its values must be of the same game.
    """

    def __init__(self, stop: Stop = never, memo: Memo[float] | None = None) -> None:
        self._counter = PositionCounter(stop)  # counts positions, and checks the stop condition
        self._memo = memo

    @property
    def positions(self) -> int:
        """Number of positions searched, without those at the end of a game."""
        return self._counter.positions

    @abstractmethod
    def value(self, state: State, seat: Seat) -> float:
        """Return the highest guaranteed score of `seat` from `state` on.

        Raises:
            SearchStopped: the stop condition was met.
        """

    def values_of_moves(self, state: State) -> dict[Move, float]:
        """Return the score that each move guarantees to the seat to move; the game mustn't be over.

        Raises:
            SearchStopped: the stop condition was met.
        """
        seat = state.to_move
        assert seat is not None
        return {move: self.value(state.play(move), seat) for move in state.legal_moves()}

    def _known(self, state: State, seat: Seat) -> float | None:
        """Return the value of `state` if it is over or in the memo."""
        if state.to_move is None:
            return state.evaluate(seat)
        return None if self._memo is None else self._memo.get((seat, state.key))

    def _store(self, state: State, seat: Seat, value: float) -> None:
        """Store a value in the memo, if there is one."""
        if self._memo is not None:
            self._memo.store((seat, state.key), value)


def backed_up_value(state: State, seat: Seat, values: Iterable[float]) -> float:
    """Return the value of `state` for `seat`, given the values of all its children."""
    return max(values) if state.to_move == seat else min(values)


def best_valued_moves(values: Mapping[Move, float]) -> tuple[Move, ...]:
    """Return the moves with the greatest value, ascending; `values` are the mover's own."""
    most = max(values.values())
    return tuple(sorted(move for move, value in values.items() if value == most))
