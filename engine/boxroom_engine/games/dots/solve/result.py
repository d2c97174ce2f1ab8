"""Results of playouts, where exact play can't reach."""

from dataclasses import dataclass
from enum import IntEnum

from boxroom_engine.games.protocol import Move


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
