"""Minimax with pruning: every value is that of plain minimax, after fewer positions."""

import random

from hypothesis import given
from hypothesis import strategies as st
from tests.engine.search.positions import late_dots, late_noughts

from boxroom_engine.games.protocol import OptionValue, State
from boxroom_engine.games.registry import make_game
from boxroom_engine.search.memo import Memo
from boxroom_engine.search.pruned import PrunedMinimax
from boxroom_engine.search.recursive import RecursiveMinimax

GAMES: list[tuple[str, dict[str, OptionValue]]] = [
    ("noughts", {"dims": "4,3", "line": 3}),
    ("noughts", {"dims": "4,3", "line": 4}),
    ("noughts", {"dims": "2,2,3", "line": 2}),
    ("noughts", {"dims": "2,2,3", "line": 3}),
    ("noughts", {"dims": "9", "line": 3}),
    ("stonehenge", {"size": 2}),
    ("subtract-square", {"start": 30}),
]


@st.composite
def late_positions(draw: st.DrawFn) -> State:
    """Generate unfinished positions of small games for two, with at most seven moves to choose.

    In some of them a third player has withdrawn.
    """
    name, options = draw(st.sampled_from(GAMES))
    seats = draw(st.sampled_from([2, 3])) if name == "noughts" else 2
    state = make_game(name, options, seats).initial()
    rng = random.Random(draw(st.integers(0, 2**32)))
    if seats == 3:
        state = state.withdraw(rng.choice([0, 1, 2]))  # type: ignore[arg-type]
    left = draw(st.integers(1, 7))
    while len(state.legal_moves()) > left:
        after = state.play(rng.choice(state.legal_moves()))
        if after.is_over:
            break
        state = after
    return state


@given(state=late_positions() | late_noughts(3) | late_dots(3))
def test_every_move_has_the_value_that_plain_minimax_gives_it(state: State) -> None:
    expected = RecursiveMinimax(memo=Memo()).values_of_moves(state)
    assert PrunedMinimax(memo=Memo()).values_of_moves(state) == expected
    assert PrunedMinimax().values_of_moves(state) == expected


def test_from_the_empty_board_it_agrees_too() -> None:
    state = make_game("noughts", {}, 2).initial()
    plain, pruned = RecursiveMinimax(memo=Memo()), PrunedMinimax(memo=Memo())
    assert pruned.values_of_moves(state) == plain.values_of_moves(state)
    assert pruned.positions < plain.positions / 2


def test_a_game_that_offers_no_moves_to_search_is_searched_until_a_move_wins() -> None:
    state = make_game("stonehenge", {"size": 2}, 2).initial()
    plain, pruned = RecursiveMinimax(memo=Memo()), PrunedMinimax(memo=Memo())
    assert pruned.values_of_moves(state) == plain.values_of_moves(state)
    assert pruned.positions < plain.positions
