"""A mutable position for playouts, with arrays of edges and boxes.

Playouts draw edge after edge on it, for any number of players on a board of any size. Its strings
are those of `theory.strings`, and how it ends without neutral edges is up to `theory.forecast`.
"""

from typing import NamedTuple, Self

from boxroom_engine.games.dots.rules.grid import Grid
from boxroom_engine.games.dots.theory.endgame import Opening, Shares
from boxroom_engine.games.dots.theory.forecast import forecast_shares
from boxroom_engine.games.dots.theory.strings import Chain, Loop, Parts, StringGraph, parts_on


class PlayoutString(NamedTuple):
    """A chain or loop that a playout may open."""

    length: int
    opening: int
    """An edge that stands for all of them; of a chain of two the middle one."""


class Field:
    """A position that playouts draw edges on."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.drawn = bytearray(grid.edges)
        """For each edge 1 if it is drawn."""
        self.degree = bytearray([4]) * grid.boxes
        """For each box the number of its undrawn sides."""

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
            self.degree[box] -= 1

    def take_from(self, edge: int) -> tuple[int, list[int]]:
        """Take all that can be taken, beginning beside `edge`: how many boxes, by which edges."""
        taken, edges, looked = 0, [edge], 0
        while looked < len(edges):
            for box, _ in self.grid.boxes_beside[edges[looked]]:
                if self.degree[box] == 1:
                    last = self._undrawn_side(box)
                    self.draw(last)
                    edges.append(last)
                    beside = self.grid.boxes_beside[last]
                    taken += sum(self.degree[near] == 0 for near, _ in beside)
            looked += 1
        return taken, edges[1:]

    def open(self, edge: int) -> Opening:
        """Open the string of `edge` and take all that follows.

        A loop has as many edges as boxes. A chain has one edge more, and so have a dipper, its
        joint and the third chain there, if they are taken as well.
        """
        self.draw(edge)
        taken, edges = self.take_from(edge)
        is_loop = len(edges) + 1 == taken
        return (Opening.of_loop if is_loop else Opening.of_chain)(taken)

    def strings(self) -> list[PlayoutString]:
        """All strings, by the lowest of their boxes."""
        parts = self.parts()
        strings: list[Chain | Loop] = [*parts.chains, *parts.loops]
        by_box = {min(string.boxes): string for string in strings}
        return [
            PlayoutString(
                by_box[box].length,
                by_box[box].opening if by_box[box].length == 2 else self._undrawn_side(box),
            )
            for box in sorted(by_box)
        ]

    def parts(self) -> Parts:
        """The parts of the position."""
        return parts_on(self.grid, self.grid.all_drawn ^ self.undrawn())

    def _undrawn_side(self, box: int) -> int:
        """The first undrawn side of `box`."""
        return next(edge for edge in self.grid.edges_of[box] if not self.drawn[edge])


def final_shares(field: Field, players: int) -> Shares:
    """The boxes that each player is likely to get, from the one to move, without neutral edges."""
    return forecast_shares(StringGraph.of(field.parts()), players)
