"""Chain: with three and more, and how strong it is."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.engine.bots.test_greedy import FlowChart, dots, wins
from tests.engine.clocks import no_limit
from tests.engine.games.dots.play.test_long_chains import CHAIN, turn

from boxroom_engine.bots.chain import ChainBot
from boxroom_engine.bots.greedy import GreedyBot
from boxroom_engine.games.dots import Border, Dots
from boxroom_engine.games.protocol import Seat
from boxroom_engine.games.registry import KINDS
from boxroom_engine.stopping import Limit


class TestTables:
    @given(dots(), st.integers(0, 2**32))
    def test_of_three_and_more_play_by_the_chart_of_greedy(self, game: Dots, seed: int) -> None:
        rng, state = random.Random(seed), game.initial()
        while game.seats > 2 and not state.is_over:
            move = CHAIN.choose(state, no_limit(), rng)
            assert move in FlowChart(state).moves()
            state = state.play(move)

    def test_when_two_are_left_of_three_it_is_a_game_for_two(self) -> None:
        game = Dots(2, 5, Border.NONE, 3)
        position = game.initial().withdraw(Seat(1))
        names = {f"v{number}" for number in range(1, 12)}
        for move in position.legal_moves():
            if game.format_move(move) not in names:
                position = position.play(move)
        assert turn(position) == "v1 v2 v3 v5"


def test_it_plays_dots_and_boxes_alone() -> None:
    assert [kind.name for kind in KINDS.values() if CHAIN.supports(kind)] == ["dots"]


def test_its_option() -> None:
    assert CHAIN.with_options({"max_ply": 8}) == ChainBot(max_ply=8)


@pytest.mark.long
def test_it_beats_greedy_and_itself_with_less_foresight() -> None:
    assert wins(CHAIN, GreedyBot(), 40) >= 34
    assert wins(ChainBot(max_ply=8), ChainBot(max_ply=2), 40) >= 26


@each("size", [7, 11])
def test_larger_boards(size: int) -> None:
    """A whole game, with a clock that goes on by a hundredth of a second at each look."""
    looks, rng = iter(range(10**9)), random.Random(1)
    state = Dots(size, size, Border.HALF, 2).initial()
    while not state.is_over:
        state = state.play(CHAIN.choose(state, Limit(0.2, lambda: next(looks) / 100), rng))
    assert sum(state.scores) == size * size
