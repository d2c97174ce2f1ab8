"""The schedule of a contest: the contenders, seats and opening of every game.

It is a round robin: every group of as many contenders as the game has seats meets. A group plays
each opening once in every rotation of its order of play, so every contender has it from every
seat, and an opening's advantage for a seat cancels.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True, slots=True)
class Match:
    """One game of the schedule."""

    number: int
    """Number of the game, from 1, in the order of the schedule."""
    group: int
    """Index of its group in `groups`."""
    opening: int
    """Index of its opening; every group plays the same ones."""
    contenders: tuple[int, ...]
    """Numbers of its contenders, by seat."""


def groups(contenders: int, seats: int) -> tuple[tuple[int, ...], ...]:
    """Return all groups of `seats` contenders."""
    return tuple(combinations(range(contenders), seats))


def openings_for(games: int, seats: int) -> int:
    """Return the number of openings for at least `games` games of a group."""
    return -(-games // seats)


def schedule(contenders: int, seats: int, games: int, seed: int) -> Iterator[Match]:
    """Yield all matches: at least `games` for each group, and each opening in all rotations.

    All groups play one opening before the next, so that an interrupted contest is fair so far.
    """
    all_groups = groups(contenders, seats)
    number = 0
    for opening in range(openings_for(games, seats)):
        for group, members in enumerate(all_groups):
            order = _order(members, opening, seed)
            for rotation in range(seats):
                number += 1
                yield Match(number, group, opening, order[rotation:] + order[:rotation])


def _order(members: tuple[int, ...], opening: int, seed: int) -> tuple[int, ...]:
    """Return the order of play whose rotations play an opening.

    Rotations don't change which contender follows which. So every second opening reverses the
    order of the one before, which is random.
    """
    order = list(members)
    random.Random(f"{seed} order {members} {opening // 2}").shuffle(order)
    return tuple(order if opening % 2 == 0 else reversed(order))
