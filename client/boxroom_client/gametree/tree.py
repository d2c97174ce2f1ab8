"""A game tree of limited depth, with the value of every position."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from boxroom_client.shell.output.wording import margin
from boxroom_engine.errors import BoxroomError
from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.search.max_n import Scores, worth


class TreeTooLarge(BoxroomError):
    """A tree with more positions than the limit."""


@dataclass(frozen=True, slots=True)
class Node:
    """A position in the tree.

    Attributes:
        state: the position.
        scores: the final score of each seat by max^n; None if it isn't known.
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


def own_prizes(state: State) -> str | None:
    """Return the name of what the scores of seats count; None if they are leads."""
    prize = state.game.kind.prize
    return prize[1] if prize and state.game.seats - len(state.withdrawn) > 2 else None


def score_text(state: State, score: float) -> str:
    """Return the score of a seat as text: a number of boxes, "2", or a lead, "+2"."""
    return margin(score) if own_prizes(state) is None else f"{score:g}"


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
        children = _with_best_marked(bare.state, list(self._children(bare.state)))
        return replace(bare, children=tuple(self.node(node, depth - 1) for node in children))

    def _children(self, state: State) -> Iterator[Node]:
        for move in state.legal_moves():
            after = state.play(move)
            text = state.game.format_move(move)
            yield Node(after, self._scores_of(after), state.to_move, text)


def _with_best_marked(state: State, nodes: list[Node]) -> list[Node]:
    """Return the children of `state` with the best ones marked, if all values are known."""
    known = [worth(state, node.scores) for node in nodes if node.scores is not None]
    if len(known) < len(nodes):
        return nodes
    most = max(known)
    return [replace(node, is_best=each == most) for node, each in zip(nodes, known, strict=True)]
