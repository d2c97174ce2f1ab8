"""Minimax by recursion, as textbooks write it."""

from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.search.minimax import MinimaxSearch, backed_up_value


class RecursiveMinimax(MinimaxSearch):
    """Minimax that calls itself for the positions after each move.

    The recursion is as deep as the game is long, with two Python calls for each move. Python allows
    a thousand of them, so a game that may last more than some hundreds of moves ends in a
    RecursionError; `IterativeMinimax` has no such limit.
    """

    def value(self, state: State, seat: Seat) -> float:
        """Return the highest guaranteed score of `seat` from `state` on.

        Raises:
            SearchStopped: the stop condition was met.
            RecursionError: the game is too long.
        """
        known = self._known(state, seat)
        if known is not None:
            return known
        self._counter.count()
        children = [self.value(state.play(move), seat) for move in state.legal_moves()]
        value = backed_up_value(state, seat, children)
        self._store(state, seat, value)
        return value
