"""Max^n against games that are played in all ways, and against minimax where there are two."""

import itertools
from operator import itemgetter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.search.made_up import end, trees, turn
from tests.engine.search.positions import late_dots, late_noughts

from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.games.registry import make_game
from boxroom_engine.search.max_n import MaxN
from boxroom_engine.search.memo import Memo
from boxroom_engine.search.recursive import Recursive
from boxroom_engine.search.stopping import Stopped


def played_out(state: State) -> tuple[float, ...]:
    """What each seat ends with; who has the choice is kind to the next seat, then to the others."""
    seats = range(state.game.seats)
    if state.to_move is None:
        return tuple(state.evaluate(Seat(seat)) for seat in seats)
    ends = sorted(played_out(state.play(move)) for move in state.legal_moves())
    for seat in reversed([*seats[state.to_move :], *seats[: state.to_move]]):
        ends.sort(key=itemgetter(seat))  # keeps the order of those that are equal
    return ends[-1]


tables = late_dots(4) | late_noughts(3) | st.integers(2, 4).flatmap(trees)


@given(state=tables)
def test_it_is_what_comes_of_playing_everything_out(state: State) -> None:
    assert MaxN().scores(state) == played_out(state)


@given(state=late_dots() | late_noughts() | trees(2))
def test_for_two_it_is_minimax(state: State) -> None:
    assert MaxN().values_of_moves(state) == Recursive(memo=Memo()).values_of_moves(state)


def test_everybody_looks_after_themselves() -> None:
    """Minimax would have Bob keep Ada from her 2, at the cost of his own 1."""
    tree = turn(0, turn(1, end(2, 1, 0), end(0, 0, 3)), end(1, 0, 0))
    assert MaxN().scores(tree) == (2, 1, 0)
    assert Recursive().value(tree, Seat(0)) == 1


def test_who_has_the_choice_is_kind_to_the_next_seat() -> None:
    assert MaxN().scores(turn(1, end(5, 1, 0), end(0, 1, 5))) == (0, 1, 5)
    assert MaxN().scores(turn(2, end(0, 5, 1), end(5, 0, 1))) == (5, 0, 1)


def test_noughts_and_crosses_is_a_draw() -> None:
    search = MaxN()
    assert search.values_of_moves(make_game("noughts", {}, 2).initial()) == dict.fromkeys(
        range(9), 0
    )
    assert search.positions == 626


def test_in_between_it_is_told_to_stop() -> None:
    looks = itertools.count()
    search = MaxN(stop=lambda: next(looks) == 5)
    with pytest.raises(Stopped):
        search.values_of_moves(make_game("noughts", {}, 2).initial())
    assert search.positions == 5 * 32
