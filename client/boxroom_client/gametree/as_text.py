"""A tree as lines of text, one for each position."""

from collections.abc import Iterator
from typing import NamedTuple

from boxroom_client.gametree.tree import Node, score_text


class _Lines(NamedTuple):
    """The strokes of a tree, each three columns wide."""

    branch: str
    last_branch: str
    beside: str


_UNICODE = _Lines("├─ ", "└─ ", "│  ")
_ASCII = _Lines("|- ", "`- ", "|  ")


def tree_lines(root: Node, *, ascii_only: bool = False) -> Iterator[str]:
    """Yield the root, and below it every move with its value for the mover.

    Values have signs beyond ASCII; `painting.in_ascii` replaces them.
    """
    yield f"{_player(root)} is to move{_value_text(root)}."
    yield from _below(root, "", _ASCII if ascii_only else _UNICODE)


def node_text(node: Node) -> str:
    """Return the text of a node below the root: "Player 2 plays h3: −1, best"."""
    best = ", best" if node.is_best else ""
    over = ", the end" if node.state.is_over else ""
    return f"{_player(node)} plays {node.move}{_value_text(node)}{best}{over}"


def _below(node: Node, indent: str, drawn: _Lines) -> Iterator[str]:
    for number, after in enumerate(node.children, 1):
        is_last = number == len(node.children)
        yield f"{indent}{drawn.last_branch if is_last else drawn.branch}{node_text(after)}"
        yield from _below(after, indent + ("   " if is_last else drawn.beside), drawn)


def _player(node: Node) -> str:
    """Return the name of the mover, or at the root of the player to move."""
    seat = node.state.to_move if node.mover is None else node.mover
    assert seat is not None
    return f"Player {seat + 1}"


def _value_text(node: Node) -> str:
    return "" if node.value is None else f": {score_text(node.state, node.value)}"
