"""Minimax that looks only so far, and not at what can't matter: alpha-beta, deeper and deeper.

**So far.** Few games can be searched to their end. Where the search breaks off, what a position is
worth is guessed by `State.evaluate`, which is exact at the end only.

**What can't matter.** While it goes through the moves of a position, the search knows two bounds:
the seat that it is for is sure of `low` by another way to play, and the others can hold it down to
`high` by another. Once a move shows that the position is outside of them, it won't come about, and
the moves that are left needn't be looked at. If always the best move is looked at first, that is
about the square root of the work, or twice the depth in the same time.

**Deeper and deeper.** To know what to look at first, the search begins one move deep, then goes
two deep, and so on; in each position it first tries what was best there the last time. All rounds
before the last cost less than the last, and whenever the search is told to stop there is an answer.

As for all of `minimax`, a value is what the seat is guaranteed, against all others together. For
more than two in play that is called paranoid search.

Sources: Donald Knuth and Ronald Moore, "An Analysis of Alpha-Beta Pruning" (Artificial
Intelligence 6, 1975); Nathan Sturtevant and Richard Korf, "On Pruning Techniques for
Multi-Player Games" (AAAI 2000).
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from boxroom_engine.games.protocol import Move, State
from boxroom_engine.search.stopping import Counter, Stop, Stopped, never

MOST_MOVES_AHEAD = 200
"""Deeper than this the search would come near to the end of Python's stack."""


@dataclass(frozen=True, slots=True)
class Found:
    """A best move as far as the search could see."""

    move: Move
    value: float
    """What it guarantees to the seat to move; a guess unless `is_exact`."""
    moves_ahead: int
    """How far the search saw."""
    is_exact: bool
    """Whether nothing was guessed, because every game that matters comes to its end before."""
    positions: int
    """How many positions were looked at, in all rounds and at all ends."""


def find(
    state: State,
    rng: random.Random,
    *,
    stop: Stop = never,
    most_moves_ahead: int = MOST_MOVES_AHEAD,
) -> Found | None:
    """The best move in a position that isn't over; None if there was no time for one round.

    Args:
        state: any that isn't over.
        rng: decides between moves that are equally good.
        stop: asked now and then whether to come to an end with what was found so far.
        most_moves_ahead: see no further, 1 to `MOST_MOVES_AHEAD`.
    """
    search = _Search(state, rng, stop)
    found = None
    for moves_ahead in range(1, most_moves_ahead + 1):
        try:
            found = search.round(moves_ahead)
        except Stopped:
            break
        if found.is_exact:
            break
    return found


class _Search:
    """The rounds of one search, and what one of them leaves to the next."""

    def __init__(self, state: State, rng: random.Random, stop: Stop) -> None:
        moves = state.legal_moves()
        self._state = state
        self._moves = rng.sample(moves, len(moves))
        self._seat = state.to_move
        self._counter = Counter(stop)
        self._best: dict[State, Move] = {}
        self._has_guessed = False

    def round(self, moves_ahead: int) -> Found:
        """What the search sees that looks so far ahead.

        Raises:
            Stopped: it was told to before it knew.
        """
        self._has_guessed = False
        value = self._value(self._state, moves_ahead, -math.inf, math.inf)
        return Found(
            self._best[self._state],
            value,
            moves_ahead,
            not self._has_guessed,
            self._counter.positions,
        )

    def _value(self, state: State, moves_ahead: int, low: float, high: float) -> float:
        """The value of `state` if it is between the bounds, else the bound that is nearer to it."""
        self._counter.count()
        if state.to_move is None:
            return self._within(state, low, high)
        if moves_ahead == 0:
            self._has_guessed = True
            return self._within(state, low, high)
        is_own = state.to_move == self._seat
        for move in self._in_order(state):
            value = self._value(state.play(move), moves_ahead - 1, low, high)
            if is_own and value > low:
                low = value
                self._best[state] = move
            elif not is_own and value < high:
                high = value
                self._best[state] = move
            if low >= high:
                break
        return low if is_own else high

    def _within(self, state: State, low: float, high: float) -> float:
        assert self._seat is not None
        return min(max(state.evaluate(self._seat), low), high)

    def _in_order(self, state: State) -> Sequence[Move]:
        """The moves of `state`, what was best there in the round before first of all."""
        moves = self._moves if state is self._state else state.legal_moves()
        best = self._best.get(state)
        return moves if best is None else [best, *(move for move in moves if move != best)]
