"""`solve`: values and best moves, as of the command."""

import json

import pytest

from boxroom_client.main import main
from boxroom_lab.notebook.arguments import NotebookError
from boxroom_lab.notebook.playing import make_game
from boxroom_lab.notebook.solving import solve


def test_the_answer_is_that_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    game = make_game("dots", rows=2, cols=2)
    answer = solve(game.initial().play(game.parse_move("h0"))).as_json()
    assert main(["solve", "--rows", "2", "--cols", "2", "--moves", "h0", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert answer == {name: shown[name] for name in answer}


def test_with_little_time_it_is_an_estimate() -> None:
    answer = solve(make_game("dots", rows=6, cols=6).initial(), time_s=0.2)
    assert not answer.exact
    assert answer.best_moves


def test_what_cant_be_solved_is_refused_in_the_words_of_a_call() -> None:
    state = make_game("subtract-square", start=1).initial()
    with pytest.raises(NotebookError, match="the game is over"):
        solve(state.play(state.legal_moves()[0]))
    with pytest.raises(NotebookError, match=r"^time_s is a number of seconds above 0"):
        solve(state, time_s=0)
    with pytest.raises(NotebookError, match=r"^memory_mib is a number of MiB"):
        solve(state, memory_mib=0)
