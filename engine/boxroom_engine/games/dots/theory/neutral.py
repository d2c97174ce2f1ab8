"""The longest run of neutral moves that a position has room for.

A neutral move takes nothing and gives nothing, so players make such moves until one of them has to
open a chain. It lowers the degree of the boxes beside it by one, and no box may
fall below two. So a run of neutral moves is a set of undrawn edges, in any order, of which each
box of degree `d` has at most `d − 2`: a *b-matching* of boxes with each other and the ground.
Boxes are coloured like a chessboard, so augmenting paths find a largest one on any board.

Sources: the number is `no_neutrals` of the student's General Solution
(https://github.com/ArthurConmy/EPQ); the method is that of Lester Ford and Delbert Fulkerson,
"Maximal Flow through a Network" (1956).
"""

from collections import deque

from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.theory.captures import degrees, neutral
from boxroom_engine.games.protocol import Move


def longest_neutral_run(position: Position) -> tuple[Move, ...]:
    """As many edges as can be drawn by neutral moves one after the other, ascending.

    Any order will do. No run is longer, on any board: the number is exact. Less happily chosen
    runs can be shorter.
    """
    run = _Run(position)
    while run.lengthen():
        pass
    return tuple(sorted(run.edges))


class _Run:
    """A run of neutral moves under construction."""

    def __init__(self, position: Position) -> None:
        grid = position.game.grid
        self.edges: set[Move] = set()
        """Edges of the run."""
        self.spare = {box: degree - 2 for box, degree in enumerate(degrees(position)) if degree > 2}
        """For each box the number of edges that can still be drawn around it."""
        self.neighbours: dict[int, list[tuple[Move, int]]] = {box: [] for box in self.spare}
        """For each box the neutral edges between it and another, each with the other."""
        self.white = {box for box in self.spare if sum(divmod(box, grid.cols)) % 2 == 0}
        """The boxes of one colour of the chessboard."""
        # Edges to the ground go first and stay. That loses nothing: where a box gives up an
        # edge to another box and keeps one to the ground, the two can change places.
        for edge in sorted(neutral(position), key=lambda edge: len(grid.boxes_beside[edge])):
            boxes = [box for box, _ in grid.boxes_beside[edge]]
            if all(self.spare[box] for box in boxes):
                self.edges.add(edge)
                for box in boxes:
                    self.spare[box] -= 1
            for box, other in zip(boxes, reversed(boxes), strict=True):
                if box != other:
                    self.neighbours[box].append((edge, other))

    def lengthen(self) -> bool:
        """Make the run longer by one, if it isn't a longest one.

        It is a longest one when no path leads from a white box with an edge to spare to a black
        one, by edges that are alternately outside the run and in it. Along such a path they can
        change sides, and there is one more outside than in.
        """
        came_by: dict[int, tuple[int, Move] | None]
        came_by = {box: None for box in self.white if self.spare[box]}
        queue = deque(came_by)
        while queue:
            box = queue.popleft()
            for edge, other in self.neighbours[box]:
                is_way = (edge in self.edges) != (box in self.white)
                if not is_way or other in came_by:
                    continue
                came_by[other] = box, edge
                if box in self.white and self.spare[other]:
                    self._change_sides(other, came_by)
                    return True
                queue.append(other)
        return False

    def _change_sides(self, end: int, came_by: dict[int, tuple[int, Move] | None]) -> None:
        self.spare[end] -= 1
        box = end
        while step := came_by[box]:
            box, edge = step
            self.edges ^= {edge}
        self.spare[box] -= 1
