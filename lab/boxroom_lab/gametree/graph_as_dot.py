"""A graph of positions in the DOT language, which Graphviz and other programs lay out.

Source of the language: https://graphviz.org/doc/info/lang.html.
"""

from collections.abc import Iterable, Iterator

from boxroom_engine.games.marks import seat_colour
from boxroom_lab.gametree.graph import Graph, GraphEdge, GraphNode
from boxroom_lab.gametree.graph_as_text import small_board, value_note, value_text


def graph_dot(graph: Graph, title: str) -> str:
    """Return a document in the DOT language with every position as it is drawn."""
    return "\n".join(
        [
            "digraph boxroom {",
            f"  label={_quoted([f'{title}. {value_note(graph)}'])}",
            '  node [shape=box, fontname="monospace"]',
            *(line for level in graph.levels for line in _level(level)),
            *(_edge(edge, graph) for node in graph.nodes for edge in node.edges),
            "}\n",
        ]
    )


def _level(level: Iterable[GraphNode]) -> Iterator[str]:
    """Yield the nodes of a level, which are to stand side by side."""
    yield "  { rank=same"
    for node in level:
        value = "" if node.scores is None else f": {value_text(node.state, node.scores)}"
        who = "" if node.state.to_move is None else f" ({node.state.to_move + 1} to move)"
        lines = [f"{node.number}{value}{who}", *small_board(node.state).plain().split("\n")]
        yield f"    {node.number} [label={_quoted(lines)}]"
    yield "  }"


def _edge(edge: GraphEdge, graph: Graph) -> str:
    width = 3 if edge.is_best else 1
    return (
        f"  {edge.above} -> {edge.below} [label={_quoted([' '.join(edge.moves)])},"
        f' color="{seat_colour(graph.mover(edge)).hex}", penwidth={width}]'
    )


def _quoted(lines: Iterable[str]) -> str:
    r"""Return lines as one quoted string, each ended by `\l`: aligned to the left."""
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "".join(f"{line}\\l" for line in escaped) + '"'
