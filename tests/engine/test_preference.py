"""The three rules of play for three and more, by the max^n of made-up trees."""

from tests.engine.search.made_up import end, turn

from boxroom_engine.games.protocol import Seat
from boxroom_engine.search.max_n import MaxNSearch, best_moves
from boxroom_engine.search.recursive import RecursiveMinimax


def test_every_seat_maximises_its_own_score() -> None:
    """Minimax would have Bob deny Ada her 2 at the cost of his own 1."""
    tree = turn(0, turn(1, end(2, 1, 0), end(0, 0, 3)), end(1, 0, 0))
    assert MaxNSearch().scores(tree) == (2, 1, 0)
    assert RecursiveMinimax().value(tree, Seat(0)) == 1


def test_of_equal_scores_of_its_own_a_seat_wants_the_best_other_to_have_the_least() -> None:
    tree = turn(1, end(5, 1, 0), end(2, 1, 3), end(0, 1, 4))
    assert MaxNSearch().scores(tree) == (2, 1, 3)
    assert best_moves(tree, MaxNSearch().scores_of_moves(tree)) == {1: 1}


def test_other_ties_are_broken_in_favour_of_the_next_seat_and_both_moves_are_best() -> None:
    for tree, scores in [
        (turn(1, end(5, 1, 0), end(0, 1, 5)), (0, 1, 5)),
        (turn(2, end(0, 5, 1), end(5, 0, 1)), (5, 0, 1)),
    ]:
        assert MaxNSearch().scores(tree) == scores
        assert best_moves(tree, MaxNSearch().scores_of_moves(tree)) == {0: 1, 1: 1}
