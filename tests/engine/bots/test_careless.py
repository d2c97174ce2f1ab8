"""Careless: what it takes, what it leaves to chance, and where it stands among the others."""

import math
import random

from hypothesis import given
from hypothesis import strategies as st
from tests.engine.bots.test_greedy import FlowChart, dots, played, wins
from tests.engine.clocks import no_limit

from boxroom_engine.bots.careless import CarelessBot
from boxroom_engine.bots.greedy import GreedyBot
from boxroom_engine.bots.uniform import UniformBot
from boxroom_engine.games.dots import Border, Dots
from boxroom_engine.games.protocol import State
from boxroom_engine.games.registry import make_game
from boxroom_engine.stopping import Limit

CARELESS = CarelessBot()


def choices(state: State, limit: Limit | None = None) -> set[str]:
    """Every move that careless makes here for one seed or another."""
    limit = limit or no_limit()
    moves = {CARELESS.choose(state, limit, random.Random(seed)) for seed in range(80)}
    return set(map(state.game.format_move, moves))


def every_move(state: State) -> set[str]:
    return set(map(state.game.format_move, state.legal_moves()))


class TestDots:
    @given(dots(), st.integers(0, 2**32), st.sampled_from([0.0, 0.2, 1.0]))
    def test_every_move_takes_a_box_or_else_is_neutral_if_there_is_such_a_move(
        self, game: Dots, seed: int, noise: float
    ) -> None:
        rng, state = random.Random(seed), game.initial()
        while not state.is_over:
            chart = FlowChart(state)
            taking = {edge for edge in chart.free if chart.gain(edge)}
            neutral = {edge for edge in chart.free if not chart.gives_away(edge)}
            move = CARELESS.choose(state, no_limit(), rng)
            assert move in (taking or neutral or set(chart.free))
            state = state.play(rng.choice(state.legal_moves()) if rng.random() < noise else move)

    def test_one_box_is_as_good_as_two(self) -> None:
        state = played(Dots(1, 4, Border.NONE, 2), "h0 h1 h3 h4 h5 h7 v0 v2 v4")
        assert choices(state) == {"v1", "v3"}

    def test_any_sacrifice_will_do(self) -> None:
        state = played(Dots(2, 3, Border.NONE, 3), "h0 h1 h2 h3 h4 h5 h6 h8 v6 v7")
        assert choices(state) == every_move(state)


def test_it_is_between_random_and_greedy() -> None:
    assert wins(CARELESS, UniformBot(), 100) >= 90
    assert wins(GreedyBot(), CARELESS, 100) >= 60


class TestOtherGames:
    def test_it_wins_at_once(self) -> None:
        state = make_game("noughts", {}, 2).parse_position("00.11..../0/-")
        assert choices(state) == {"2"}

    def test_it_doesnt_see_what_it_gives_away(self) -> None:
        state = make_game("noughts", {}, 2).parse_position("0..11...0/0/-")
        assert choices(state) == every_move(state)

    def test_without_time_any_move_will_do(self) -> None:
        state = make_game("noughts", {}, 2).parse_position("00.11..../0/-")
        assert choices(state, Limit(0, lambda: 0.0)) == every_move(state)
        assert choices(state, Limit(math.inf, lambda: 0.0)) == {"2"}
