"""Game trees of limited depth, and their values."""

import pytest
from tests.cases import each
from tests.client.gametree.trees import tree

from boxroom_client.gametree.tree import Node, TreeTooLarge, build_tree
from boxroom_engine.games.registry import make_game


def count(node: Node) -> int:
    return 1 + sum(map(count, node.children))


@each("depth, positions", [(1, 4), (2, 10), (3, 16), (9, 16)])
def test_it_is_so_deep_and_ends_with_the_game(depth: int, positions: int) -> None:
    assert count(tree(depth)) == positions


def test_a_moves_value_is_the_movers_score() -> None:
    root = tree(2)
    assert (root.mover, root.move, root.value, root.is_best) == (None, "", 0, False)
    three, _, _ = root.children
    assert (three.mover, three.move, three.value, three.is_best) == (0, "3", 0, True)
    five, six = three.children
    assert (five.mover, five.move, five.value, five.is_best) == (1, "5", 0, True)
    assert (six.mover, six.move, six.value, six.is_best) == (1, "6", -1, False)


def test_an_unknown_node_has_no_value_and_isnt_best() -> None:
    state = make_game("noughts", {}, 2).initial()
    root = build_tree(state, 1, lambda after: (0, 0) if after.ply else None, most_positions=10)
    assert root.value is None
    assert all(node.is_best for node in root.children)
    corners_known = build_tree(
        state,
        1,
        lambda after: (0, 0) if after.game.format_position(after)[0] == "0" else None,
        most_positions=10,
    )
    assert [node.value for node in corners_known.children] == [0, *[None] * 8]
    assert not any(node.is_best for node in corners_known.children)


def test_a_tree_above_the_limit_is_refused() -> None:
    assert count(tree(3, most_positions=16)) == 16
    with pytest.raises(TreeTooLarge):
        tree(3, most_positions=15)
