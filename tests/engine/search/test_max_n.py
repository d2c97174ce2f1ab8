"""Max^n against exhaustive play, and for two against minimax."""

import itertools
from operator import itemgetter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.search.made_up import trees
from tests.engine.search.positions import late_dots, late_noughts

from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.games.registry import make_game
from boxroom_engine.search.max_n import MaxNSearch, best_moves
from boxroom_engine.search.memo import Memo
from boxroom_engine.search.minimax import best_valued_moves
from boxroom_engine.search.recursive import RecursiveMinimax
from boxroom_engine.stopping import SearchStopped


def played_out(state: State) -> tuple[float, ...]:
    """Return the final scores, by sorting all outcomes by the least of the three rules first."""
    seats = range(state.game.seats)
    if state.to_move is None:
        return tuple(state.evaluate(Seat(seat)) for seat in seats)
    own, *others = *seats[state.to_move :], *seats[: state.to_move]
    ends = [played_out(state.play(move)) for move in state.legal_moves()]
    for seat in reversed(others):
        ends.sort(key=itemgetter(seat))  # keeps the order of those that are equal
    ends.sort(key=lambda end: max(end[seat] - state.scores[seat] for seat in others), reverse=True)
    return max(ends[::-1], key=itemgetter(own))


tables = late_dots(4) | late_noughts(3) | st.integers(2, 4).flatmap(trees)


@given(state=tables)
def test_it_agrees_with_exhaustive_play(state: State) -> None:
    assert MaxNSearch().scores(state) == played_out(state)


@given(state=late_dots() | late_noughts() | trees(2))
def test_for_two_it_is_minimax(state: State) -> None:
    seat, minimax = state.to_move, RecursiveMinimax(memo=Memo())
    assert seat is not None
    scores = MaxNSearch().scores_of_moves(state)
    values = minimax.values_of_moves(state)
    assert {move: each[seat] for move, each in scores.items()} == values
    assert tuple(best_moves(state, scores)) == best_valued_moves(values)


def test_noughts_and_crosses_is_a_draw() -> None:
    search = MaxNSearch()
    scores = search.scores_of_moves(make_game("noughts", {}, 2).initial())
    assert scores == dict.fromkeys(range(9), (0, 0))
    assert search.positions == 626


def test_it_stops_in_the_middle() -> None:
    looks = itertools.count()
    search = MaxNSearch(stop=lambda: next(looks) == 5)
    with pytest.raises(SearchStopped):
        search.scores_of_moves(make_game("noughts", {}, 2).initial())
    assert search.positions == 5 * 32
