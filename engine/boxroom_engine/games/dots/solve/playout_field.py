"""A mutable position for playouts, with arrays of edges and boxes: field.hpp in Python.

Playouts draw edge after edge on it, for any number of players on a board of any size. It walks its
strings by itself, because building immutable `theory.strings.Parts` in every playout would be
slower; how a position without neutral edges ends it leaves to `theory.forecast`. Edges, strings
and results are the same as the kernel's, in the same order.
"""

from collections.abc import Iterator
from typing import NamedTuple, Self

from boxroom_engine.games.dots.rules.grid import Grid
from boxroom_engine.games.dots.theory.endgame import Opening, Shares
from boxroom_engine.games.dots.theory.forecast import forecast_shares
from boxroom_engine.games.dots.theory.strings import End, JoinableString, StringGraph

GROUND = -1
"""Stands for the outside of the board, where a box is expected."""


class PlayoutString(NamedTuple):
    """A chain or loop."""

    length: int
    opening: int
    """An edge that stands for all of them; of a chain of two the middle one."""
    is_loop: bool
    ends: tuple[End, End] = (None, None)
    """The joints at the ends of a chain, None for the ground."""


class Field:
    """A position that playouts draw edges on."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.drawn = bytearray(grid.edges)  # for each edge 1 if it is drawn
        self.degree = bytearray([4]) * grid.boxes  # for each box the number of its undrawn sides
        self.joints = grid.boxes  # number of boxes of degree three and four
        self.joint_sides = 4 * grid.boxes  # their undrawn sides: how much is undecided

    def copy(self) -> Self:
        """The same position, to be changed alone."""
        other = object.__new__(type(self))
        other.__dict__ = self.__dict__ | {"drawn": self.drawn[:], "degree": self.degree[:]}
        return other

    def undrawn(self) -> int:
        """The set of the edges that aren't drawn."""
        return sum(bit for bit, drawn in zip(self.grid.bits, self.drawn, strict=True) if not drawn)

    def is_neutral(self, edge: int) -> bool:
        """Whether `edge` can be drawn without giving a box away or taking one."""
        return not self.drawn[edge] and all(
            self.degree[box] > 2 for box, _ in self.grid.boxes_beside[edge]
        )

    def neutral(self) -> list[int]:
        """All neutral edges, ascending."""
        return [edge for edge in range(self.grid.edges) if self.is_neutral(edge)]

    def draw(self, edge: int) -> None:
        """Draw an edge that isn't drawn."""
        self.drawn[edge] = 1
        for box, _ in self.grid.boxes_beside[edge]:
            before = self.degree[box]
            self.degree[box] = before - 1
            if before > 2:
                self.joints -= before == 3
                self.joint_sides -= 1 if before == 4 else 3

    def take_from(self, edge: int) -> tuple[int, list[int]]:
        """Take all that can be taken, beginning beside `edge`: how many boxes, by which edges."""
        taken, edges, looked = 0, [edge], 0
        while looked < len(edges):
            for box, _ in self.grid.boxes_beside[edges[looked]]:
                if self.degree[box] == 1:
                    last = self._undrawn_side(box, GROUND)
                    self.draw(last)
                    edges.append(last)
                    beside = self.grid.boxes_beside[last]
                    taken += sum(self.degree[near] == 0 for near, _ in beside)
            looked += 1
        return taken, edges[1:]

    def open(self, string: PlayoutString) -> tuple[Opening, list[int]]:
        """Open a string and take all that follows: what that gave, and every edge it drew."""
        self.draw(string.opening)
        taken, edges = self.take_from(string.opening)
        opening = Opening.of_loop(taken) if string.is_loop else Opening.of_chain(taken)
        return opening, [string.opening, *edges]

    def strings(self) -> Iterator[tuple[int, PlayoutString]]:
        """All strings, each with the lowest of its boxes, by which they are in order."""
        seen: set[int] = set()
        for box, degree in enumerate(self.degree):
            if degree == 2 and box not in seen:
                string, boxes = self.string_at(box)
                seen.update(boxes)
                yield box, string

    def string_at(self, box: int) -> tuple[PlayoutString, list[int]]:
        """The string that a box of degree two is in, and its boxes."""
        opening = self._undrawn_side(box, GROUND)
        boxes = [box]
        ends: list[End] = []
        for way in (opening, self._undrawn_side(box, opening)):
            edge, at = way, self._across(way, box)
            while at != GROUND and self.degree[at] == 2:
                if at == box:
                    return PlayoutString(len(boxes), opening, is_loop=True), boxes
                boxes.append(at)
                if len(boxes) == 2:
                    opening = edge
                edge = self._undrawn_side(at, edge)
                at = self._across(edge, at)
            ends.append(None if at == GROUND else at)
        return PlayoutString(len(boxes), opening, is_loop=False, ends=(ends[0], ends[1])), boxes

    def _undrawn_side(self, box: int, but: int) -> int:
        """The first undrawn side of `box` other than `but`."""
        return next(e for e in self.grid.edges_of[box] if not self.drawn[e] and e != but)

    def _across(self, edge: int, box: int) -> int:
        return next((near for near, _ in self.grid.boxes_beside[edge] if near != box), GROUND)


def final_shares(field: Field, players: int) -> Shares:
    """The boxes that each player is likely to get, from the one to move, without neutral edges."""
    strings = (
        JoinableString(string.length, box, string.ends, string.is_loop)
        for box, string in field.strings()
    )
    return forecast_shares(StringGraph(strings), players)
