"""Minimax without recursion: unfinished positions are on an explicit stack.

The stack holds one line of play: the root, on it the position after the move that is being
searched, and so on. A `_Node` keeps what recursion keeps in local variables: the untried moves and
the values of the tried ones. When no move is left, the node's value is known; it is appended to the
values of the node below, and the search continues there.

The stack is never higher than the game is long. It takes ordinary memory, not Python's call stack.
"""

from collections.abc import Iterable, Iterator, Sequence

from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.search.minimax import MinimaxSearch, backed_up_value


class _Node:
    """A position whose value is being computed.

    Its value is to be appended to `parent_values`, the values of the parent's children.
    """

    __slots__ = ("parent_values", "state", "untried", "values")

    def __init__(self, state: State, moves: Iterable[Move], parent_values: list[float]) -> None:
        self.state = state
        self.parent_values = parent_values
        self.untried: Iterator[Move] = iter(moves)
        """Moves that haven't been searched."""
        self.values: list[float] = []
        """Values of the children that have been searched."""


class IterativeMinimax(MinimaxSearch):
    """Minimax with a loop; it visits positions in the same order as `RecursiveMinimax`."""

    def value(self, state: State, seat: Seat) -> float:
        """Return the highest guaranteed score of `seat` from `state` on.

        Raises:
            SearchStopped: the stop condition was met.
        """
        found: list[float] = []
        stack: list[_Node] = []
        self._visit(state, seat, found, stack)
        while stack:
            node = stack[-1]
            is_settled = self._is_settled(node.state, seat, node.values)
            move = None if is_settled else next(node.untried, None)
            if move is not None:
                self._visit(node.state.play(move), seat, node.values, stack)
            else:
                value = backed_up_value(node.state, seat, node.values)
                self._store(node.state, seat, value)
                node.parent_values.append(value)
                stack.pop()
        return found[0]

    def _visit(
        self, state: State, seat: Seat, parent_values: list[float], stack: list[_Node]
    ) -> None:
        """Append the value of `state` to `parent_values` if it is known, else push a node."""
        known = self._known(state, seat)
        if known is not None:
            parent_values.append(known)
        else:
            self._counter.count()
            stack.append(_Node(state, self._moves(state), parent_values))

    def _moves(self, state: State) -> Sequence[Move]:
        """Return the moves to search: all, unless a subclass knows that some are enough."""
        return state.legal_moves()

    def _is_settled(self, state: State, seat: Seat, values: Sequence[float]) -> bool:
        """Whether further moves can't change the value of `state` for `seat`.

        `values` are those of the moves searched so far.
        """
        return False
