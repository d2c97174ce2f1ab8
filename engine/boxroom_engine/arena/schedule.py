"""Who meets whom, in which seats, from which opening.

Everybody meets everybody, in groups as large as the game has seats. A group plays each opening
once in every rotation of its order of play, so everybody has it from every seat, and whatever
luck there is in an opening cancels.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True, slots=True)
class Match:
    """One game that is to be played."""

    number: int
    """From 1, in the order of the schedule."""
    group: int
    """Which of the `groups` meets, from 0."""
    opening: int
    """Which of the openings it plays, from 0; every group plays the same ones."""
    contenders: tuple[int, ...]
    """Who plays, by seat."""


def groups(contenders: int, seats: int) -> tuple[tuple[int, ...], ...]:
    """Everybody with everybody, `seats` at a time."""
    return tuple(combinations(range(contenders), seats))


def openings_for(games: int, seats: int) -> int:
    """How many openings `games` games of a group take; the last one may take more games."""
    return -(-games // seats)


def schedule(contenders: int, seats: int, games: int, seed: int) -> Iterator[Match]:
    """All games: at least `games` for each group, and each opening in all rotations.

    Opening by opening through all groups, so that a schedule which is cut off was fair so far.
    """
    meeting = groups(contenders, seats)
    number = 0
    for opening in range(openings_for(games, seats)):
        for group, members in enumerate(meeting):
            order = _order(members, opening, seed)
            for turned in range(seats):
                number += 1
                yield Match(number, group, opening, order[turned:] + order[:turned])


def _order(members: tuple[int, ...], opening: int, seed: int) -> tuple[int, ...]:
    """The order of play that an opening's rotations start from.

    Rotations leave it as it was who follows whom. So every second opening turns the order of
    the one before around, which is drawn by lot.
    """
    order = list(members)
    random.Random(f"{seed} order {members} {opening // 2}").shuffle(order)
    return tuple(order if opening % 2 == 0 else reversed(order))
