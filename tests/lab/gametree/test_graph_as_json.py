"""Graphs as JSON objects."""

import json

from tests.lab.gametree.graphs import one_box

from boxroom_lab.gametree.graph_as_json import graph_as_json


def test_the_object_has_all_nodes_with_their_parents_and_edges() -> None:
    made = json.loads(json.dumps(graph_as_json(one_box(), merged=True)))
    nodes = made.pop("nodes")
    assert made == {
        "format": "boxroom-tree-3",
        "game": "dots",
        "options": {"rows": 1, "cols": 1, "border": "none"},
        "seats": 2,
        "merged": True,
        "positions": 5,
        "levels": [{"positions": 1, "orders": orders} for orders in (1, 4, 12, 24, 24)],
    }
    assert nodes[2] == {
        "number": 3,
        "depth": 2,
        "position": "3/0,0/0/-",
        "to_move": 0,
        "player_to_move": 1,
        "scores": [-1, 1],
        "orders": 12,
        "parents": [2],
        "edges": [{"to": 4, "moves": ["v0", "v1"], "best": True}],
    }
    assert nodes[4]["to_move"] is None
    assert nodes[4]["edges"] == []
