"""What `boxroom solve` has to tell of a position, whatever the game."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from boxroom_engine.games.protocol import Move
from boxroom_engine.wording import listed


class Answer(Protocol):
    """What was found out about a position."""

    @property
    def exact(self) -> bool:
        """Whether the value and all best moves are known."""

    @property
    def value(self) -> float | tuple[float, ...] | None:
        """For two players that of the seat to move, for more one value a seat; None: unknown."""

    @property
    def best_moves(self) -> tuple[Move, ...]:
        """All best moves, or those that seem to be, ascending."""

    @property
    def nodes(self) -> int:
        """How many positions were searched."""

    def bounds(self) -> dict[str, object]:
        """What else there is to say, for programs, if it isn't exact."""

    def in_words(self) -> Iterator[str]:
        """All of it in sentences, each a line."""


def best_in_words(moves: Sequence[str]) -> str:
    """All best moves in a sentence."""
    many = "The best move is" if len(moves) == 1 else f"The {len(moves)} best moves are"
    return f"{many} {listed(moves)}."
