"""A graph for the tests of outputs: one box, of which the lines are all the same."""

from boxroom_engine.games.registry import make_game
from boxroom_engine.search.max_n import MaxNSearch
from boxroom_lab.gametree.graph import Graph, build_graph


def one_box(seats: int = 2) -> Graph:
    """Return the graph of Dots and Boxes 1×1: a node for each number of lines, and two ends."""
    state = make_game("dots", {"rows": 1, "cols": 1}, seats).initial()
    return build_graph(state, None, MaxNSearch().scores, lambda each: each.key, most_positions=100)
