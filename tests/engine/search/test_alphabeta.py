"""Alpha-beta: equal to minimax if it reaches the end, and an estimate if not."""

import itertools
import random

from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.engine.search.made_up import Tree, end, trees, turn
from tests.engine.search.positions import late_dots, late_noughts

from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.games.registry import make_game
from boxroom_engine.search.alphabeta import AlphaBetaResult, Horizon, alpha_beta_search
from boxroom_engine.search.memo import Memo
from boxroom_engine.search.minimax import best_valued_moves
from boxroom_engine.search.recursive import RecursiveMinimax


def found(state: State, *, most_moves_ahead: int = 100, seed: int = 0) -> AlphaBetaResult:
    answer = alpha_beta_search(state, random.Random(seed), most_moves_ahead=most_moves_ahead)
    assert answer is not None
    return answer


def value_ahead(tree: Tree, seat: Seat, moves_ahead: int) -> float:
    """Return the value of minimax with a depth limit, without pruning."""
    if not moves_ahead or tree.to_move is None:
        return tree.evaluate(seat)
    values = [value_ahead(after, seat, moves_ahead - 1) for after in tree.after]
    return max(values) if tree.to_move == seat else min(values)


@given(
    state=late_dots(3) | late_noughts(3) | trees(2) | trees(3),
    seed=st.integers(0, 3),
)
def test_to_the_end_it_is_minimax(state: State, seed: int) -> None:
    values = RecursiveMinimax(memo=Memo()).values_of_moves(state)
    answer = found(state, seed=seed)
    assert answer.is_exact
    assert answer.value == max(values.values())
    assert answer.move in best_valued_moves(values)


@given(tree=trees(2) | trees(3), moves_ahead=st.integers(1, 4))
def test_not_to_the_end_it_is_minimax_with_a_guess(tree: Tree, moves_ahead: int) -> None:
    answer = found(tree, most_moves_ahead=moves_ahead)
    seat = tree.to_move
    assert seat is not None
    assert answer.value == value_ahead(tree, seat, answer.moves_ahead)
    if answer.is_exact:  # its move was chosen among equally good ones by a search of full depth
        moves_after = answer.moves_ahead
    else:
        assert answer.moves_ahead == moves_ahead
        moves_after = moves_ahead - 1
    assert value_ahead(tree.play(answer.move), seat, moves_after) == answer.value


def is_odd(state: State) -> bool:
    """Return whether the guess about a position is odd: that is unsettled here."""
    assert isinstance(state, Tree)
    return state.guess % 2 == 1


def value_beyond(tree: Tree, seat: Seat, moves_ahead: int) -> float:
    """Return the value of minimax with a depth limit at settled positions."""
    if tree.to_move is None or (moves_ahead <= 0 and not is_odd(tree)):
        return tree.evaluate(seat)
    values = [value_beyond(after, seat, moves_ahead - 1) for after in tree.after]
    return max(values) if tree.to_move == seat else min(values)


@given(tree=trees(2) | trees(3), moves_ahead=st.integers(1, 3))
def test_it_goes_on_where_the_guess_is_unsettled(tree: Tree, moves_ahead: int) -> None:
    answer = alpha_beta_search(
        tree,
        random.Random(0),
        most_moves_ahead=moves_ahead,
        horizon=Horizon(lambda state, seat: state.evaluate(seat), is_odd),
    )
    assert answer is not None
    seat = tree.to_move
    assert seat is not None
    assert answer.value == value_beyond(tree, seat, answer.moves_ahead)


def test_it_tells_how_far_it_saw() -> None:
    start = make_game("noughts", {}, 2).initial()
    answer = found(start, most_moves_ahead=3)
    assert (answer.moves_ahead, answer.is_exact, answer.value) == (3, False, 0)
    late = start.game.parse_position("0...1..../0/-")
    assert found(late).moves_ahead == 7
    assert found(late).is_exact


def test_a_branch_outside_the_bounds_is_pruned() -> None:
    """Bob's first answer to Ada's second move is worse for her than her first move.

    The second iteration visits five positions if it begins with the first move: the position after
    Bob's other answer is pruned. Else its value is estimated, and a third iteration prunes it.
    """
    unwanted = turn(0, end(9, -9))
    tree = turn(0, turn(1, end(1, -1)), turn(1, end(0, 0), unwanted))
    answers = [found(tree, seed=seed) for seed in range(8)]
    assert {(answer.move, answer.value) for answer in answers} == {(0, 1)}
    assert {answer.positions for answer in answers} == {3 + 5, 3 + 6 + 5}


def test_it_looks_at_much_less_than_minimax() -> None:
    state = make_game("noughts", {}, 2).parse_position("0...1..../0/-")
    plain = RecursiveMinimax()
    plain.values_of_moves(state)
    assert found(state).positions < plain.positions


def test_chance_decides_between_equal_moves() -> None:
    tree = turn(0, end(1, -1), end(1, -1), end(0, 0))
    assert {found(tree, seed=seed).move for seed in range(20)} == {0, 1}


class TestStop:
    def test_the_last_completed_iteration_counts(self) -> None:
        looks = itertools.count()
        start = make_game("noughts", {}, 2).initial()
        answer = alpha_beta_search(start, random.Random(0), stop=lambda: next(looks) == 20)
        assert answer is not None
        assert 1 <= answer.moves_ahead < 9
        assert not answer.is_exact

    def test_without_time_for_one_round_nothing_is_known(self) -> None:
        start = make_game("noughts", {}, 2).initial()
        assert alpha_beta_search(start, random.Random(0), stop=lambda: True) is None


@each("moves_ahead", [1, 2, 3, 4])
def test_no_sign_flips_if_the_same_seat_moves_again(moves_ahead: int) -> None:
    """Ada takes both boxes of a row with the middle edge, and then nothing is left."""
    game = make_game("dots", {"rows": 1, "cols": 2}, 2)
    state = game.initial()
    for move in ["h0", "h1", "h2", "h3", "v0", "v2"]:
        state = state.play(game.parse_move(move))
    answer = found(state, most_moves_ahead=moves_ahead)
    assert (game.format_move(answer.move), answer.value) == ("v1", 2)
