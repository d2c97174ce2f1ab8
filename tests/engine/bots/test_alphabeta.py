"""Alpha-beta as a player: perfect near the end, far-sighted before it, never late."""

import random

from hypothesis import given
from tests.engine.bots.test_greedy import wins
from tests.engine.clocks import no_limit, ticking
from tests.engine.search.positions import late_dots, late_noughts

from boxroom_engine.bots.alphabeta import AlphaBetaBot
from boxroom_engine.bots.registry import bot_of
from boxroom_engine.bots.uniform import UniformBot
from boxroom_engine.games.protocol import State
from boxroom_engine.games.registry import make_game
from boxroom_engine.search.memo import Memo
from boxroom_engine.search.minimax import best_valued_moves
from boxroom_engine.search.recursive import RecursiveMinimax
from boxroom_engine.stopping import Limit

ALPHABETA = AlphaBetaBot()


@given(state=late_dots(3) | late_noughts(3))
def test_near_the_end_it_is_perfect(state: State) -> None:
    best = best_valued_moves(RecursiveMinimax(memo=Memo()).values_of_moves(state))
    assert ALPHABETA.choose(state, no_limit(), random.Random(0)) in best


def test_it_looks_no_further_than_it_is_told_to() -> None:
    """The other is about to win at cell 5, which two moves ahead shows."""
    state = make_game("noughts", {}, 2).parse_position("0..11..../0/-")
    blind, seeing = AlphaBetaBot(depth=1), AlphaBetaBot(depth=2)
    assert {blind.choose(state, no_limit(), random.Random(seed)) for seed in range(60)} > {5}
    assert {seeing.choose(state, no_limit(), random.Random(seed)) for seed in range(60)} == {5}


def test_in_time_it_plays_the_best_that_it_has_seen() -> None:
    """There is time for two moves ahead, not for all nine."""
    state = make_game("noughts", {}, 2).parse_position("0..11..../0/-")
    for seed in range(10):
        limit = Limit(1.0, ticking(0.05))
        assert ALPHABETA.choose(state, limit, random.Random(seed)) == 5


def test_without_any_time_it_plays_like_greedy() -> None:
    """It takes the box that it is offered, whatever chance says."""
    game = make_game("dots", {}, 2)
    state = game.initial()
    for edge in ("h0", "h5", "v0"):
        state = state.play(game.parse_move(edge))
    for seed in range(5):
        move = ALPHABETA.choose(state, Limit(0, lambda: 0.0), random.Random(seed))
        assert game.format_move(move) == "v1"


def test_its_options() -> None:
    assert bot_of("alphabeta:time=1.5,depth=4") == AlphaBetaBot(time=1.5, depth=4)


def test_it_beats_chance() -> None:
    assert wins(AlphaBetaBot(depth=2), UniformBot(), 6) == 6
