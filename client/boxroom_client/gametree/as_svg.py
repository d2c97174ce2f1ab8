"""A tree as an SVG picture: the root on top, siblings side by side.

A line is a move, in the colour of its mover, and thick if no other move is better. Below it stand
the move and its value for the mover. Pointing at them shows the same in words.
"""

from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from boxroom_client.gametree.as_text import node_text
from boxroom_client.gametree.tree import Node, score_text
from boxroom_engine.games.marks import SEAT_COLOURS, seat_colour
from boxroom_engine.games.picture import TEXT_STYLES

_LEAF_WIDTH = 46
_LEVEL_HEIGHT = 90
_MARGIN = 40
_TEXT_HEIGHT = 20


class _Placed(NamedTuple):
    """A node with its coordinates, and those of its parent."""

    node: Node
    x: float
    y: float
    above: tuple[float, float] | None


def tree_svg(root: Node, title: str) -> str:
    """Return an SVG document that shows the tree."""
    placed = list(_placed(root, 0, 0, None))
    width = _leaves(root) * _LEAF_WIDTH + 2 * _MARGIN
    height = max(each.y for each in placed) + _LEVEL_HEIGHT
    size = f'viewBox="0 0 {width} {height:g}" width="{width}" height="{height:g}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} class="boxroom" role="img">',
            f"<title>{escape(title)}</title>",
            f"<style>{TEXT_STYLES}{''.join(_styles(root.state.game.seats))}</style>",
            *(line for each in placed for line in _line(each)),
            *(text for each in placed for text in _texts(each)),
            "</svg>\n",
        ]
    )


def _styles(seats: int) -> Iterator[str]:
    yield "text { text-anchor: middle; }\n"
    yield "line { stroke-width: 1; }\n"
    yield "line.best { stroke-width: 4; }\n"
    for number in range(min(seats, len(SEAT_COLOURS))):
        yield f".c{number} {{ stroke: {seat_colour(number).hex}; }}\n"


def _leaves(node: Node) -> int:
    return sum(map(_leaves, node.children)) or 1


def _placed(
    node: Node, leaves_before: int, depth: int, above: tuple[float, float] | None
) -> Iterator[_Placed]:
    """Yield the node, centred above its leaves, and all nodes below it."""
    x = _MARGIN + (leaves_before + _leaves(node) / 2) * _LEAF_WIDTH
    y = _MARGIN + depth * _LEVEL_HEIGHT
    yield _Placed(node, x, y, above)
    for after in node.children:
        yield from _placed(after, leaves_before, depth + 1, (x, y + _TEXT_HEIGHT))
        leaves_before += _leaves(after)


def _line(placed: _Placed) -> Iterator[str]:
    node = placed.node
    if placed.above is None or node.mover is None:
        return
    x, y = placed.above
    classes = f"c{node.mover % len(SEAT_COLOURS)}{' best' if node.is_best else ''}"
    end = f'x2="{placed.x:g}" y2="{placed.y - _TEXT_HEIGHT:g}"'
    yield f'<line class="{classes}" x1="{x:g}" y1="{y:g}" {end}/>'


def _texts(placed: _Placed) -> Iterator[str]:
    node, x, y = placed.node, placed.x, placed.y
    if node.mover is not None:
        words = f"<title>{escape(node_text(node))}</title>"
        yield f'<text x="{x:g}" y="{y:g}">{escape(node.move)}{words}</text>'
    if node.value is not None:
        value = score_text(node.state, node.value)
        yield f'<text class="faint" x="{x:g}" y="{y + 15:g}">{value}</text>'
