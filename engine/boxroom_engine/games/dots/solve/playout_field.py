"""A position box by box, and how it ends when no neutral edge is left: the twin of field.hpp.

It is what a tree of playouts (`tree`) draws edge after edge on, for any number of players on a
board of any size. Strings are chains and loops, see `parts`; a joint is a box of degree three or
four.
"""

import heapq
from collections.abc import Iterator
from typing import NamedTuple, Self

from boxroom_engine.games.dots.rules.grid import Grid
from boxroom_engine.games.dots.theory.endgame import open_shortest_first, opening_shares
from boxroom_engine.games.dots.theory.strings import End, JoinableString, StringGraph

GROUND = -1
"""What is beyond the border, where a box is expected."""

Shares = list[int]
"""What each player gets, counted from the one who has to open something, in turn order."""


class String(NamedTuple):
    """A chain or loop."""

    length: int
    opening: int
    """An edge that stands for all of them; of a chain of two the middle one."""
    is_loop: bool
    ends: tuple[End, End] = (None, None)
    """What a chain leads to: joints, or None, the ground."""


class Opened(NamedTuple):
    """What opening a string lets the next player take."""

    boxes: int
    handover: int
    """How many of the boxes, the last, may be left to the one after: 2 of a chain, 4 of a loop, 0
    where there is no such choice."""


class Field:
    """A position that changes.

    Attributes:
        joints: the number of joints.
        joint_sides: their undrawn sides together, which says how much is undecided.
    """

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.drawn = bytearray(grid.edges)
        self.degree = bytearray([4]) * grid.boxes
        self.joints = grid.boxes
        self.joint_sides = 4 * grid.boxes

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

    def open(self, string: String) -> tuple[Opened, list[int]]:
        """Open a string and take all that follows: what that gave, and every edge it drew."""
        self.draw(string.opening)
        taken, edges = self.take_from(string.opening)
        handover = 4 if string.is_loop else 2 if taken > 2 else 0
        return Opened(taken, handover), [string.opening, *edges]

    def strings(self) -> Iterator[tuple[int, String]]:
        """All strings, each with the lowest of its boxes, by which they are in order."""
        seen: set[int] = set()
        for box, degree in enumerate(self.degree):
            if degree == 2 and box not in seen:
                string, boxes = self.string_at(box)
                seen.update(boxes)
                yield box, string

    def string_at(self, box: int) -> tuple[String, list[int]]:
        """The string that a box of degree two is in, and its boxes."""
        opening = self._undrawn_side(box, GROUND)
        boxes = [box]
        ends: list[End] = []
        for way in (opening, self._undrawn_side(box, opening)):
            edge, at = way, self._across(way, box)
            while at != GROUND and self.degree[at] == 2:
                if at == box:
                    return String(len(boxes), opening, is_loop=True), boxes
                boxes.append(at)
                if len(boxes) == 2:
                    opening = edge
                edge = self._undrawn_side(at, edge)
                at = self._across(edge, at)
            ends.append(None if at == GROUND else at)
        return String(len(boxes), opening, is_loop=False, ends=(ends[0], ends[1])), boxes

    def _undrawn_side(self, box: int, but: int) -> int:
        """The first undrawn side of `box` other than `but`."""
        return next(e for e in self.grid.edges_of[box] if not self.drawn[e] and e != but)

    def _across(self, edge: int, box: int) -> int:
        return next((near for near, _ in self.grid.boxes_beside[edge] if near != box), GROUND)


def final_shares(field: Field, players: int) -> Shares:
    graph = StringGraph(
        JoinableString(string.length, box, string.ends, string.is_loop)
        for box, string in field.strings()
    )
    openings = open_shortest_first(graph, lambda each: (each.length, each.box))
    shares = opening_shares(graph.lengths(is_loop=False), graph.lengths(is_loop=True), players)
    for opening in reversed(openings):
        shares = opening.shares(shares)
    return shares


def settle(field: Field, players: int) -> Shares:
    """Play a position without neutral edges to its end, as it is likely to go.

    Whoever is to move opens a shortest string, the next takes what that gives, all or all but the
    last two or four, whichever is better. What is left is the same either way, so the strings are
    opened in one order whoever opens them, and are settled from the last to the first. Once only
    chains and loops are left that touch nothing else, either may be first. For two players that is
    exact then (see `endgame`); otherwise it is what shortest first is worth.
    """
    shortest = [(string.length, box) for box, string in field.strings()]
    heapq.heapify(shortest)
    opened: list[Opened] = []
    while field.joints and shortest:
        length, box = heapq.heappop(shortest)
        if field.degree[box] != 2:
            continue
        # A string gets longer when a joint at its end loses an edge.
        string, _ = field.string_at(box)
        if string.length > length:
            heapq.heappush(shortest, (string.length, box))
        else:
            opened.append(field.open(string)[0])
    shares = _settle_loose(field, players)
    for each in reversed(opened):
        shares = _worth(each, shares)
    return shares


def _settle_loose(field: Field, players: int) -> Shares:
    """What chains and loops are worth that touch nothing else, by how many of each are left."""
    strings = [string for _, string in field.strings()]
    chains = sorted((each.length for each in strings if not each.is_loop), reverse=True)
    loops = sorted((each.length for each in strings if each.is_loop), reverse=True)
    row: list[Shares] = []
    for chain in (0, *chains):
        above, row = row, []
        for loop in (0, *loops):
            ways = []
            if chain:
                ways.append(_worth(Opened(chain, 2 if chain > 2 else 0), above[len(row)]))
            if loop:
                ways.append(_worth(Opened(loop, 4), row[-1]))
            row.append(max(ways, key=lambda shares: _rank(shares, 0), default=[0] * players))
    return row[-1]


def _worth(opened: Opened, rest: Shares) -> Shares:
    """What it is worth to open this if the rest is worth `rest`, to whoever opens that."""
    players = len(rest)
    take = [rest[i - 1] for i in range(players)]
    take[1] += opened.boxes
    if not opened.handover:
        return take
    leave = [rest[i - 2] for i in range(players)]
    leave[1] += opened.boxes - opened.handover
    leave[2 % players] += opened.handover
    return leave if _rank(leave, 1) > _rank(take, 1) else take


def _rank(shares: Shares, player: int) -> tuple[int, int]:
    """The greater the better for `player`: more boxes, then more ahead of the best other."""
    return shares[player], -max(shares[:player] + shares[player + 1 :])
