"""The tree that the tests are about: three free cells, which one can check by hand."""

from boxroom_client.gametree.tree import Node, grown
from boxroom_engine.games.registry import make_game
from boxroom_engine.search.max_n import MaxN


def tree(depth: int, *, most_positions: int = 1000) -> Node:
    """The tree of a position in which cells 3, 5 and 6 are free, and x is to move.

    ::

        o x o
        3 x 5
        6 o x

    Only who leaves the other both 3 and 5, by marking 6 last but one, loses.
    """
    state = make_game("noughts", {}, 2).parse_position("101.0..10/0/-")
    return grown(state, depth, MaxN().scores, most_positions=most_positions)
