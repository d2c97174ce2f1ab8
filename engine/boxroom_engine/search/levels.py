"""The number of positions of a game at each depth, with equal positions merged.

Every position has many successors, so the whole tree of a game is soon too large to store: there
are 479,001,600 orders in which the 12 edges of Dots and Boxes 2×2 can be drawn. But different
orders lead to the same position, and its subtree is the same. So the tree is expanded breadth
first, level by level, and of equal positions only one is expanded further: on 2×2 some hundreds
are left.

This counts positions, and computes no values; for those see `minimax`, and `memo` for merging in a
depth-first search.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import NamedTuple

from boxroom_engine.games.protocol import State


class Level(NamedTuple):
    """The positions at one distance, in moves, from the root."""

    orders: int
    """Number of move orders that lead there, which is the number of positions without merging."""
    positions: int
    """Number of positions after merging."""


def levels(starts: Iterable[State], same: Callable[[State], Hashable]) -> Iterator[Level]:
    """Yield the levels of a game's tree, from `starts` down to the end of the longest game.

    Args:
        starts: the roots: the initial position, or some that follow it.
        same: returns the same key for equal positions, such as `State.key`. Equal positions must
            have equal subtrees; then it makes no difference which of them is expanded.
    """
    level = _merged(((start, 1) for start in starts), same)
    while level:
        yield Level(sum(orders for _, orders in level), len(level))
        level = _merged(_following(level), same)


def _following(level: Iterable[tuple[State, int]]) -> Iterator[tuple[State, int]]:
    """Yield all positions one move on, each with the number of move orders through its parent."""
    for state, orders in level:
        for move in state.legal_moves():
            yield state.play(move), orders


def _merged(
    reached: Iterable[tuple[State, int]], same: Callable[[State], Hashable]
) -> list[tuple[State, int]]:
    """Return one of each set of equal positions, with the move orders of all of them."""
    one_of_each: dict[Hashable, State] = {}
    orders_of: Counter[Hashable] = Counter()
    for state, orders in reached:
        key = same(state)
        one_of_each.setdefault(key, state)
        orders_of[key] += orders
    return [(state, orders_of[key]) for key, state in one_of_each.items()]
