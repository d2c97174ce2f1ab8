"""The graph of a game's positions: each position once, with its parents, moves and value.

A tree has a position once for each order of moves that leads to it. In a graph, positions with the
same key are one node, so several moves may lead from a node to another one, and a node may have
several parents. With `State.key` positions are the same if a symmetry makes them the same, or if
they differ only in what no longer counts; `apart` merges nothing, and the graph is the tree.

A node shows one of the positions that it stands for, the first one that was found. So a move is
named as in the position of the node above, and leads to a position that may be turned.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import TopologicalSorter
from itertools import groupby

from boxroom_engine.errors import BoxroomError
from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.search.max_n import Scores, best_scores, worth


class GraphTooLarge(BoxroomError):
    """A graph with more positions than the limit."""


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """All moves from one node to another.

    Attributes:
        above: the number of the node in which they are played.
        below: the number of the node to which they lead.
        moves: their texts.
        is_best: whether it is known that no other move is better for the mover.
    """

    above: int
    below: int
    moves: tuple[str, ...]
    is_best: bool


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A position, which stands for all that have its key.

    Attributes:
        number: its number, from 1; parents have smaller ones than their children.
        state: the position.
        depth: the most moves, from the root, that lead there.
        orders: the number of move orders that lead there.
        scores: the final score of each seat; None if it isn't known.
        parents: the numbers of the nodes above it, ascending.
        edges: the moves from here, by the number of the node below; none where the graph ends.
    """

    number: int
    state: State
    depth: int
    orders: int
    scores: Scores | None
    parents: tuple[int, ...]
    edges: tuple[GraphEdge, ...]


@dataclass(frozen=True)
class Graph:
    """All nodes by number; the first one is the root."""

    nodes: tuple[GraphNode, ...]

    @cached_property
    def levels(self) -> tuple[tuple[GraphNode, ...], ...]:
        """The nodes of each depth."""
        return tuple(tuple(level) for _, level in groupby(self.nodes, lambda node: node.depth))

    @property
    def root(self) -> GraphNode:
        """The node at the top."""
        return self.nodes[0]

    def below(self, edge: GraphEdge) -> GraphNode:
        """Return the node to which the moves of `edge` lead."""
        return self.nodes[edge.below - 1]

    def mover(self, edge: GraphEdge) -> Seat:
        """Return the seat that plays the moves of `edge`."""
        seat = self.nodes[edge.above - 1].state.to_move
        assert seat is not None
        return seat


def apart(state: State) -> Hashable:
    """Return a key that no other position has."""
    return object()


def build_graph(
    start: State,
    depth: int | None,
    scores_of: Callable[[State], Scores | None],
    same: Callable[[State], Hashable],
    *,
    most_positions: int,
) -> Graph:
    """Return the graph below `start`, `depth` moves deep; None: to the end of every game.

    Args:
        start: the root.
        depth: positions so many moves away are the last ones.
        scores_of: returns the final scores in a position where the graph ends, if they are known.
            The others follow from these.
        same: returns the same key for equal positions, as for `search.levels`.
        most_positions: the limit of the graph.

    Raises:
        GraphTooLarge: it has more than `most_positions`.
    """
    found = _Found(start, same, most_positions)
    found.expand(depth)
    return found.graph(scores_of)


class _Found:
    """The positions that were found, each with a place in the order in which they were."""

    def __init__(
        self, start: State, same: Callable[[State], Hashable], most_positions: int
    ) -> None:
        self._same = same
        self._most = most_positions
        # The positions, by place.
        self._states: list[State] = []
        # The fewest moves that lead to each of them.
        self._distances: list[int] = []
        # The place of each key.
        self._places: dict[Hashable, int] = {}
        # For each position the moves from it, by the place to which they lead.
        self._moves: list[dict[int, list[str]]] = []
        self._place(start, 0)

    def expand(self, depth: int | None) -> None:
        """Find all positions up to `depth` moves away."""
        for place, state in enumerate(self._states):  # which grows meanwhile
            moves: dict[int, list[str]] = {}
            self._moves.append(moves)
            distance = self._distances[place]
            if distance == depth:
                continue
            for move in state.legal_moves():
                below = self._place(state.play(move), distance + 1)
                moves.setdefault(below, []).append(state.game.format_move(move))

    def graph(self, scores_of: Callable[[State], Scores | None]) -> Graph:
        """Return the graph of all positions found."""
        parents: dict[int, set[int]] = {place: set() for place in range(len(self._states))}
        for above, moves in enumerate(self._moves):
            for below in moves:
                parents[below].add(above)
        downwards = tuple(TopologicalSorter(parents).static_order())
        depths, orders = self._depths_and_orders(downwards)
        scores = self._scores(downwards, scores_of)
        in_order = sorted(range(len(self._states)), key=depths.__getitem__)
        numbers = {place: number for number, place in enumerate(in_order, 1)}
        return Graph(
            tuple(
                GraphNode(
                    numbers[place],
                    self._states[place],
                    depths[place],
                    orders[place],
                    scores[place],
                    tuple(sorted(numbers[above] for above in parents[place])),
                    self._edges(place, numbers, scores),
                )
                for place in in_order
            )
        )

    def _place(self, state: State, distance: int) -> int:
        key = self._same(state)
        place = self._places.setdefault(key, len(self._states))
        if place == len(self._states):
            if place == self._most:
                raise GraphTooLarge
            self._states.append(state)
            self._distances.append(distance)
        return place

    def _depths_and_orders(self, downwards: Sequence[int]) -> tuple[list[int], list[int]]:
        depths, orders = [0] * len(downwards), [0] * len(downwards)
        orders[0] = 1
        for above in downwards:
            for below, moves in self._moves[above].items():
                depths[below] = max(depths[below], depths[above] + 1)
                orders[below] += orders[above] * len(moves)
        return depths, orders

    def _scores(
        self, downwards: Sequence[int], scores_of: Callable[[State], Scores | None]
    ) -> list[Scores | None]:
        scores: list[Scores | None] = [None] * len(downwards)
        for place in reversed(downwards):
            state, moves = self._states[place], self._moves[place]
            if not moves:
                scores[place] = scores_of(state)
                continue
            known = [each for below in moves if (each := scores[below]) is not None]
            if len(known) == len(moves):
                scores[place] = best_scores(state, known)
        return scores

    def _edges(
        self, place: int, numbers: dict[int, int], scores: Sequence[Scores | None]
    ) -> tuple[GraphEdge, ...]:
        state, best = self._states[place], scores[place]
        edges = (
            GraphEdge(
                numbers[place],
                numbers[below],
                tuple(moves),
                best is not None
                and (after := scores[below]) is not None
                and worth(state, after) == worth(state, best),
            )
            for below, moves in self._moves[place].items()
        )
        return tuple(sorted(edges, key=lambda edge: edge.below))
