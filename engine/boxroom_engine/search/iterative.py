"""Minimax without recursion: the positions that aren't finished yet are kept on a stack.

On the stack is one line of play: the position that was asked about, on it the one after the move
that is being looked at, and so on. What recursion keeps in local variables, a `_Node` keeps: the
moves that are left to try, and the values of those that were. When none is left, its own value is
known and told to the node below, and the search goes on there.

The stack is never higher than the game is long, and takes memory only, not Python's own stack.
"""

from collections.abc import Iterator

from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.search.minimax import Minimax, choice


class _Node:
    """A position whose value is looked for.

    Attributes:
        wanted_by: the values of the position before, which this one's is to join.
        untried: the moves that are left to try.
        values: the values of the positions after those that were tried.
    """

    __slots__ = ("state", "untried", "values", "wanted_by")

    def __init__(self, state: State, wanted_by: list[float]) -> None:
        self.state = state
        self.wanted_by = wanted_by
        self.untried: Iterator[Move] = iter(state.legal_moves())
        self.values: list[float] = []


class Iterative(Minimax):
    """Minimax with a loop; it finds what `Recursive` finds, in the same order."""

    def value(self, state: State, seat: Seat) -> float:
        """The highest guaranteed score of `seat` from `state` on.

        Raises:
            Stopped: the stop said so.
        """
        found: list[float] = []
        stack: list[_Node] = []
        self._look(state, seat, found, stack)
        while stack:
            node = stack[-1]
            move = next(node.untried, None)
            if move is not None:
                self._look(node.state.play(move), seat, node.values, stack)
            else:
                value = choice(node.state, seat, node.values)
                self._keep(node.state, seat, value)
                node.wanted_by.append(value)
                stack.pop()
        return found[0]

    def _look(self, state: State, seat: Seat, wanted_by: list[float], stack: list[_Node]) -> None:
        """Tell the value of `state` at once if it is known, else put it on the stack."""
        known = self._known(state, seat)
        if known is not None:
            wanted_by.append(known)
        else:
            self._counter.count()
            stack.append(_Node(state, wanted_by))
