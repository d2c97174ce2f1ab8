"""Expert: legal everywhere, exact where it can be, in time, and stronger than greedy."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.engine.bots.simulated_time import simulated_time
from tests.engine.bots.tables import table_positions
from tests.engine.clocks import no_limit
from tests.engine.games.dots.boards import drawn_but, positions
from tests.engine.games.dots.oracle import margin, margin_by

from boxroom_engine.bots.expert import ExpertBot
from boxroom_engine.bots.greedy import GreedyBot
from boxroom_engine.bots.registry import BOTS, bot_of
from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.play import estimates, strongest
from boxroom_engine.games.dots.play.offers import offer_in
from boxroom_engine.games.dots.solve.python_solver import PythonSolver
from boxroom_engine.games.dots.solve.solver import kernel, solver_for
from boxroom_engine.games.dots.theory.captures import neutral
from boxroom_engine.games.protocol import Move, Seat
from boxroom_engine.games.registry import KINDS, make_game
from boxroom_engine.stopping import Limit

EXPERT = ExpertBot()


def after_neutral_moves(game: Dots, count: int) -> Position:
    """The position after so many of them, at random."""
    rng, position = random.Random(1), game.initial()
    for _ in range(count):
        position = position.play(rng.choice(neutral(position)))
    return position


def choose(position: Position, seed: int = 0) -> Move:
    """With a clock that lets it look a few times."""
    with simulated_time(0.1) as clock:
        return EXPERT.choose(position, Limit(0.5, clock), random.Random(seed))


@given(table_positions(), st.integers(0, 2**32), st.sampled_from([0.0, 0.5, math.inf]))
def test_its_moves_are_legal(position: Position, seed: int, budget_s: float) -> None:
    with simulated_time(0.25) as clock:
        move = EXPERT.choose(position, Limit(budget_s, clock), random.Random(seed))
    assert move in position.legal_moves()


@given(positions(most_sides=3))
def test_its_moves_are_the_best_near_the_end(position: Position) -> None:
    """For who leads and who doesn't: it is the margin that counts when nothing else does."""
    undrawn = position.game.grid.all_drawn ^ position.edges
    if 0 < undrawn.bit_count() <= 11:
        move = EXPERT.choose(position, no_limit(), random.Random(0))
        assert margin_by(position.game.grid, undrawn, move) == margin(position.game.grid, undrawn)


def test_who_is_certain_to_win_still_wants_the_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """And who is certain to lose, to lose by the least: here only the tree comes before exact play.

    On a clock that stands still the tree ends when it is certain.
    """
    monkeypatch.setattr(strongest, "_MOST_MOVES", -1)
    rng = random.Random(4)
    for _ in range(30):
        position = Dots(3, 3, rng.choice(list(Border)), 2).initial()
        for _ in range(rng.randint(4, 10)):
            position = position.play(rng.choice(position.legal_moves()))
        move = EXPERT.choose(position, no_limit(), rng)
        assert move in solver_for(3, 3).solve(position.edges).best_moves


@each("time_s", [0.01, 0.02, 0.05, 0.1])
def test_who_has_won_already_has_a_move_all_the_same(time_s: float) -> None:
    """More boxes than are left: exact play, stopped at once, has nothing to say for any move."""
    position = after_neutral_moves(Dots(5, 5, Border.NONE, 2), 18)
    won = Position.of(position.game, position.edges, ((1 << 30) - 1, 0), (0, 0), Seat(0))
    with simulated_time(0.01) as clock:
        move = ExpertBot(time_s).choose(won, Limit(math.inf, clock), random.Random(1))
    assert move in won.legal_moves()


def test_the_first_edge_is_a_move_like_the_others() -> None:
    """It is the only best one here, in a lost position, where a tree would play any."""
    position = Dots(3, 3, Border.NONE, 2).parse_position("7c15a6/020,080/0/-")
    moves = {EXPERT.choose(position, no_limit(), random.Random(seed)) for seed in range(5)}
    assert moves == {position.game.parse_move("h0")}


class TestAtOnce:
    """Without looking at the clock again, so that no tree and no search can have been begun."""

    @given(table_positions())
    def test_what_costs_nothing_is_taken(self, position: Position) -> None:
        """Near the end of a game of three and more it can cost something, and is searched."""
        offer, left = offer_in(position), len(position.legal_moves())
        is_for_two = position.game.seats - len(position.withdrawn) == 2
        is_searched = not is_for_two and left <= strongest._MOST_EDGES_FOR_MORE
        if offer is not None and offer.decline is None and not is_searched:
            assert self.choose(position) == offer.take

    def test_the_last_move_is_made(self) -> None:
        """It always takes a box."""
        position = drawn_but(1, 1, "v1")
        assert self.choose(position) == position.game.parse_move("v1")

    @staticmethod
    def choose(position: Position) -> Move:
        looks = iter([0.0])  # the first is when the limit is made
        return EXPERT.choose(position, Limit(1, lambda: next(looks)), random.Random(0))


