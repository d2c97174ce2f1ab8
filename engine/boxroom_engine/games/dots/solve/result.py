"""Results of solvers: of exact play, and of playouts where exact play can't reach."""

from dataclasses import dataclass
from enum import IntEnum

from boxroom_engine.games.protocol import Move


@dataclass(frozen=True, slots=True)
class Solved:
    """Bounds of one position's value, and best moves.

    The *value* is the margin to come: the boxes that the player to move still gets less those
    that the opponent still gets, both playing best. The score so far has no part in it.
    """

    least: int
    """The value is at least this."""
    most: int
    """The value is at most this."""
    best_moves: tuple[Move, ...]
    """Moves with which the player gets `least` or more, ascending: all of them if `exact` and they
    were asked for, else one or more, or none as long as `least` goes without saying."""
    nodes: int
    """How many positions were searched."""
    exact: bool
    """Whether everything that was asked for is known: the search wasn't stopped."""

    @property
    def value(self) -> int:
        """The margin to come, which must be known: `least` and `most` are the same."""
        assert self.least == self.most, "the search was stopped before it knew the value"
        return self.least


class OfferChoice(IntEnum):
    """The two ways to end a turn in which the last boxes of an opened string can be declined."""

    TAKE_ALL = -1
    DECLINE = -2


@dataclass(frozen=True, slots=True)
class PlayoutBranch:
    """One way to go on, with the statistics of its playouts."""

    move: Move | OfferChoice
    """The move with which it begins; of a chain or loop one edge stands for all."""
    visits: int
    """Number of playouts through it. The most visited branch is recommended."""
    shares: tuple[float, ...]
    """For each player, in turn order from the one to move: the expected part of the win, and
    within that, with a fifth of the weight, how far ahead. From the kernel it is 1 or 0 if it is
    certain for two."""
    boxes: tuple[float, ...]
    """For each player in the same order: the boxes that are expected from here on."""
