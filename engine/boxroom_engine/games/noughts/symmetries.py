"""Symmetries of a board of cells in any number of dimensions: rotations and reflections.

A board is given by its sides: `(3, 3)` has 3 × 3 cells, `(3, 3, 3)` is a cube. Cells are numbered
from 0, the last coordinate counting fastest.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import permutations, product

MOST_SYMMETRIES = 384
"""The number of symmetries of a board with four equal sides."""


@lru_cache(maxsize=8)
def symmetries(sides: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return every symmetry of the board as a permutation of its cells.

    Axes of the same length can change places, and each axis can be reversed: a square has 8
    symmetries, another rectangle 4, a cube 48. A board with more than `MOST_SYMMETRIES` has only
    the identity, as comparing so many images would take longer than the search that they save.
    """
    cells = tuple(product(*map(range, sides)))
    if 2 ** len(sides) * sum(1 for _ in _orders_of_axes(sides)) > MOST_SYMMETRIES:
        return (tuple(range(len(cells))),)
    number = {cell: place for place, cell in enumerate(cells)}
    return tuple(
        tuple(number[_image(cell, sides, axes, reversals)] for cell in cells)
        for axes in _orders_of_axes(sides)
        for reversals in product((False, True), repeat=len(sides))
    )


def _orders_of_axes(sides: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the orders of axes in which the board has the same sides as before."""
    for axes in permutations(range(len(sides))):
        if all(sides[axis] == side for axis, side in zip(axes, sides, strict=True)):
            yield axes


def _image(
    cell: tuple[int, ...],
    sides: tuple[int, ...],
    axes: tuple[int, ...],
    reversals: tuple[bool, ...],
) -> tuple[int, ...]:
    """Return the cell to which a symmetry moves `cell`."""
    return tuple(sides[axis] - 1 - cell[axis] if reversals[axis] else cell[axis] for axis in axes)
