"""`boxroom mistakes`: the summary of kept games, and their positions as puzzles."""

import json
import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from boxroom_client.main import main
from boxroom_client.profile.data_folder import GAMES_FOLDER_VARIABLE
from boxroom_client.profile.history import GameHistory, PlayedGame
from boxroom_client.profile.puzzle_progress import SavedProgress
from boxroom_client.shell import own_mistakes
from boxroom_common.exits import Exit
from boxroom_engine.review.mistakes import Mistake

RECORD = (
    "dots rows=2 cols=3 border=none | Ada, easy (bot) | "
    "h0 h8 v0 v7 h3 v1 h1 h4 v4 v5 v2 h5 h2 v3 h6 h7 v6"
)
"""A game that Ada loses."""

GAME = PlayedGame(0, "", "log", 1, "home", 1000, 0, False, (2, 4), (1,), (None, "easy"), RECORD)


@pytest.fixture
def history(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> GameHistory:
    monkeypatch.setenv(GAMES_FOLDER_VARIABLE, str(tmp_path))
    return GameHistory()


def test_without_games_there_is_nothing_to_look_at(
    history: GameHistory, capsys: pytest.CaptureFixture[str]
) -> None:
    history.add(replace(GAME, seat=None))
    history.add(replace(GAME, number=2, record=RECORD.replace("easy (bot)", "easy (bot), Cem")))
    assert main(["mistakes"]) == Exit.DONE
    assert capsys.readouterr().out.startswith("There is no game to look at yet")


def test_a_game_is_reviewed_once(
    history: GameHistory,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    history.add(GAME)
    assert main(["mistakes", "--json"]) == Exit.DONE
    answer = json.loads(capsys.readouterr().out)
    assert answer["format"] == "boxroom-mistakes-1"
    assert [game["id"] for game in answer["games"]] == [1]
    assert answer["games"][0]["mistakes"]
    monkeypatch.delattr(own_mistakes, "Reviewing")
    assert main(["mistakes", "--json"]) == Exit.DONE
    assert json.loads(capsys.readouterr().out) == answer
    history.delete([1])
    assert history.mistakes() == {}


def test_themes_stand_with_their_price_and_trend(
    history: GameHistory, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(1, 7):
        history.add(replace(GAME, number=number))
        missed = [Mistake(1, "h0", ("h1",), 2.0, "leave_two")] * (number > 3)
        history.keep_mistakes(number, [*missed, Mistake(2, "h1", ("h2",), 9.0)])
    assert main(["mistakes"]) == Exit.DONE
    assert capsys.readouterr().out.splitlines() == [
        "In your last 6 games against one other player you missed these ideas:",
        (
            "  leave two of a chain, or take them: 3 times, which cost you 6 boxes;"
            " more often in the newer half"
        ),
        "boxroom mistakes leave_two gives you the positions of the first one again, as puzzles.",
    ]
    assert main(["mistakes", "--last", "1", "--language", "de"]) == Exit.DONE
    assert "einmal, das hat dich 2 Kästchen gekostet\n" in capsys.readouterr().out


def test_a_theme_gives_the_positions_again(
    history: GameHistory,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    history.add(GAME)
    history.keep_mistakes(1, [Mistake(10, "v5", ("v2",), 2.0, "count")])
    reader, writer = os.pipe()
    os.write(writer, b"v5\nv2\n")
    os.close(writer)
    with os.fdopen(reader) as pipe:
        monkeypatch.setattr("sys.stdin", pipe)
        assert main(["mistakes", "count", "--ascii"]) == Exit.DONE
    out = capfd.readouterr().out
    assert out.count("From your own game.") == 2
    assert out.index("v5 isn't the best line") < out.index("Right! ")
    progress = SavedProgress().load()
    assert list(progress.puzzles), "it was rated"
    assert not progress.solved, "it is no puzzle of the day"


def test_a_theme_that_was_not_missed_is_refused(
    history: GameHistory, capsys: pytest.CaptureFixture[str]
) -> None:
    history.add(GAME)
    history.keep_mistakes(1, [])
    assert main(["mistakes", "give"]) == Exit.FAILED
    assert "boxroom puzzle give has other positions" in capsys.readouterr().err


def test_mistakes_of_a_game_that_is_gone_are_forgotten(history: GameHistory) -> None:
    history.add(GAME)
    history.keep_mistakes(1, [Mistake(1, "h0", ("h1",), 2.0)])
    history.keep_mistakes(7, [])
    assert history.mistakes() == {1: (Mistake(1, "h0", ("h1",), 2.0),)}
