"""Minimax as one writes it down: the value of a position by the values of those after it."""

from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.search.minimax import Minimax, choice


class Recursive(Minimax):
    """Minimax that calls itself.

    It goes as deep as the game is long, with two calls of Python for each move. Python allows a
    thousand of them, so a game that may last more than some hundreds of moves ends in a
    RecursionError: that is for `Iterative`.
    """

    def value(self, state: State, seat: Seat) -> float:
        """The highest guaranteed score of `seat` from `state` on.

        Raises:
            Stopped: the stop said so.
            RecursionError: the game is too long.
        """
        known = self._known(state, seat)
        if known is not None:
            return known
        self._counter.count()
        after = [self.value(state.play(move), seat) for move in state.legal_moves()]
        value = choice(state, seat, after)
        self._keep(state, seat, value)
        return value
