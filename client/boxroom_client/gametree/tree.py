"""A game tree of limited depth, with the value of every position."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from boxroom_engine.errors import BoxroomError
from boxroom_engine.games.protocol import Seat, State

Scores = tuple[float, ...]
"""Final score of each seat by max^n; for two that is minimax."""


class TreeTooLarge(BoxroomError):
    """A tree with more positions than the limit."""


@dataclass(frozen=True, slots=True)
class Node:
    """A position in the tree.

    Attributes:
        state: the position.
        scores: the final score of each seat; None if it isn't known.
        mover: the seat that moved there; None at the root.
        move: the text of that move.
        is_best: whether it is known that no other move is better for the mover.
        children: the positions that the moves lead to, as far down as the tree goes.
    """

    state: State
    scores: Scores | None
    mover: Seat | None = None
    move: str = ""
    is_best: bool = False
    children: tuple["Node", ...] = ()

    @property
    def value(self) -> float | None:
        """The score of the mover, or at the root of the seat to move."""
        seat = self.state.to_move if self.mover is None else self.mover
        assert seat is not None
        return None if self.scores is None else self.scores[seat]


def build_tree(
    state: State,
    depth: int,
    scores_of: Callable[[State], Scores | None],
    *,
    most_positions: int,
) -> Node:
    """Return the tree below `state`, `depth` moves deep.

    Raises:
        TreeTooLarge: it has more than `most_positions`.
    """
    return _TreeBuilder(scores_of, most_positions).node(Node(state, scores_of(state)), depth)


class _TreeBuilder:
    def __init__(self, scores_of: Callable[[State], Scores | None], most_positions: int) -> None:
        self._scores_of = scores_of
        # Number of positions that the tree may still get.
        self._left = most_positions

    def node(self, bare: Node, depth: int) -> Node:
        """Return `bare` with its children, `depth` levels deep."""
        self._left -= 1
        if self._left < 0:
            raise TreeTooLarge
        if not depth or bare.state.is_over:
            return bare
        children = _with_best_marked(list(self._children(bare.state)))
        return replace(bare, children=tuple(self.node(node, depth - 1) for node in children))

    def _children(self, state: State) -> Iterator[Node]:
        for move in state.legal_moves():
            after = state.play(move)
            text = state.game.format_move(move)
            yield Node(after, self._scores_of(after), state.to_move, text)


def _with_best_marked(nodes: list[Node]) -> list[Node]:
    """Return siblings with the best ones marked, if all values are known."""
    known = [node.value for node in nodes if node.value is not None]
    if len(known) < len(nodes):
        return nodes
    return [replace(node, is_best=node.value == max(known)) for node in nodes]
