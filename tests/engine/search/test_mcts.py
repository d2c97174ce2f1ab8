"""UCT: exact on a complete tree, and a good estimate before."""

import itertools
import random
import statistics

from hypothesis import given
from hypothesis import strategies as st
from tests.engine.search.made_up import end, trees, turn
from tests.engine.search.positions import late_dots, late_noughts

from boxroom_engine.games.protocol import State
from boxroom_engine.games.registry import make_game
from boxroom_engine.search.max_n import MaxNSearch
from boxroom_engine.search.mcts import RootMove, UctResult, uct_search


@given(state=late_noughts(3) | st.integers(2, 4).flatmap(trees), seed=st.integers(0, 3))
def test_a_complete_tree_is_exact(state: State, seed: int) -> None:
    grown = uct_search(state, random.Random(seed))
    scores, seat = MaxNSearch().scores_of_moves(state), state.to_move
    assert seat is not None
    assert grown.is_exact
    assert {root_move.move: root_move.scores for root_move in grown.root_moves} == scores
    assert grown.best is not None
    assert grown.best.value == max(each[seat] for each in scores.values())


@given(position=late_dots(4))
def test_a_complete_tree_is_exact_at_dots_and_boxes(position: State) -> None:
    grown = uct_search(position, random.Random(0), most_playouts=3000)
    scores, seat = MaxNSearch().scores_of_moves(position), position.to_move
    assert seat is not None
    assert all(root_move.scores in (None, scores[root_move.move]) for root_move in grown.root_moves)
    assert grown.best is not None
    assert scores[grown.best.move][seat] == max(each[seat] for each in scores.values())


def test_the_same_seed_gives_the_same_tree() -> None:
    start = make_game("dots", {"rows": 2, "cols": 2}, 3).initial()
    one, same, other = (uct_search(start, random.Random(s), most_playouts=200) for s in (1, 1, 2))
    assert one == same
    assert one != other
    assert one.playouts == sum(root_move.visits for root_move in one.root_moves) == 200


def test_good_moves_get_the_most_visits() -> None:
    """Cell 2 makes three in a row; cells 5 and 8 block the other player's row."""
    state = make_game("noughts", {}, 2).parse_position("00.11..../0/-")
    grown = uct_search(state, random.Random(0), most_playouts=100)
    assert grown.best == RootMove(state.game.parse_move("2"), 1, 1.0, (1, -1))
    state = make_game("noughts", {}, 2).parse_position("0..11..../0/-")
    best = uct_search(state, random.Random(0), most_playouts=150).best
    assert best is not None
    assert best.move == 5


def test_a_small_spread_of_scores_still_separates_good_moves() -> None:
    """On 5×5 margins go up to 25 boxes; random games differ by 12 or so."""
    start = make_game("dots", {}, 2).initial()
    for seed in range(3):
        visits = [
            root_move.visits
            for root_move in uct_search(start, random.Random(seed), most_playouts=400).root_moves
        ]
        assert max(visits) > 2.5 * statistics.mean(visits)


def test_a_known_child_bounds_the_value_from_below() -> None:
    """Bob can end the game with a loss for Ada, so other results don't count."""
    bob = turn(1, end(-1, 1), *(turn(0, *[end(1, -1)] * 9) for _ in range(3)))
    tree = turn(0, bob, turn(1, *[turn(0, *[end(0, 0)] * 9)] * 3))
    grown = uct_search(tree, random.Random(1), most_playouts=25)
    assert grown.best is not None
    assert (grown.best.move, grown.best.value) == (1, 0)


class TestStop:
    def test_playouts_before_the_stop_count(self) -> None:
        looks = itertools.count()
        start = make_game("noughts", {}, 2).initial()
        grown = uct_search(start, random.Random(0), stop=lambda: next(looks) == 10)
        assert not grown.is_exact
        assert grown.best is not None
        assert 30 < grown.playouts == sum(root_move.visits for root_move in grown.root_moves) < 320

    def test_without_any_time_nothing_is_known(self) -> None:
        start = make_game("noughts", {}, 2).initial()
        assert uct_search(start, random.Random(0), stop=lambda: True) == UctResult(
            (), 0, is_exact=False
        )
        assert uct_search(start, random.Random(0), stop=lambda: True).best is None

    def test_an_unfinished_playout_doesnt_count(self) -> None:
        looks = itertools.count()
        start = make_game("dots", {}, 2).initial()
        grown = uct_search(start, random.Random(0), stop=lambda: next(looks) == 1)
        assert grown == UctResult((), 0, is_exact=False)


class TestBest:
    TRIED = RootMove(make_game("noughts", {}, 2).parse_move("1"), 50, 0.5)
    RARE = RootMove(make_game("noughts", {}, 2).parse_move("2"), 2, 1.0)

    def known(self, value: float) -> RootMove:
        return RootMove(make_game("noughts", {}, 2).parse_move("3"), 1, value, (value, -value))

    def test_the_most_tried_not_the_luckiest(self) -> None:
        assert UctResult((self.TRIED, self.RARE), 52, is_exact=False).best == self.TRIED

    def test_a_known_move_of_equal_value(self) -> None:
        sure, lost = self.known(0.5), self.known(-1)
        assert UctResult((self.TRIED, sure), 51, is_exact=False).best == sure
        assert UctResult((self.TRIED, lost), 51, is_exact=False).best == self.TRIED
