"""Ways to turn and mirror a board of cells, whatever its number of dimensions.

A board is given by its sides: `(3, 3)` has 3 × 3 cells, `(3, 3, 3)` is a cube. Cells are numbered
from 0, the last coordinate counting fastest.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import permutations, product

MOST_IMAGES = 384
"""As many as there are of a board of four equal sides."""


@lru_cache(maxsize=8)
def images(sides: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """For each way to put the board on itself, the cells in the order in which they then lie.

    There are as many ways to choose which side goes where as sides are of one length, and each
    side can be turned round: 8 ways for a square, 4 for another rectangle, 48 for a cube. Where
    there are more than `MOST_IMAGES` it is only the board as it lies: to look at all of them would
    take longer than to search them.
    """
    cells = tuple(product(*map(range, sides)))
    if 2 ** len(sides) * sum(1 for _ in _orders_of_axes(sides)) > MOST_IMAGES:
        return (tuple(range(len(cells))),)
    number = {cell: place for place, cell in enumerate(cells)}
    return tuple(
        tuple(number[_moved(cell, sides, axes, turned)] for cell in cells)
        for axes in _orders_of_axes(sides)
        for turned in product((False, True), repeat=len(sides))
    )


def _orders_of_axes(sides: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The orders of axes in which the board has the same sides as before."""
    for axes in permutations(range(len(sides))):
        if all(sides[axis] == side for axis, side in zip(axes, sides, strict=True)):
            yield axes


def _moved(
    cell: tuple[int, ...], sides: tuple[int, ...], axes: tuple[int, ...], turned: tuple[bool, ...]
) -> tuple[int, ...]:
    return tuple(sides[axis] - 1 - cell[axis] if turned[axis] else cell[axis] for axis in axes)
