"""What a tree of playouts says of the ways to go on, where exact play can't reach."""

from dataclasses import dataclass
from enum import IntEnum

from boxroom_engine.games.protocol import Move


class Taking(IntEnum):
    """The two ways to end a turn in which the last boxes of an opened string can be declined."""

    ALL = -1
    ALL_BUT_LAST = -2


@dataclass(frozen=True, slots=True)
class Branch:
    """One way to go on, and what came of it when it was tried."""

    move: Move | Taking
    """The move with which it begins; of a chain or loop one edge stands for all."""
    visits: int
    """How often it was tried. The most visited is the one that the tree recommends."""
    shares: tuple[float, ...]
    """For each player, in turn order from the one to move: what part of the win is expected, and
    within that, with a fifth of the weight, how far ahead. 1 or 0 if it is certain for two."""
    boxes: tuple[float, ...]
    """For each player in the same order: the boxes that are expected from here on."""
