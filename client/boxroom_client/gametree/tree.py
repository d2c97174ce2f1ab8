"""A game's tree down to some depth, with what every position comes to."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from boxroom_engine.games.protocol import Seat, State

Scores = tuple[float, ...]
"""What each seat ends with, if all play for themselves; for two that is minimax."""


class TooLarge(Exception):
    """The tree would have more positions than anybody looks at."""


@dataclass(frozen=True, slots=True)
class Node:
    """A position in the tree.

    Attributes:
        state: the position.
        scores: what each seat ends with from there on; None if that isn't known.
        mover: who moved there, and None at the root.
        move: the text of that move.
        is_best: whether it is known that no other move is better for who made it.
        after: the positions that the moves lead to, as far down as the tree goes.
    """

    state: State
    scores: Scores | None
    mover: Seat | None = None
    move: str = ""
    is_best: bool = False
    after: tuple["Node", ...] = ()

    @property
    def worth(self) -> float | None:
        """The score of who moved there, or at the root of who is to move."""
        seat = self.state.to_move if self.mover is None else self.mover
        assert seat is not None
        return None if self.scores is None else self.scores[seat]


def grown(
    state: State,
    depth: int,
    scores_of: Callable[[State], Scores | None],
    *,
    most_positions: int,
) -> Node:
    """The tree below `state`, `depth` moves deep.

    Raises:
        TooLarge: it has more than `most_positions`.
    """
    return _Growing(scores_of, most_positions).node(Node(state, scores_of(state)), depth)


class _Growing:
    def __init__(self, scores_of: Callable[[State], Scores | None], most_positions: int) -> None:
        self._scores_of = scores_of
        self._left = most_positions

    def node(self, bare: Node, depth: int) -> Node:
        """The same node with those after it."""
        self._left -= 1
        if self._left < 0:
            raise TooLarge
        if not depth or bare.state.is_over:
            return bare
        after = _marked(list(self._after(bare.state)))
        return replace(bare, after=tuple(self.node(node, depth - 1) for node in after))

    def _after(self, state: State) -> Iterator[Node]:
        for move in state.legal_moves():
            after = state.play(move)
            text = state.game.format_move(move)
            yield Node(after, self._scores_of(after), state.to_move, text)


def _marked(nodes: list[Node]) -> list[Node]:
    """The positions after the same one, the best marked if all are known."""
    known = [node.worth for node in nodes if node.worth is not None]
    if len(known) < len(nodes):
        return nodes
    return [replace(node, is_best=node.worth == max(known)) for node in nodes]
