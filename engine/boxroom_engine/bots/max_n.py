"""Max^n: what every seat gets if each plays for itself, searched to the end of the game.

It knows nothing of a game but the rules. For two seats whose values are opposite it is minimax.
With more, who has several best moves decides between the others; the first of them is assumed, so
the values are those of one way to play on among several, which nobody can improve alone.

Source: Carol Luckhardt and Keki Irani, "An Algorithmic Solution of N-Person Games" (AAAI 1986).
"""

from collections.abc import Mapping

from boxroom_engine.bots.protocol import Limit
from boxroom_engine.games.protocol import Move, Seat, State

_STATES_BETWEEN_LOOKS = 32


def values_of_moves(state: State, limit: Limit) -> Mapping[Move, float] | None:
    """For each move what the seat to move ends with, in points ahead of the best other.

    None if `limit` expires before all is known. The game must not be over. The time grows with
    every move that is left: noughts and crosses 3×3 takes some tenths of a second from the start.
    """
    seat, search = state.to_move, _Search(limit)
    assert seat is not None
    try:
        return {move: search.values(state.play(move))[seat] for move in state.legal_moves()}
    except _TimeIsUp:
        return None


class _TimeIsUp(Exception):
    pass


class _Search:
    """Every state is searched once."""

    def __init__(self, limit: Limit) -> None:
        self._limit = limit
        self._known: dict[State, tuple[float, ...]] = {}

    def values(self, state: State) -> tuple[float, ...]:
        """What each seat ends with.

        Raises:
            _TimeIsUp: `limit` expired.
        """
        if state not in self._known:
            if len(self._known) % _STATES_BETWEEN_LOOKS == 0 and self._limit.expired():
                raise _TimeIsUp
            self._known[state] = self._searched(state)
        return self._known[state]

    def _searched(self, state: State) -> tuple[float, ...]:
        seat = state.to_move
        if seat is None:
            return tuple(state.evaluate(Seat(each)) for each in range(state.game.seats))
        after = (self.values(state.play(move)) for move in state.legal_moves())
        return max(after, key=lambda values: values[seat])
