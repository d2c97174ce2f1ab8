"""How many positions a game has at each depth, with those that are the same merged.

Every move branches, so the whole tree of a game is soon too large to be held: there are 479,001,600
orders in which the 12 edges of Dots and Boxes 2×2 can be drawn. But different orders lead to the
same position, and what follows is the same then. So the tree is grown in breadth, one level after
the other, and of positions that are the same only one goes on: on 2×2 some hundreds are left.

This counts, and finds no values; for those see `minimax`, and `memo` for the same in depth.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import NamedTuple

from boxroom_engine.games.protocol import State


class Level(NamedTuple):
    """The positions that are so many moves from where the tree begins."""

    orders: int
    """The orders of moves that lead there: how many positions there are if none are merged."""
    positions: int
    """How many are left when those that are the same are merged."""


def levels(starts: Iterable[State], same: Callable[[State], Hashable]) -> Iterator[Level]:
    """The levels of a game's tree, from `starts` down to the end of the longest game.

    Args:
        starts: where the tree begins: the initial position, or some that follow it.
        same: gives for positions that are the same the same key, such as `State.key`. What each of
            them leads to must be the same as well; then it makes no difference which one goes on.
    """
    level = _merged(((start, 1) for start in starts), same)
    while level:
        yield Level(sum(orders for _, orders in level), len(level))
        level = _merged(_following(level), same)


def _following(level: Iterable[tuple[State, int]]) -> Iterator[tuple[State, int]]:
    """All positions one move on, each with the orders of moves that lead to it this way."""
    for state, orders in level:
        for move in state.legal_moves():
            yield state.play(move), orders


def _merged(
    reached: Iterable[tuple[State, int]], same: Callable[[State], Hashable]
) -> list[tuple[State, int]]:
    """One position for all that are the same, with the orders of moves that lead to any of them."""
    one_of_each: dict[Hashable, State] = {}
    orders_of: Counter[Hashable] = Counter()
    for state, orders in reached:
        key = same(state)
        one_of_each.setdefault(key, state)
        orders_of[key] += orders
    return [(state, orders_of[key]) for key, state in one_of_each.items()]
