"""The form of a solved position's result, and the time limit of its search."""

import time
from collections.abc import Iterator, Sequence
from typing import Protocol

from boxroom_engine.games.protocol import Move
from boxroom_engine.search.stopping import Stop, never
from boxroom_engine.wording import listed

EXACT_PART = 0.75
"""The part of a time limit for exact search; the rest is for an estimate."""


class SolveResult(Protocol):
    """The value and the best moves of a position, exact or estimated."""

    @property
    def exact(self) -> bool:
        """Whether the value and all best moves are known."""

    @property
    def value(self) -> float | tuple[float, ...] | None:
        """For two players the value for the seat to move, for more one a seat; None: unknown."""

    @property
    def best_moves(self) -> tuple[Move, ...]:
        """All best moves, or those that seem best, ascending."""

    @property
    def nodes(self) -> int:
        """Number of positions searched."""

    def bounds(self) -> dict[str, object]:
        """Return more JSON keys for a result that isn't exact."""

    def sentences(self) -> Iterator[str]:
        """Yield the result as sentences, one for each line."""


def best_moves_sentence(moves: Sequence[str]) -> str:
    """Return all best moves as a sentence."""
    many = "The best move is" if len(moves) == 1 else f"The {len(moves)} best moves are"
    return f"{many} {listed(moves)}."


def stop_after(seconds: float | None) -> Stop:
    """Return a stop condition that is met after `seconds`; without a limit it never is."""
    if seconds is None:
        return never
    until_s = time.monotonic() + seconds
    return lambda: time.monotonic() >= until_s
