"""A graph of positions as an SVG picture: every position as a small board, level below level.

A line is one move or several, in the colour of the mover, and thick if no other move is better.
Pointing at a line shows the moves, and pointing at a board shows the position, in words.
"""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import chain
from statistics import fmean
from typing import NamedTuple

from boxroom_engine.games.drawing import Drawing
from boxroom_engine.games.marks import SEAT_COLOURS, seat_colour
from boxroom_engine.games.picture import (
    CELL_HEIGHT,
    CELL_WIDTH,
    inlaid,
    picture_styles,
    svg_document,
)
from boxroom_lab.gametree.graph import Graph, GraphEdge, GraphNode
from boxroom_lab.gametree.graph_as_text import (
    edge_words,
    node_line,
    small_board,
    value_note,
    value_text,
)

_SCALE = 0.5
"""Size of the boards, compared with a picture of one position."""

_GAP = 24
"""Space between boards of a level."""

_TEXT_HEIGHT = 16
"""Height of the line above each board."""

_LEVEL_GAP = 90
"""Space between two levels, for the lines."""

_MARGIN = 40
_NARROWEST = 40


class _Box(NamedTuple):
    """The place of a node: its middle, and the top and the bottom of its board with its text."""

    x: float
    top: float
    bottom: float


def graph_svg(graph: Graph, title: str) -> str:
    """Return an SVG document that shows the graph."""
    boards = {node.number: small_board(node.state) for node in graph.nodes}
    widest = max(board.width for board in boards.values()) * CELL_WIDTH * _SCALE
    pitch = max(widest, _NARROWEST) + _GAP
    width = max(map(len, graph.levels)) * pitch + 2 * _MARGIN
    boxes = _boxes(graph, boards, pitch, width)
    height = max(box.bottom for box in boxes.values()) + _MARGIN
    lines = (_line(edge, graph, boxes) for node in graph.nodes for edge in node.edges)
    nodes = (part for node in graph.nodes for part in _node(node, boards, boxes))
    styles = _styles(graph.root.state.game.seats)
    return svg_document(width, height, f"{title}. {value_note(graph)}", styles, chain(lines, nodes))


def _styles(seats: int) -> Iterator[str]:
    yield from picture_styles(range(seats))
    yield ".boxroom text.value { font-size: 11px; text-anchor: middle; }\n"
    yield ".boxroom line { stroke-width: 0.6; }\n"
    yield ".boxroom line.best { stroke-width: 2.5; }\n"
    for number in range(min(seats, len(SEAT_COLOURS))):
        yield f".boxroom line.c{number} {{ stroke: {seat_colour(number).hex}; }}\n"


def _boxes(graph: Graph, boards: dict[int, Drawing], pitch: float, width: float) -> dict[int, _Box]:
    """Place every level in the middle, its nodes in the order of the means of their parents."""
    boxes: dict[int, _Box] = {}
    top = float(_MARGIN)
    for level in graph.levels:
        ordered = sorted(level, key=lambda node: _mean_x(node.parents, boxes))
        left = (width - (len(level) - 1) * pitch) / 2
        for place, node in enumerate(ordered):
            height = _TEXT_HEIGHT + boards[node.number].height * CELL_HEIGHT * _SCALE
            boxes[node.number] = _Box(left + place * pitch, top, top + height)
        top = max(boxes[node.number].bottom for node in level) + _LEVEL_GAP
    return boxes


def _mean_x(parents: Sequence[int], boxes: dict[int, _Box]) -> float:
    return fmean(boxes[parent].x for parent in parents) if parents else 0.0


def _line(edge: GraphEdge, graph: Graph, boxes: dict[int, _Box]) -> str:
    above, below = boxes[edge.above], boxes[edge.below]
    classes = f"c{graph.mover(edge) % len(SEAT_COLOURS)}{' best' if edge.is_best else ''}"
    start = f'x1="{above.x:g}" y1="{above.bottom:g}"'
    end = f'x2="{below.x:g}" y2="{below.top:g}"'
    words = escape(f"{edge.above} to {edge.below}: {edge_words(edge, graph)}")
    return f'<line class="{classes}" {start} {end}><title>{words}</title></line>'


def _node(node: GraphNode, boards: dict[int, Drawing], boxes: dict[int, _Box]) -> Iterator[str]:
    box, board = boxes[node.number], boards[node.number]
    value = "" if node.scores is None else f": {value_text(node.state, node.scores)}"
    left = box.x - board.width * CELL_WIDTH * _SCALE / 2
    glyphs = range(node.state.game.seats)
    yield f"<g><title>{escape(f'{node.number}  {node_line(node)}')}</title>"
    yield f'<text class="value" x="{box.x:g}" y="{box.top + 11:g}">{node.number}{value}</text>'
    yield from inlaid(board.rows, glyphs, left, box.top + _TEXT_HEIGHT, _SCALE)
    yield "</g>"
