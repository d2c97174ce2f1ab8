"""A graph of positions as JSON types, whose stable keys docs/reference/analysis.md describes."""

from typing import Any

from boxroom_common.json_output import format_name, player_of
from boxroom_lab.gametree.graph import Graph, GraphNode

FORMAT = format_name("tree", 3)


def graph_as_json(graph: Graph, *, merged: bool) -> dict[str, Any]:
    """Return the whole graph; `merged` tells whether equal positions are one node."""
    game = graph.root.state.game
    return {
        "format": FORMAT,
        "game": game.kind.name,
        "options": dict(game.options),
        "seats": game.seats,
        "merged": merged,
        "positions": len(graph.nodes),
        "levels": [
            {"positions": len(level), "orders": sum(node.orders for node in level)}
            for level in graph.levels
        ],
        "nodes": list(map(_node, graph.nodes)),
    }


def _node(node: GraphNode) -> dict[str, Any]:
    return {
        "number": node.number,
        "depth": node.depth,
        "position": node.state.game.format_position(node.state),
        "to_move": node.state.to_move,
        "player_to_move": player_of(node.state.to_move),
        "scores": node.scores,
        "orders": node.orders,
        "parents": node.parents,
        "edges": [
            {"to": edge.below, "moves": edge.moves, "best": edge.is_best} for edge in node.edges
        ],
    }
