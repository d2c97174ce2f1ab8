"""`arena`: functions play in processes of their own."""

import json
import signal
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.cases import each

from boxroom_engine.arena.running_game import RunningGame
from boxroom_engine.games.protocol import State
from boxroom_lab.notebook.arguments import NotebookError
from boxroom_lab.notebook.contest import arena

SMALL: dict[str, Any] = {"rows": 2, "cols": 2, "games": 4, "seed": 1, "jobs": 1, "time_s": 5.0}


def first(state: State) -> int:
    return state.legal_moves()[0]


def test_functions_bots_and_files_play_together(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("def robot(board):\n    return []\n", encoding="utf-8")
    seen: list[State] = []

    def by_text(state: State) -> str:
        seen.append(state)
        return state.game.format_move(state.legal_moves()[-1])

    made = arena([first, by_text, "greedy", str(path)], **SMALL).as_dict()
    assert [bot["name"] for bot in made["bots"]] == ["first", "by_text", "greedy", str(path)]
    assert made["games"] == made["games_planned"] == 4 * 6
    assert made["interrupted"] is False
    assert {fault["name"] for fault in made["faults"]} == {str(path)}
    assert seen == []  # it ran as a copy
    json.dumps(made)


def test_the_same_seed_is_the_same_games() -> None:
    def results() -> list[Any]:
        made = arena(["random", "greedy"], **SMALL).as_dict()
        return [(bot["wins"], bot["margin"]) for bot in made["bots"]]

    assert results() == results()


def test_other_games_and_more_players() -> None:
    made = arena(
        [first, first, "random"], game="noughts", dims="3,3", seats=3, line=3, games=3, jobs=1
    ).as_dict()
    assert made["game"] == "noughts"
    assert made["seats"] == 3
    assert [bot["name"] for bot in made["bots"]] == ["first", "first 2", "random"]


def test_a_function_that_fails_or_never_returns_loses_with_a_reason() -> None:
    def fails(state: State) -> int:
        raise LookupError("no idea")

    def hangs(state: State) -> int:
        while True:
            pass

    shown = repr(arena([fails, hangs], **{**SMALL, "time_s": 0.05, "games": 1}))
    assert "fails lost 1 game by an error" in shown
    assert "the robot raised LookupError: no idea" in shown
    assert "hangs lost 1 game on time" in shown


@each(
    "robots, options, why",
    [
        ([first], {}, "first needs an opponent: name another bot|2 seats need as many bots"),
        ([first, "greedy"], {"games": 0}, "^games is 1 to 100,000, not 0$"),
        ([first, "greedy"], {"time_s": 0}, "^time_s is a number of seconds above 0"),
        (["random", "greedy"], {"jobs": 0}, "^jobs is 1 or more, not 0$"),
        ([first, "greedy"], {"row": 3}, "Dots and Boxes has no option 'row'; it has rows, cols"),
        ([first, "greedy"], {"rows": "x"}, "rows is a whole number"),
        ([first, "greedy"], {"game": "go"}, "there is no game 'go'"),
        ([first, "nobody"], {}, "nobody"),
        (["greedy", "no.py"], {}, "there is no file no.py"),
        (["greedy", lambda board: []], {"game": "noughts"}, "doesn't play noughts"),
    ],
)
def test_mistakes_are_explained(robots: list[Any], options: dict[str, Any], why: str) -> None:
    with pytest.raises(NotebookError, match=why):
        arena(robots, **options)


def test_an_interrupt_ends_it_with_the_games_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    received, real = count(1), RunningGame.result

    def result(game: RunningGame) -> Any:
        if next(received) == 2:
            signal.raise_signal(signal.SIGINT)
        return real(game)

    monkeypatch.setattr(RunningGame, "result", result)
    table = arena(["random", "greedy"], **{**SMALL, "games": 1000})
    assert 2 <= table.as_dict()["games"] < 10
    assert "then interrupted." in repr(table)
    assert "then interrupted." in table._repr_html_()
