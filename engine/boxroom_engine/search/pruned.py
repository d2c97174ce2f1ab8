"""Minimax with pruning that keeps every value exact.

It searches fewer positions than plain minimax, for two reasons:

- **Known limits.** In a game in which only the win counts (`GameKind.only_the_win_counts`) no
  value is above 1 or below -1. Once a move has the best of these for the player to move, the other
  moves of the position needn't be searched.
- **Forced moves.** A game can know that a few moves include a best one, such as the one that
  completes a line, and which moves are likely to be best (`GameKind.moves_to_search`).

With a memo the centre of noughts and crosses 3×3×3 is found to win after some 200 positions; plain
minimax doesn't end within hours.
"""

from collections.abc import Sequence

from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.search.iterative import IterativeMinimax


class PrunedMinimax(IterativeMinimax):
    """Iterative minimax that omits moves which can't change the value of a position."""

    def _moves(self, state: State) -> Sequence[Move]:
        return moves_to_search(state)

    def _is_settled(self, state: State, seat: Seat, values: Sequence[float]) -> bool:
        if not values or not state.game.kind.only_the_win_counts:
            return False
        return values[-1] == (1 if state.to_move == seat else -1)


def moves_to_search(state: State) -> Sequence[Move]:
    """Return the moves that `GameKind.moves_to_search` selects, or all legal ones without it."""
    search = state.game.kind.moves_to_search
    return state.legal_moves() if search is None else search(state)
