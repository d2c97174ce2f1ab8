"""Minimax in both forms: they agree with each other, with naive references, and with books."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.games.dots.oracle import solved
from tests.engine.search.made_up import Tree, end, trees, turn
from tests.engine.search.positions import late_dots, late_noughts

from boxroom_engine.games.dots import Position
from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.games.registry import make_game
from boxroom_engine.search.iterative import IterativeMinimax
from boxroom_engine.search.memo import Memo
from boxroom_engine.search.minimax import MinimaxSearch, best_valued_moves
from boxroom_engine.search.recursive import RecursiveMinimax
from boxroom_engine.stopping import SearchStopped

ADA, BOB = Seat(0), Seat(1)

every_form = pytest.mark.parametrize("form", [RecursiveMinimax, IterativeMinimax])
with_and_without_memo = pytest.mark.parametrize("has_memo", [False, True], ids=["plain", "memo"])


def made(form: type[MinimaxSearch], *, has_memo: bool) -> MinimaxSearch:
    return form(memo=Memo()) if has_memo else form()


def searches() -> list[MinimaxSearch]:
    forms = (RecursiveMinimax, IterativeMinimax)
    return [made(form, has_memo=has_memo) for form in forms for has_memo in (False, True)]


def negamax(state: State, seat: Seat) -> float:
    """Return the negamax value for two, negated only if the turn has passed."""
    if state.to_move is None:
        return state.evaluate(seat)
    if state.to_move != seat:
        return -negamax(state, state.to_move)
    return max(negamax(state.play(move), seat) for move in state.legal_moves())


class TestAgreement:
    """Of both forms, with a memo and without."""

    @given(tree=trees(2), seat=st.sampled_from([ADA, BOB]))
    def test_with_negamax_on_any_tree(self, tree: Tree, seat: Seat) -> None:
        assert {search.value(tree, seat) for search in searches()} == {negamax(tree, seat)}

    @given(position=late_dots())
    def test_with_the_plainest_search_at_dots_and_boxes(self, position: Position) -> None:
        seat, grid = position.to_move, position.game.grid
        assert seat is not None
        to_come, best = solved(grid, grid.all_drawn ^ position.edges)
        for search in searches():
            assert search.value(position, seat) == position.evaluate(seat) + to_come
            assert best_valued_moves(search.values_of_moves(position)) == best

    @given(state=late_noughts())
    def test_with_negamax_at_noughts(self, state: State) -> None:
        seat = state.to_move
        assert seat is not None
        values = {move: negamax(state.play(move), seat) for move in state.legal_moves()}
        for search in searches():
            assert search.values_of_moves(state) == values

    @given(state=late_dots() | late_noughts() | trees(2))
    def test_for_two_the_values_are_opposite(self, state: State) -> None:
        for search in searches():
            assert search.value(state, ADA) == -search.value(state, BOB)

    @given(tree=trees(3), seat=st.integers(0, 2).map(Seat))
    def test_for_more_it_is_one_against_all_others(self, tree: Tree, seat: Seat) -> None:
        expected = alone(tree, seat).evaluate(seat)
        assert {search.value(tree, seat) for search in searches()} == {expected}


def alone(tree: Tree, seat: Seat) -> Tree:
    """Return the final score of `seat` if all others minimise it."""
    if tree.to_move is None:
        return tree
    ends = [alone(after, seat) for after in tree.after]
    choose = max if tree.to_move == seat else min
    return choose(ends, key=lambda tree: tree.ends[seat])


@every_form
@with_and_without_memo
class TestExamples:
    def test_the_same_seat_moves_again(self, form: type[MinimaxSearch], has_memo: bool) -> None:
        """If the turn doesn't pass, no sign flips: both times Ada chooses."""
        tree = turn(ADA, turn(ADA, end(1, -1), end(2, -2)), turn(BOB, end(3, -3), end(-3, 3)))
        search = made(form, has_memo=has_memo)
        assert search.values_of_moves(tree) == {0: 2, 1: -3}
        assert search.value(tree, ADA) == 2
        assert search.value(tree, BOB) == -2

    @pytest.mark.parametrize(
        ("position", "value_of_x"),
        [
            ("....01.../0/-", 1),
            ("0...01.../1/-", 1),
            ("1..0..1../1/-", -1),
        ],
    )
    def test_the_worksheet(
        self, form: type[MinimaxSearch], has_memo: bool, position: str, value_of_x: int
    ) -> None:
        state = make_game("noughts", {}, 2).parse_position(position)
        assert made(form, has_memo=has_memo).value(state, ADA) == value_of_x

    def test_a_game_that_is_over_has_its_score(
        self, form: type[MinimaxSearch], has_memo: bool
    ) -> None:
        search = made(form, has_memo=has_memo)
        assert search.value(end(4, -4), BOB) == -4
        assert search.positions == 0

    def test_it_stops_when_the_condition_is_met(
        self, form: type[MinimaxSearch], has_memo: bool
    ) -> None:
        looks = itertools.count()
        search = form(stop=lambda: next(looks) == 2, memo=Memo() if has_memo else None)
        with pytest.raises(SearchStopped):
            search.value(make_game("noughts", {}, 2).initial(), ADA)
        assert search.positions == 64

    def test_without_any_time_it_doesnt_begin(
        self, form: type[MinimaxSearch], has_memo: bool
    ) -> None:
        search = form(stop=lambda: True, memo=Memo() if has_memo else None)
        with pytest.raises(SearchStopped):
            search.values_of_moves(make_game("noughts", {}, 2).initial())
        assert search.positions == 0


class TestWork:
    @given(tree=trees(2) | trees(3))
    def test_both_forms_look_at_the_same_positions(self, tree: Tree) -> None:
        recursive, iterative = RecursiveMinimax(), IterativeMinimax()
        recursive.value(tree, ADA)
        iterative.value(tree, ADA)
        assert recursive.positions == iterative.positions

    @every_form
    def test_a_memo_has_no_position_searched_twice(self, form: type[MinimaxSearch]) -> None:
        """627 positions of noughts and crosses aren't over and differ by more than symmetry."""
        memo: Memo[float] = Memo()
        search = form(memo=memo)
        assert search.value(make_game("noughts", {}, 2).initial(), ADA) == 0
        assert search.positions == len(memo) == 627
        search.value(make_game("noughts", {}, 2).initial(), ADA)
        assert search.positions == 627

    @every_form
    def test_a_full_memo_is_of_use_all_the_same(self, form: type[MinimaxSearch]) -> None:
        state = make_game("noughts", {}, 2).parse_position("0...1..../0/-")
        some, plain = form(memo=Memo(most_positions=50)), form()
        assert some.values_of_moves(state) == plain.values_of_moves(state)
        assert some.positions < plain.positions / 2

    def test_a_game_may_be_longer_than_pythons_stack_is_deep(self) -> None:
        tree = end(1, -1)
        for ply in range(5000):
            tree = turn(ply % 2, tree)
        assert IterativeMinimax().value(tree, ADA) == 1
        with pytest.raises(RecursionError):
            RecursiveMinimax().value(tree, ADA)


def test_best_moves_are_all_that_are_as_good() -> None:
    tree = turn(BOB, end(1, -1), end(-1, 1), end(0, 0), end(-1, 1))
    assert best_valued_moves(RecursiveMinimax().values_of_moves(tree)) == (1, 3)
