"""`solve`: the value of a position and its best moves."""

import sys
from dataclasses import replace
from functools import partial

from boxroom_common.kernel.use import use_or_build
from boxroom_engine.games.protocol import State
from boxroom_lab.cli.position import check_not_over, effort_of
from boxroom_lab.gametree import solve as gametree
from boxroom_lab.gametree.effort import DEFAULT_MEMORY_MIB
from boxroom_lab.gametree.solve import Solution
from boxroom_lab.notebook.arguments import explained, interruptible


def solve(
    state: State, *, time_s: float | None = None, memory_mib: int = DEFAULT_MEMORY_MIB
) -> Solution:
    """Return the value of a position if all play perfectly, and every best move in it.

    In Dots and Boxes values count boxes from here on. For two in play the value is the margin of
    the seat to move; for three or more it is a tuple with the score of each seat, as all play for
    themselves. Dots and Boxes on 3×4 boxes takes seconds, on 4×4 minutes. An interrupt (Ctrl-C, a
    notebook's stop button) ends the search with what is known by then.

    Args:
        state: a position in which a seat is to move.
        time_s: seconds after which an estimate takes the place of the value; None: no limit.
        memory_mib: memory for what the search learns, about, in MiB.

    Raises:
        Error: the game is over, or an argument is out of its bounds.
    """
    with explained():
        check_not_over(state)
        effort = effort_of(time_s, memory_mib)
        if state.game.kind.uses_kernel:
            use_or_build(partial(print, file=sys.stderr))
    with interruptible() as is_interrupted:
        return gametree.solve(state, replace(effort, is_interrupted=is_interrupted))
