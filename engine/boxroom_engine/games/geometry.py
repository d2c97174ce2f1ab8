"""Geometry of games: shapes on a plane, with the moves and the things that each belongs to.

With it and the moves of a game any position can be drawn, without the rules:

- A shape of a `move` is free until the move is played, and then shows the seat that played it.
- A shape of a `thing`, such as a box, shows the seat whose move took it (see `State.taken`).
- Other shapes stay as they are.
- A `Heap` has counters. Its moves can be played again and again, as long as enough are left.
- With `Men` the things are squares, and pieces stand on them. A move is the labels of the squares
  from its start to its end, with `-` or `x` between them. It carries the piece on the first to the
  last, and takes the pieces on the squares in `taken` off the board.

So a move of a shape can be played while the shape is free, and a move of the heap while the heap
has as many counters as it takes. Which moves of men are legal only the rules know; but each leads
from a piece of the seat to move to a free square or, after captures, back to its own. x grows to
the right, y down, both from 0 at the top left.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Self

from msgspec import Struct

UNIT = 100
"""Usual distance from one thing to the next, such as two dots or the middles of two cells.

Lengths are integers, as all numbers of the protocol are.
"""

Point = tuple[int, int]
"""x and y."""


class ShapeKind(StrEnum):
    """Kind of a shape."""

    CIRCLE = "circle"
    """One point, the centre, and a radius."""
    LINE = "line"
    """Two points or more, from one end to the other."""
    POLYGON = "polygon"
    """Three corners or more, all the way round."""
    TEXT = "text"
    """One point, the middle of the label."""


class BoardShape(Struct, frozen=True, gc=False, omit_defaults=True):
    """A shape on the board."""

    kind: ShapeKind
    points: tuple[int, ...]
    """x and y of each point, in turn."""
    radius: int = 0
    """Radius of a circle."""
    label: str = ""
    """Text in its middle, while no seat has it."""
    move: str | None = None
    """Text of the move that it belongs to; null: none."""
    thing: int | None = None
    """Number of the thing, as in `State.taken`, that it belongs to; null: none."""
    place: tuple[int, ...] = ()
    """Coordinates of its cell if marks in a row count; see `Geometry.row`."""


class HeapMove(Struct, frozen=True, gc=False):
    """A move that takes counters from the heap."""

    move: str
    """Its text."""
    takes: int
    """Number of counters that it takes, the last ones of those that are left."""


class Heap(Struct, frozen=True, gc=False):
    """A heap of counters."""

    counters: tuple[BoardShape, ...]
    """The counters before the first move."""
    moves: tuple[HeapMove, ...]


class Men(Struct, frozen=True, gc=False):
    """The men of one seat, and what makes them kings."""

    start: tuple[int, ...]
    """Numbers of the squares on which they stand before the first move."""
    crowning: tuple[int, ...]
    """Numbers of the squares on which a man that ends its move there becomes a king."""


class Geometry(Struct, frozen=True, gc=False, omit_defaults=True):
    """Geometry of one board."""

    width: int
    height: int
    shapes: tuple[BoardShape, ...]
    """In the order in which they are drawn: the last ones cover those before."""
    heap: Heap | None = None
    row: int = 0
    """Number of marks of one seat in a row that win, in any straight direction; 0: no row counts.

    They are in a row if each coordinate of their places grows by one from mark to mark, shrinks by
    one or stays.
    """
    men: tuple[Men, ...] = ()
    """The men of each seat, if pieces move on the board."""

    @classmethod
    def around(
        cls,
        shapes: Iterable[BoardShape],
        *,
        margin: int,
        heap: Heap | None = None,
        row: int = 0,
        men: tuple[Men, ...] = (),
    ) -> Self:
        """Return the geometry with a `margin` right of and below the last points."""
        shapes = tuple(shapes)
        every = shapes if heap is None else (*shapes, *heap.counters)
        width = margin + max(max(shape.points[::2]) for shape in every)
        height = margin + max(max(shape.points[1::2]) for shape in every)
        return cls(width, height, shapes, heap, row, men)


def line(
    *points: Point, label: str = "", move: str | None = None, thing: int | None = None
) -> BoardShape:
    """Return the line along `points`."""
    return BoardShape(ShapeKind.LINE, _flat(points), label=label, move=move, thing=thing)


def circle(
    centre: Point,
    radius: int,
    *,
    label: str = "",
    move: str | None = None,
    thing: int | None = None,
) -> BoardShape:
    """Return the circle around `centre`."""
    return BoardShape(ShapeKind.CIRCLE, centre, radius, label, move, thing)


def square(
    corner: Point,
    side: int,
    *,
    label: str = "",
    move: str | None = None,
    thing: int | None = None,
    place: tuple[int, ...] = (),
) -> BoardShape:
    """Return the square whose top left corner is `corner`."""
    x, y = corner
    corners = (x, y), (x + side, y), (x + side, y + side), (x, y + side)
    return BoardShape(
        ShapeKind.POLYGON, _flat(corners), label=label, move=move, thing=thing, place=place
    )


def text(middle: Point, label: str) -> BoardShape:
    """Return `label` as text around `middle`."""
    return BoardShape(ShapeKind.TEXT, middle, label=label)


def _flat(points: Iterable[Point]) -> tuple[int, ...]:
    return tuple(number for point in points for number in point)
