"""`games`, `make_game`, `bots` and `choose_move`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.errors import BoxroomError
from boxroom_engine.games.errors import OptionError
from boxroom_lab.notebook.arguments import NotebookError
from boxroom_lab.notebook.playing import bots, choose_move, games, make_game


def test_options_are_keywords_and_the_rest_are_by_default() -> None:
    game = make_game("dots", rows=2, cols=3, seats=3)
    assert (game.options["rows"], game.options["cols"], game.seats) == (2, 3, 3)
    assert make_game() == make_game("dots", seats=2)


@each("name, options", [("nothing", {}), ("dots", {"rows": 0}), ("dots", {"depth": 3})])
def test_games_that_there_are_not_are_refused(name: str, options: dict[str, int]) -> None:
    with pytest.raises(OptionError):
        make_game(name, **options)


@given(st.sampled_from(games()), st.integers(0, 9))
def test_bots_choose_legal_moves_of_every_game(name: str, seed: int) -> None:
    state = make_game(name).initial()
    assert "random" in bots(state.game)
    assert choose_move(state, "random", seed=seed) in state.legal_moves()


def test_the_same_seed_is_the_same_move() -> None:
    state = make_game("dots").initial()
    chosen = {choose_move(state, "random", seed=7) for _ in range(5)}
    assert len(chosen) == 1


def test_bots_that_dont_play_the_game_are_refused() -> None:
    state = make_game("noughts").initial()
    assert "chain" not in bots(state.game)
    with pytest.raises(NotebookError, match="chain doesn't play"):
        choose_move(state, "chain")


def test_without_a_bot_a_turn_or_time_there_is_no_move() -> None:
    state = make_game("subtract-square", start=1).initial()
    with pytest.raises(BoxroomError, match="there is no bot 'nothing'"):
        choose_move(state, "nothing")
    with pytest.raises(NotebookError, match=r"^time_s is a number of seconds"):
        choose_move(state, time_s=0.0)
    with pytest.raises(NotebookError, match="the game is over"):
        choose_move(state.play(state.legal_moves()[0]), "random")