class TestTime:
    """Its thinking time, by a clock that goes on by a hundredth of a second at each look."""

    @each("seats", [2, 3])
    @each(
        "time_s, budget_s, expected_s",
        [(0.5, 10, 0.5), (3, 2, 1.9), (3, math.inf, 3)],
    )
    def test_its_own_but_no_more_than_the_limit(
        self, seats: int, time_s: float, budget_s: float, expected_s: float
    ) -> None:
        position = after_neutral_moves(Dots(6, 6, Border.NONE, seats), 14)
        assert self.taken_s(ExpertBot(time_s), position, budget_s) == pytest.approx(
            expected_s, abs=0.15
        )

    @each("size", [6, 31])
    @each("seats", [2, 3])
    def test_all_of_it_for_the_first_move(self, size: int, seats: int) -> None:
        position = Dots(size, size, Border.NONE, seats).initial()
        assert self.taken_s(ExpertBot(3), position, math.inf) == pytest.approx(3, abs=0.15)

    @each("seats", [2, 3])
    def test_hardly_any_if_there_is_none(self, seats: int) -> None:
        assert self.taken_s(ExpertBot(3), Dots(6, 6, Border.NONE, seats).initial(), 0) <= 0.1

    def test_all_of_it_where_exact_play_doesnt_end(self) -> None:
        """Here both begin, exact play and the tree."""
        position = after_neutral_moves(Dots(5, 5, Border.NONE, 2), 14)
        assert self.taken_s(ExpertBot(0.5), position, math.inf) == pytest.approx(0.5, abs=0.15)

    @each("border, moves", [(Border.NONE, 18), (Border.FULL, 1)])
    @each("budget_s, expected_s", [(math.inf, 2.5), (2, 1.9)])
    def test_five_times_as_long_for_a_hard_move(
        self, border: Border, moves: int, budget_s: float, expected_s: float
    ) -> None:
        """Exact play would end in a few times its time; with a border already near the start."""
        position = after_neutral_moves(Dots(5, 5, border, 2), moves)
        assert self.taken_s(ExpertBot(0.5), position, budget_s) == pytest.approx(
            expected_s, abs=0.15
        )

    def test_no_more_of_it_where_seats_withdrew(self) -> None:
        """With twenty lines to come it isn't near the end, though twelve have given up."""
        position = after_neutral_moves(Dots(4, 4, Border.NONE, 15), 20)
        for seat in range(12):
            position = position.withdraw(Seat(seat))
        assert self.taken_s(ExpertBot(0.5), position, 2) == pytest.approx(0.5, abs=0.15)

    def test_less_where_it_does(self) -> None:
        assert self.taken_s(ExpertBot(3), Dots(2, 3, Border.NONE, 2).initial(), math.inf) < 1

    @staticmethod
    def taken_s(bot: ExpertBot, position: Position, budget_s: float) -> float:
        """To a tenth of a second or so, which is what any move at all takes."""
        with simulated_time(0.01) as clock:
            bot.choose(position, Limit(budget_s, clock), random.Random(0))
        return clock.now_s


def test_two_of_three_play_as_two_do() -> None:
    """Two boxes are on offer beside a chain of five: only for two it is right to decline them."""
    three = Dots(2, 5, Border.NONE, 3)
    edges = drawn_but(2, 5, "v4 v5 v6 v7 v8 v9 v10 v11").edges
    position = Position.of(three, edges, (0b001, 0b010, 0b100), (0, 0, 0), Seat(0))
    names = [three.format_move(choose(p)) for p in (position, position.withdraw(Seat(1)))]
    assert names == ["v4", "v5"]


def test_without_the_kernel_it_plays_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    python = PythonSolver(2, 3, 1 << 20)
    for module in (strongest, estimates):
        monkeypatch.setattr(module, "shared_solver", lambda rows, cols: python)
    for seats in (2, 3):
        position = Dots(2, 3, Border.NONE, seats).initial()
        while not position.is_over:
            position = position.play(choose(position))
        assert sum(position.scores) == 6


@pytest.mark.skipif(kernel() is None, reason="takes a minute without the kernel")
def test_it_beats_greedy() -> None:
    """In eight games on 4×4, each from both sides, with the same clock in all of them."""
    won = 0.0
    for seed in range(8):
        rng, seat = random.Random(seed), Seat(seed % 2)
        position = Dots(4, 4, Border.NONE, 2).initial()
        while not position.is_over:
            bot = EXPERT if position.to_move == seat else GreedyBot()
            with simulated_time(0.05) as clock:
                position = position.play(bot.choose(position, Limit(math.inf, clock), rng))
        assert position.outcome is not None
        won += (seat in position.outcome.winners) / len(position.outcome.winners)
    assert won >= 7


def test_it_beats_two_greedy_ones() -> None:
    won = 0
    for seed in range(6):
        rng, seat = random.Random(seed), Seat(seed % 3)
        position = Dots(4, 4, Border.NONE, 3).initial()
        while not position.is_over:
            bot = EXPERT if position.to_move == seat else GreedyBot()
            with simulated_time(0.0125) as clock:
                position = position.play(bot.choose(position, Limit(math.inf, clock), rng))
        assert position.outcome is not None
        won += seat in position.outcome.winners
    assert won >= 4


def test_it_plays_other_games_by_search() -> None:
    assert all(EXPERT.supports(kind) for kind in KINDS.values())
    game = make_game("noughts", {"dims": "3,3", "line": 3}, 2)
    state = game.initial()
    for text in ("0", "4", "1"):  # the row has to be closed
        state = state.play(game.parse_move(text))
    move = EXPERT.choose(state, no_limit(), random.Random(1))
    assert game.format_move(move) == "2"


def test_it_is_the_strongest() -> None:
    assert list(BOTS)[-1] == "expert"


def test_its_option() -> None:
    assert bot_of("expert:time=2.5") == ExpertBot(time=2.5)
