"""The tree of playouts as a player: perfect near the end, better than chance before it."""

import random

from hypothesis import given, settings
from tests.engine.clocks import no_limit, ticking
from tests.engine.search.positions import late_dots, late_noughts

from boxroom_engine.bots.greedy import GreedyBot
from boxroom_engine.bots.mcts import MctsBot
from boxroom_engine.bots.registry import bot_of
from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.games.registry import make_game
from boxroom_engine.search.max_n import MaxNSearch, best_moves
from boxroom_engine.stopping import Limit

MCTS = MctsBot()


@settings(max_examples=settings().max_examples // 2)
@given(state=late_dots(3) | late_noughts(3))
def test_near_the_end_it_is_perfect(state: State) -> None:
    best = best_moves(state, MaxNSearch().scores_of_moves(state))
    assert MCTS.choose(state, no_limit(), random.Random(0)) in best


def test_it_doesnt_lose_at_noughts() -> None:
    for seed in range(6):
        rng, seat = random.Random(seed), Seat(seed % 2)
        state = make_game("noughts", {}, 2).initial()
        while not state.is_over:
            bot = MCTS if state.to_move == seat else GreedyBot()
            state = state.play(bot.choose(state, Limit(60, ticking(0.01)), rng))
        assert state.evaluate(seat) >= 0


def test_without_time_for_one_game_it_plays_like_greedy() -> None:
    """It takes the box that it is offered, whatever chance says."""
    game = make_game("dots", {}, 3)
    state = game.initial()
    for edge in ("h0", "h5", "v0"):
        state = state.play(game.parse_move(edge))
    for seed in range(5):
        move = MCTS.choose(state, Limit(0, lambda: 0.0), random.Random(seed))
        assert game.format_move(move) == "v1"


def test_the_only_move_needs_no_tree() -> None:
    state = make_game("noughts", {}, 2).parse_position("01010.101/0/-")
    assert MCTS.choose(state, Limit(0, lambda: 0.0), random.Random(0)) == 5


def test_its_option() -> None:
    assert bot_of("mcts:time=1.5") == MctsBot(time=1.5)
