"""A cursor among the places of a drawing where somebody can move: arrow keys and Tab.

It knows no game: a place is where the drawing shows a move, and the arrows go by what is near
on the screen. Coordinates are cells of the drawing.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from boxroom_engine.games.drawing import Drawing
from boxroom_engine.games.protocol import Move


class Direction(Enum):
    """Where an arrow key leads: columns and rows."""

    LEFT = (-1, 0)
    RIGHT = (1, 0)
    UP = (0, -1)
    DOWN = (0, 1)


class Place(NamedTuple):
    """A cell of a drawing."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Cursor:
    """A chosen move and where it is on the screen."""

    move: Move
    place: Place
    aim: Place
    """Where the arrows would have led on a board without gaps.

    As in a text editor, going down line after line keeps to the column where it began, though
    the places of one line stand between those of the next.
    """


@dataclass(frozen=True, slots=True)
class Places:
    """Where each open move of one drawing stands: made once a drawing, by `places_of`."""

    of: Mapping[Move, Place]
    middle: Place
    """Of the drawing; there need be no move."""
    in_order: tuple[Move, ...] = field(repr=False)
    """The moves as one reads them: by lines, and from left to right."""


def places_of(drawing: Drawing) -> Places:
    """The places of all moves that `drawing` shows: each is in the middle of what it shows."""
    corners: dict[Move, tuple[int, int, int, int]] = {}
    for y, row in enumerate(drawing.rows):
        x = 0
        for span in row:
            end = x + len(span.text)
            if (move := span.move) is not None:
                left, top, right, _ = corners.get(move, (x, y, end, y))
                corners[move] = (min(left, x), top, max(right, end), y)
            x = end
    of = {
        move: Place((left + right - 1) // 2, (top + bottom) // 2)
        for move, (left, top, right, bottom) in corners.items()
    }
    middle = Place(drawing.width // 2, drawing.height // 2)
    return Places(of, middle, tuple(sorted(of, key=lambda move: _reading_order(of[move]))))


def _reading_order(place: Place) -> tuple[int, int]:
    return place.y, place.x


def cursor_on(places: Places, move: Move) -> Cursor | None:
    """A cursor on `move`, if that is open: after a click, say, or for a new drawing."""
    place = places.of.get(move)
    return None if place is None else Cursor(move, place, place)


def step(places: Places, cursor: Cursor | None, direction: Direction) -> Cursor | None:
    """The cursor after one press of an arrow key; it stays if nothing is in that `direction`.

    A move that was taken in the meantime is stepped from all the same. Without a cursor the
    first step leads near the middle of the board. None: there is no open place at all.
    """
    if cursor is None:
        return _nearest(places, places.middle)
    here = places.of.get(cursor.move, cursor.place)
    aim = cursor.aim if here == cursor.place else here  # another drawing has other places
    found = min(_ahead(places, here, aim, direction), default=None)
    if found is None:
        is_open = cursor.move in places.of
        return Cursor(cursor.move, here, aim) if is_open else _nearest(places, here)
    _, _, place, move = found
    is_sideways = direction in {Direction.LEFT, Direction.RIGHT}
    return Cursor(move, place, Place(place.x, aim.y) if is_sideways else Place(aim.x, place.y))


def cycle(places: Places, cursor: Cursor | None, by: int) -> Cursor | None:
    """The cursor `by` places further as one reads (back, if negative), round and round.

    A move that was taken in the meantime counts as the gap between its neighbours. None: there
    is no open place at all.
    """
    moves = places.in_order
    if not moves:
        return None
    if cursor is None:
        return cursor_on(places, moves[(by - 1 if by > 0 else by) % len(moves)])
    here = places.of.get(cursor.move, cursor.place)
    at = bisect_left(moves, _reading_order(here), key=lambda move: _reading_order(places.of[move]))
    if cursor.move not in places.of and by > 0:
        at -= 1
    return cursor_on(places, moves[(at + by) % len(moves)])


_COLUMNS_A_ROW = 6
"""How many columns are as far as one row.

Cells are twice as high as wide, but lines are what one reads by: left and right are to keep to
a line of places as long as it has any, and up and down to go to the next line, not past it. On
a grid of any size that takes a row to be worth more than half the width of a box.
"""


def _ahead(
    places: Places, here: Place, aim: Place, direction: Direction
) -> Iterator[tuple[bool, int, Place, Move]]:
    """All places in `direction`, the least one the best: rather ahead than aside, then near."""
    dx, dy = direction.value
    for move, place in places.of.items():
        x, y = place
        along = (x - here.x) * dx + (y - here.y) * dy * _COLUMNS_A_ROW
        if along > 0:
            aside = abs(x - aim.x) if dy else abs(y - aim.y) * _COLUMNS_A_ROW
            yield aside > along, along + aside, place, move


def _nearest(places: Places, target: Place) -> Cursor | None:
    def distance(place: Place) -> int:
        return abs(place.x - target.x) + abs(place.y - target.y) * _COLUMNS_A_ROW

    move = min(places.of, key=lambda move: distance(places.of[move]), default=None)
    return None if move is None else cursor_on(places, move)
