"""What a position is worth to a seat, and what the forms of minimax share.

The *value* of a position for a seat is its highest guaranteed score: what the seat ends with at
least if it plays as well as can be, whatever the others do.

- When the game is over, it is the score: `State.evaluate`, the points ahead of the best other.
  That is +1 for a win, 0 for a draw and −1 for a loss where nothing is counted, as in noughts and
  crosses, and the margin in boxes in Dots and Boxes.
- When it is the seat's turn, it is the *greatest* value of the positions that its moves lead to.
- When it is another's, it is the *least* of them, for nothing more is guaranteed.

For two, what one wins the other loses, so the least for the one is the greatest for the other:
both play perfectly, and their values are opposite numbers. With more in play the others are taken
to play against the seat together. That is what can be guaranteed, not what is to be expected;
for that see `max_n`.

**Signs.** Minimax for two is often written with one rule instead of two: ask for the value of who
is to move, and take the greatest of the *opposites* of the values after each move. That is right
only if the turn passes with every move. In Dots and Boxes who completes a box moves again, and
then nothing may be turned around: the sign flips when the seat to move changes, and only then.
Here no sign is ever flipped. All values are those of one seat, and it is asked in every position
who is to move.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable

from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.search.memo import Memo
from boxroom_engine.search.stopping import Counter, Stop, never


class Minimax(ABC):
    """Minimax to the end of the game; the forms differ in how they get there.

    Args:
        stop: asked now and then whether to give up.
        memo: what is known already, and where to keep what is found; without it everything is
            searched as often as it comes up. It must be about the same game.
    """

    def __init__(self, stop: Stop = never, memo: Memo[float] | None = None) -> None:
        self._counter = Counter(stop)
        self._memo = memo

    @property
    def positions(self) -> int:
        """How many positions were searched, those at the end of a game not counted."""
        return self._counter.positions

    @abstractmethod
    def value(self, state: State, seat: Seat) -> float:
        """The highest guaranteed score of `seat` from `state` on.

        Raises:
            Stopped: the stop said so.
        """

    def values_of_moves(self, state: State) -> dict[Move, float]:
        """What each move guarantees to the seat to move, in a position that isn't over.

        Raises:
            Stopped: the stop said so.
        """
        seat = state.to_move
        assert seat is not None
        return {move: self.value(state.play(move), seat) for move in state.legal_moves()}

    def _known(self, state: State, seat: Seat) -> float | None:
        """The value of `state`, if it needn't be searched."""
        if state.to_move is None:
            return state.evaluate(seat)
        return None if self._memo is None else self._memo.recall((seat, state.key))

    def _keep(self, state: State, seat: Seat, value: float) -> None:
        """Take note of what was found."""
        if self._memo is not None:
            self._memo.keep((seat, state.key), value)


def choice(state: State, seat: Seat, values: Iterable[float]) -> float:
    """The value of `state` for `seat`, by the values of all positions that moves lead to."""
    return max(values) if state.to_move == seat else min(values)


def best_moves(values: dict[Move, float]) -> tuple[Move, ...]:
    """The moves with the greatest value, ascending; `values` are those of the seat to move."""
    most = max(values.values())
    return tuple(sorted(move for move, value in values.items() if value == most))
