"""A judge by alpha-beta search, for recorded games of which no theory knows more.

A judgement is exact if the search has reached the end of the game; otherwise it is the game's own
estimate, as in draughts.
"""

import random
from collections.abc import Callable

from boxroom_engine.games.abilities import Judgement, Outlook
from boxroom_engine.games.protocol import Move, State
from boxroom_engine.search.alphabeta import AlphaBetaResult, alpha_beta_search
from boxroom_engine.stopping import StopToken

_MOST_REPLIES = 8
"""Length of the lines after a move: by then they are far from what was played."""
_SEED = 1  # so that the same game has the same best moves each time


class SearchJudge:
    """A judge that searches each position for `limit_s` seconds of `clock`, until `stop` is met.

    Its judgement has one best move. It is for games of two in which only the win counts.
    """

    def __init__(self, limit_s: float, stop: StopToken, clock: Callable[[], float]) -> None:
        self._limit_s = limit_s
        self._stop = stop
        self._clock = clock
        # Chooses among moves that are as good; one for all positions.
        self._rng = random.Random(_SEED)

    def __call__(self, state: State) -> Judgement | None:
        """Return the expected result of a position that isn't over; None once it is to stop."""
        found = self._search(state)
        if found is None:  # one move ahead takes longer than the limit
            found = alpha_beta_search(state, self._rng, stop=self._stop, most_moves_ahead=1)
        if found is None or self._stop():
            return None
        return Judgement(found.value, found.is_exact, (found.move,))

    def best_moves(self, state: State) -> tuple[()]:
        """Return no moves: to compare all would take as long as all of them."""
        return ()

    def outlook(self, state: State, move: Move) -> Outlook:
        """Return the move, and the replies of searches that together take `limit_s` seconds."""
        line, after = [move], state.play(move)
        for _ in range(_MOST_REPLIES):
            if after.to_move is None or (found := self._search(after, _MOST_REPLIES)) is None:
                break
            line.append(found.move)
            after = after.play(found.move)
        return Outlook(tuple(line))

    def _search(self, state: State, share: int = 1) -> AlphaBetaResult | None:
        """Search for a `share` of the limit of time: None if there is no time for one move."""
        until_s = self._clock() + self._limit_s / share
        limited = self._stop.within(lambda: until_s - self._clock())
        return alpha_beta_search(state, self._rng, stop=limited)
