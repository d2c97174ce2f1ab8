"""How a tree grows, and what its positions are worth."""

import pytest
from tests.client.gametree.trees import tree

from boxroom_client.gametree.tree import Node, TooLarge, grown
from boxroom_engine.games.registry import make_game


def count(node: Node) -> int:
    return 1 + sum(map(count, node.after))


@pytest.mark.parametrize(("depth", "positions"), [(1, 4), (2, 10), (3, 16), (9, 16)])
def test_it_is_so_deep_and_ends_with_the_game(depth: int, positions: int) -> None:
    assert count(tree(depth)) == positions


def test_a_move_is_worth_its_score_to_who_plays_it() -> None:
    root = tree(2)
    assert (root.mover, root.move, root.worth, root.is_best) == (None, "", 0, False)
    three, _, _ = root.after
    assert (three.mover, three.move, three.worth, three.is_best) == (0, "3", 0, True)
    five, six = three.after
    assert (five.mover, five.move, five.worth, five.is_best) == (1, "5", 0, True)
    assert (six.mover, six.move, six.worth, six.is_best) == (1, "6", -1, False)


def test_what_isnt_known_has_no_worth_and_isnt_best() -> None:
    state = make_game("noughts", {}, 2).initial()
    root = grown(state, 1, lambda after: (0, 0) if after.ply else None, most_positions=10)
    assert root.worth is None
    assert all(node.is_best for node in root.after)
    corners_known = grown(
        state,
        1,
        lambda after: (0, 0) if after.game.format_position(after)[0] == "0" else None,
        most_positions=10,
    )
    assert [node.worth for node in corners_known.after] == [0, *[None] * 8]
    assert not any(node.is_best for node in corners_known.after)


def test_more_than_anybody_looks_at_is_refused() -> None:
    assert count(tree(3, most_positions=16)) == 16
    with pytest.raises(TooLarge):
        tree(3, most_positions=15)
