"""Geometry of Stonehenge: ley-lines with their markers, and the cells over them."""

from collections.abc import Iterator

from boxroom_engine.games.geometry import UNIT, BoardShape, Geometry, Point, circle, line
from boxroom_engine.games.stonehenge.grid import Grid, Place

_LEVEL = 87
"""Distance of two rows: neighbours in any direction are equally far from each other."""

_CELL = 38
_MARKER = 24
"""Radii of a cell and of a marker."""

_MARGIN = 40


def geometry_of(grid: Grid) -> Geometry:
    """Return the geometry of `grid`; ley-line `n` is the thing `n`."""
    return Geometry.around((*_lines(grid), *_markers(grid), *_cells(grid)), margin=_MARGIN)


def _lines(grid: Grid) -> Iterator[BoardShape]:
    for number, ley_line in enumerate(grid.lines):
        yield line(_point(ley_line.path[0]), _point(ley_line.path[-1]), thing=number)


def _markers(grid: Grid) -> Iterator[BoardShape]:
    for number, ley_line in enumerate(grid.lines):
        yield circle(_point(ley_line.marker), _MARKER, thing=number)


def _cells(grid: Grid) -> Iterator[BoardShape]:
    for place, name in zip(grid.places, grid.names, strict=True):
        yield circle(_point(place), _CELL, label=name, move=name)


def _point(place: Place) -> Point:
    return _MARGIN + place.x * UNIT // 2, _MARGIN + (place.level + 1) * _LEVEL
