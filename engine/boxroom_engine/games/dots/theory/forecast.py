"""Quick estimates of positions in which every move gives something away.

Of chains and loops alone the value is known (`endgame`). Chains that meet in joints are harder:
when one is opened and taken, its joints lose an edge each, and what is left at a joint of two
edges is one longer chain, or a loop. The estimate is that the players always open what is
shortest, until no joint is left, and that each time the next player takes all or declines the
last boxes, whichever is worth more to that player. That is a guess, not a bound: often it is
better to open another chain. The strings left are the same either way, so the order of openings
doesn't depend on the players, and the openings are valued from the last to the first.
"""

import math
from collections.abc import Callable
from typing import Any

from boxroom_engine.games.dots.theory.endgame import (
    Opening,
    Shares,
    opening_shares,
    opening_value,
)
from boxroom_engine.games.dots.theory.strings import JoinableString, Parts, StringGraph


def forecast(parts: Parts) -> int:
    """The estimated margin to come for the seat to move, of two; exact where there are no joints.

    Nothing may be on offer in a position of these `parts`, and no neutral edge left. Opened first
    is the string that gives away least. That is the shortest, but never a dipper: the third chain
    at its joint can also be opened alone.
    """
    graph = StringGraph.of(parts)
    openings = _open_until_no_joint(
        graph, lambda each: math.inf if graph.is_dipper(each) else each.length
    )
    value = opening_value(graph.lengths(is_loop=False), graph.lengths(is_loop=True))
    for opening in reversed(openings):
        value = opening.margin(value)
    return value


def forecast_shares(graph: StringGraph, players: int) -> Shares:
    """The estimated boxes of each player, from the one to move, when these strings are left.

    The shortest string is opened first, of equal ones that with the lowest box, as in the kernel.
    Exact for two players where there are no joints. It empties `graph`.
    """
    openings = _open_until_no_joint(graph, lambda each: (each.length, each.box))
    shares = opening_shares(graph.lengths(is_loop=False), graph.lengths(is_loop=True), players)
    for opening in reversed(openings):
        shares = opening.shares(shares)
    return shares


def _open_until_no_joint(
    graph: StringGraph, order: Callable[[JoinableString], Any]
) -> list[Opening]:
    """Open strings of `graph`, each time the least by `order`, until no joint is left."""
    openings = []
    while graph.joints:
        string = min(graph.strings, key=order)
        boxes = graph.open(string)
        openings.append(Opening.of_loop(boxes) if string.is_loop else Opening.of_chain(boxes))
    return openings
