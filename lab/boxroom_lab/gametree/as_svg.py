"""A tree as an SVG picture: the root on top, siblings side by side.

A line is a move, in the colour of its mover, and thick if no other move is better. Below it stand
the move and its value for the mover. Pointing at them shows the same in words.
"""

from collections.abc import Iterator
from html import escape
from itertools import chain
from typing import NamedTuple

from boxroom_engine.games.marks import SEAT_COLOURS, seat_colour
from boxroom_engine.games.picture import TEXT_STYLES, svg_document
from boxroom_lab.gametree.as_text import move_text, value_for
from boxroom_lab.gametree.graph import Graph, GraphEdge, GraphNode

_LEAF_WIDTH = 46
_LEVEL_HEIGHT = 90
_MARGIN = 40
_TEXT_HEIGHT = 20


class _Placed(NamedTuple):
    """A node with its coordinates, those of its parent, and the move that leads there."""

    node: GraphNode
    x: float
    y: float
    above: tuple[float, float] = (0, 0)
    edge: GraphEdge | None = None
    """None at the root."""


def tree_svg(tree: Graph, title: str) -> str:
    """Return an SVG document that shows the tree."""
    placed = list(_placed(tree, tree.root, 0, 0))
    width = _leaves(tree, tree.root) * _LEAF_WIDTH + 2 * _MARGIN
    height = max(each.y for each in placed) + _LEVEL_HEIGHT
    lines = (line for each in placed for line in _line(tree, each))
    texts = (text for each in placed for text in _texts(tree, each))
    return svg_document(
        width, height, title, _styles(tree.root.state.game.seats), chain(lines, texts)
    )


def _styles(seats: int) -> Iterator[str]:
    yield TEXT_STYLES
    yield "text { text-anchor: middle; }\n"
    yield "line { stroke-width: 1; }\n"
    yield "line.best { stroke-width: 4; }\n"
    for number in range(min(seats, len(SEAT_COLOURS))):
        yield f".c{number} {{ stroke: {seat_colour(number).hex}; }}\n"


def _leaves(tree: Graph, node: GraphNode) -> int:
    return sum(_leaves(tree, tree.below(edge)) for edge in node.edges) or 1


def _placed(tree: Graph, node: GraphNode, leaves_before: int, depth: int) -> Iterator[_Placed]:
    """Yield the node, centred above its leaves, and all nodes below it."""
    x = _MARGIN + (leaves_before + _leaves(tree, node) / 2) * _LEAF_WIDTH
    y = _MARGIN + depth * _LEVEL_HEIGHT
    yield _Placed(node, x, y)
    for edge in node.edges:
        after = tree.below(edge)
        child, *others = _placed(tree, after, leaves_before, depth + 1)
        yield child._replace(above=(x, y + _TEXT_HEIGHT), edge=edge)
        yield from others
        leaves_before += _leaves(tree, after)


def _line(tree: Graph, placed: _Placed) -> Iterator[str]:
    edge, (x, y) = placed.edge, placed.above
    if edge is None:
        return
    classes = f"c{tree.mover(edge) % len(SEAT_COLOURS)}{' best' if edge.is_best else ''}"
    end = f'x2="{placed.x:g}" y2="{placed.y - _TEXT_HEIGHT:g}"'
    yield f'<line class="{classes}" x1="{x:g}" y1="{y:g}" {end}/>'


def _texts(tree: Graph, placed: _Placed) -> Iterator[str]:
    node, edge, x, y = placed.node, placed.edge, placed.x, placed.y
    seat = node.state.to_move if edge is None else tree.mover(edge)
    assert seat is not None
    if edge is not None:
        words = f"<title>{escape(move_text(tree, edge))}</title>"
        yield f'<text x="{x:g}" y="{y:g}">{escape(edge.moves[0])}{words}</text>'
    if value := value_for(seat, node):
        yield f'<text class="faint" x="{x:g}" y="{y + 15:g}">{value}</text>'
