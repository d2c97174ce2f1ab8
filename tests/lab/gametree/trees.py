"""The tree for the tests: three free cells, small enough to check by hand."""

from boxroom_engine.games.registry import make_game
from boxroom_engine.search.max_n import MaxNSearch
from boxroom_lab.gametree.graph import Graph, apart, build_graph


def tree(depth: int, *, most_positions: int = 1000) -> Graph:
    """Return the tree of a position in which cells 3, 5 and 6 are free, and x is to move.

    ::

        o x o
        3 x 5
        6 o x

    A player loses only by leaving both 3 and 5, that is, by marking 6 last but one.
    """
    state = make_game("noughts", {}, 2).parse_position("101.0..10/0/-")
    return build_graph(state, depth, MaxNSearch().scores, apart, most_positions=most_positions)
