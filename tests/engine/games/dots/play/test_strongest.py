"""The best move in a time: exact play for a goal, and the foresight of whether it will end."""

import math
import random
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.engine.games.dots.boards import positions
from tests.engine.games.dots.oracle import margin, margin_by

from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.play.strongest import expected_nodes, first_reaching
from boxroom_engine.games.dots.solve.solver import kernel, solver_for
from boxroom_engine.games.dots.theory.captures import neutral
from boxroom_engine.stopping import Limit


@given(positions(most_sides=3), st.integers(-2, 2))
def test_exact_play_finds_the_first_move_that_reaches_a_goal(position: Position, more: int) -> None:
    grid = position.game.grid
    undrawn = grid.all_drawn ^ position.edges
    if 0 < undrawn.bit_count() <= 11:
        moves, goal = position.legal_moves(), margin(grid, undrawn) + more
        reaching = [move for move in moves if margin_by(grid, undrawn, move) >= goal]
        found = first_reaching(position, moves, goal, Limit(math.inf, lambda: 0.0))
        assert found == (reaching or moves)[0]


@pytest.mark.skipif(kernel() is None, reason="takes minutes without the kernel")
@each(
    "border, fewest, most",
    [(Border.NONE, 20, 24), (Border.HALF, 12, 16), (Border.FULL, 4, 6)],
)
def test_the_median_of_exact_play_is_foreseen(border: Border, fewest: int, most: int) -> None:
    rng, ratios = random.Random(2), []
    for _ in range(11):
        position = Dots(5, 5, border, 2).initial()
        for _ in range(rng.randint(fewest, most)):
            position = position.play(rng.choice(neutral(position)))
        nodes = solver_for(5, 5).solve(position.edges, moves=False, first_goal=1).nodes
        ratios.append(nodes / expected_nodes(position))
    assert 1 / 2 < statistics.median(ratios) < 2
