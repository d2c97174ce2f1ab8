"""A tree as lines of text, a position a line."""

from collections.abc import Iterator
from typing import NamedTuple

from boxroom_client.gametree.tree import Node
from boxroom_client.shell.output.wording import margin


class _Lines(NamedTuple):
    """What the lines of a tree are drawn with, each three columns wide."""

    branch: str
    last_branch: str
    beside: str


_UNICODE = _Lines("├─ ", "└─ ", "│  ")
_ASCII = _Lines("|- ", "`- ", "|  ")


def lines(root: Node, *, ascii_only: bool = False) -> Iterator[str]:
    """The root, and below it every move with what it is worth to who plays it.

    Values have signs beyond ASCII; `painting.in_ascii` turns them into others.
    """
    yield f"{_player(root)} is to move{_worth(root)}."
    yield from _below(root, "", _ASCII if ascii_only else _UNICODE)


def in_words(node: Node) -> str:
    """What there is to say of a node below the root: "Player 2 plays h3: −1, best"."""
    best = ", best" if node.is_best else ""
    over = ", the end" if node.state.is_over else ""
    return f"{_player(node)} plays {node.move}{_worth(node)}{best}{over}"


def _below(node: Node, indent: str, drawn: _Lines) -> Iterator[str]:
    for number, after in enumerate(node.after, 1):
        is_last = number == len(node.after)
        yield f"{indent}{drawn.last_branch if is_last else drawn.branch}{in_words(after)}"
        yield from _below(after, indent + ("   " if is_last else drawn.beside), drawn)


def _player(node: Node) -> str:
    """Who moved to a node, or is to move at the root."""
    seat = node.state.to_move if node.mover is None else node.mover
    assert seat is not None
    return f"Player {seat + 1}"


def _worth(node: Node) -> str:
    return "" if node.worth is None else f": {margin(node.worth)}"
