"""Perfect moves for two, by the bot `minimax`: all are best, and what is free needs no search."""

import random

import pytest
from tests.engine.bots.simulated_time import SimulatedClock
from tests.engine.bots.test_minimax import MINIMAX
from tests.engine.clocks import no_limit
from tests.engine.games.dots.boards import SMALL, every_position, name_of
from tests.engine.games.dots.oracle import solved
from tests.engine.games.dots.play.test_neutral_search import with_neutral_moves

from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.play.offers import offer_in
from boxroom_engine.games.dots.solve.solver import solver_for
from boxroom_engine.games.dots.theory.strings import parts_of
from boxroom_engine.games.protocol import Move
from boxroom_engine.stopping import Limit

BEGINNING = 2
"""The looks at the clock by which both its limit and that of the search are made."""


def choices(position: Position) -> set[Move]:
    """Every move that it makes here for one seed or another."""
    return {MINIMAX.choose(position, no_limit(), random.Random(seed)) for seed in range(30)}


@pytest.mark.parametrize("game", SMALL, ids=name_of)
def test_every_move_on_small_boards_is_perfect(game: Dots) -> None:
    rng = random.Random(1)
    for position in every_position(game):
        if not position.is_over and rng.random() < 0.2:
            _, best = solved(game.grid, game.grid.all_drawn ^ position.edges)
            assert MINIMAX.choose(position, no_limit(), rng) in best


def test_no_other_moves_come_up() -> None:
    rng = random.Random(1)
    for _ in range(5):
        position = with_neutral_moves(Dots(4, 4, Border.NONE, 2), 4, rng)
        assert choices(position) <= set(solver_for(4, 4).solve(position.edges).best_moves)


def test_what_is_free_is_taken_without_a_search() -> None:
    position = with_neutral_moves(Dots(5, 5, Border.NONE, 2), 8, random.Random(1))
    position = position.play(parts_of(position).long_chains[0].edges[0])
    offer, clock = offer_in(position), SimulatedClock(1 / 8)
    assert offer is not None
    assert offer.decline is None
    assert MINIMAX.choose(position, Limit(60, clock), random.Random(0)) == offer.take
    assert clock.now_s == BEGINNING / 8
