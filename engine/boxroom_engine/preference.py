"""The preference of a seat among outcomes: the one rule of play for three and more (max^n).

With three or more in play what one seat loses isn't what a certain other one wins, so each plays
for itself. An outcome is a tuple of *gains*, one for each seat: its value at the end of the game
(`State.evaluate`) less its points so far. In Dots and Boxes these are its boxes to come. On its
turn a seat wants

1. as much for itself as it can get,
2. then as little as can be for the other one that gains the most,
3. then as much as can be for the seat after it, then for the one after that, and so on.

The first two are what a player wants: by them moves are best. The third is a convention, so that of
outcomes which are as good to the seat to move always the same one comes about, in whatever order
moves are looked at; another convention gives other values. Who is ahead so far makes no difference.

For two in play it is minimax, as the gain of one is the loss of the other.

Source: Carol Luckhardt and Keki Irani, "An Algorithmic Solution of N-Person Games" (AAAI 1986).
"""

from collections.abc import Sequence


def preference(gains: Sequence[float], seat: int) -> tuple[float, float]:
    """Return what `seat` wants of an outcome, the greater, the better: rules 1 and 2."""
    return gains[seat], -max((*gains[:seat], *gains[seat + 1 :]), default=0)


def choice_key(gains: Sequence[float], seat: int) -> tuple[float, ...]:
    """Return the key of an outcome by all three rules: `seat` chooses one with the greatest."""
    return *preference(gains, seat), *gains[seat:], *gains[:seat]
