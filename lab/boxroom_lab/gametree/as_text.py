"""A tree, which is a graph that merges nothing, as lines of text, one for each position."""

from collections.abc import Iterator
from typing import NamedTuple

from boxroom_engine.games.protocol import Seat
from boxroom_lab.gametree.graph import Graph, GraphEdge, GraphNode
from boxroom_lab.gametree.graph_as_text import score_text


class _Lines(NamedTuple):
    """The strokes of a tree, each three columns wide."""

    branch: str
    last_branch: str
    beside: str


_UNICODE = _Lines("├─ ", "└─ ", "│  ")
_ASCII = _Lines("|- ", "`- ", "|  ")


def tree_lines(tree: Graph, *, ascii_only: bool = False) -> Iterator[str]:
    """Yield the root, and below it every move with its value for the mover.

    Values have signs beyond ASCII; `painting.in_ascii` replaces them.
    """
    seat = tree.root.state.to_move
    assert seat is not None
    value = value_for(seat, tree.root)
    yield f"Player {seat + 1} is to move{f': {value}' if value else ''}."
    yield from _below(tree, tree.root, "", _ASCII if ascii_only else _UNICODE)


def move_text(tree: Graph, edge: GraphEdge) -> str:
    """Return a move of the tree as words: "Player 2 plays h3: −1, best"."""
    seat, after = tree.mover(edge), tree.below(edge)
    value = value_for(seat, after)
    best = ", best" if edge.is_best else ""
    over = ", the end" if after.state.is_over else ""
    return f"Player {seat + 1} plays {edge.moves[0]}{f': {value}' if value else ''}{best}{over}"


def value_for(seat: Seat, node: GraphNode) -> str:
    """Return the score of `seat` in the position as text; empty if it isn't known."""
    return "" if node.scores is None else score_text(node.state, node.scores[seat])


def _below(tree: Graph, node: GraphNode, indent: str, drawn: _Lines) -> Iterator[str]:
    for edge in node.edges:
        is_last = edge is node.edges[-1]
        yield f"{indent}{drawn.last_branch if is_last else drawn.branch}{move_text(tree, edge)}"
        yield from _below(
            tree, tree.below(edge), indent + ("   " if is_last else drawn.beside), drawn
        )
