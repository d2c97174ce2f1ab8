"""`minimax`: perfect where it sees to the end, quick to see that it can't, and chain until then."""

import math
import random

import pytest
from hypothesis import given
from tests.cases import each
from tests.engine.bots.simulated_time import SimulatedClock, simulated_time
from tests.engine.bots.test_greedy import wins
from tests.engine.clocks import no_limit
from tests.engine.games.dots.boards import drawn_but
from tests.engine.games.dots.play.test_neutral_search import with_neutral_moves
from tests.engine.search.positions import late_dots

from boxroom_engine.bots.chain import ChainBot
from boxroom_engine.bots.greedy import GreedyBot
from boxroom_engine.bots.minimax import MinimaxBot
from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.solve.solver import kernel
from boxroom_engine.games.protocol import Seat
from boxroom_engine.games.registry import make_game
from boxroom_engine.search.max_n import MaxNSearch, best_moves
from boxroom_engine.stopping import Limit

needs_kernel = pytest.mark.skipif(kernel() is None, reason="the solver in Python sees less far")

MINIMAX = MinimaxBot()
CHAIN = ChainBot(max_ply=10)


EIGHT_BOXES_OF_MANY = drawn_but(1, 700, "h0 h1 h2 h3 h4 h5 h6 h7 v0 v1 v2 v3 v4 v5 v6 v7 h707")
"""Boxes that lack three sides each, in a row, at one end of a board of 2,101 edges."""


def test_the_only_move_is_played_without_a_search() -> None:
    clock = SimulatedClock(1 / 8)
    MINIMAX.choose(drawn_but(4, 4, "v7"), Limit(60, clock), random.Random(0))
    assert clock.now_s == 1 / 8


class TestTooMuchForItsTime:
    # For the number of moves, and for the kernel.
    @each("position", [Dots(5, 5, Border.NONE, 2).initial(), EIGHT_BOXES_OF_MANY])
    def test_it_plays_like_chain_without_a_search(self, position: Position) -> None:
        """It looks at the clock as often as `chain` does, and once to make the search's limit."""
        clock, clock_of_chain = SimulatedClock(1 / 8), SimulatedClock(1 / 8)
        move = MINIMAX.choose(position, Limit(math.inf, clock), random.Random(3))
        limit = Limit(math.inf, clock_of_chain)
        assert move == CHAIN.choose(position, limit, random.Random(3))
        assert clock.now_s == clock_of_chain.now_s + 1 / 8

    def test_without_any_time_too(self) -> None:
        position = with_neutral_moves(Dots(3, 3, Border.NONE, 2), 8, random.Random(1))
        no_time = Limit(0, lambda: 0.0)
        move = MINIMAX.choose(position, no_time, random.Random(3))
        assert move == CHAIN.choose(position, no_time, random.Random(3))

    @needs_kernel
    @each("time_s, limit_s, longest_s", [(0.5, 60, 0.5), (1, 60, 1), (60, 1, 0.75)])
    def test_it_searches_for_its_own_time_and_less_than_its_limit(
        self, time_s: float, limit_s: float, longest_s: float
    ) -> None:
        position = with_neutral_moves(Dots(5, 5, Border.NONE, 2), 13, random.Random(1))
        with simulated_time(0.1) as clock:
            move = MinimaxBot(time_s).choose(position, Limit(limit_s, clock), random.Random(3))
        assert move == CHAIN.choose(position, no_limit(), random.Random(3))
        assert longest_s <= clock.now_s <= longest_s + 0.3


class TestTables:
    @given(late_dots(most_seats=4))
    def test_when_few_moves_are_left_it_sees_to_the_end(self, position: Position) -> None:
        move = MINIMAX.choose(position, no_limit(), random.Random(0))
        assert move in best_moves(position, MaxNSearch().scores_of_moves(position))

    def test_before_that_it_plays_like_chain(self) -> None:
        position = Dots(3, 3, Border.NONE, 3).initial()
        for seed in range(10):
            move = MINIMAX.choose(position, no_limit(), random.Random(seed))
            assert move == CHAIN.choose(position, no_limit(), random.Random(seed))


class TestNoughts:
    def test_it_never_loses(self) -> None:
        for seed in range(10):
            rng, seat = random.Random(seed), Seat(seed % 2)
            state = make_game("noughts", {}, 2).initial()
            while not state.is_over:
                bot = MINIMAX if state.to_move == seat else GreedyBot()
                state = state.play(bot.choose(state, no_limit(), rng))
            assert state.evaluate(seat) >= 0

    def test_without_time_it_plays_like_greedy(self) -> None:
        state, no_time = make_game("noughts", {}, 2).initial(), Limit(0, lambda: 0.0)
        for seed in range(10):
            move = MINIMAX.choose(state, no_time, random.Random(seed))
            assert move == GreedyBot().choose(state, no_time, random.Random(seed))


def test_its_option() -> None:
    assert MINIMAX.with_options({"time": 1.5}) == MinimaxBot(time=1.5)


@pytest.mark.long
@needs_kernel
def test_it_beats_chain() -> None:
    assert wins(MinimaxBot(time=0.01), ChainBot(), 16) >= 12


def test_a_game_with_few_positions_is_searched_however_long_it_may_be() -> None:
    lost = {0, 2, 5, 7, 10, 12, 15, 17, 20}  # https://oeis.org/A030193
    start = make_game("subtract-square", {"start": 20}, 2).initial()
    for first in start.legal_moves():
        state = start.play(first)
        after = state.play(MINIMAX.choose(state, no_limit(), random.Random(1)))
        assert int(after.game.format_position(after).partition("/")[0]) in lost
