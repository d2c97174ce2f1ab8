"""`boxroom analyse` as users start it, on games that the arena wrote."""

import json
from pathlib import Path

from tests.e2e.piped import boxroom
from tests.e2e.terminal import CTRL_C, Terminal

from boxroom_common.exits import Exit

EARLY = "dots rows=6 cols=6 border=none | Ada, Bob | h0 h1"


def test_a_game_of_the_arena_is_analysed_to_its_beginning(tmp_path: Path) -> None:
    games = str(tmp_path / "games.txt")
    arena = boxroom(
        "arena", "random", "greedy", "--games", "2", "--grid", "3x3", "--records", games
    )
    assert arena.returncode == 0
    analysed = boxroom("analyse", games, "--game", "2", "--json", "--time", "60")
    assert analysed.returncode == 0
    game = json.loads(analysed.stdout)
    assert set(game["players"]) == {"random (bot)", "greedy (bot)"}
    assert len(game["moves"]) == 24
    swing = game["margins"][0] - game["margins"][-1]
    assert game["losses"][0]["lost"] - game["losses"][1]["lost"] == swing
    assert game["margins"][-1] == game["scores"][0] - game["scores"][1]
    told = boxroom("analyse", games, "--game", "2", "--all")
    assert told.stdout.startswith("Dots and Boxes (rows 3, cols 3, border none): ")
    unnamed = boxroom("analyse", games)
    assert unnamed.returncode == Exit.USAGE
    assert "there are 2 games: name one, --game 1 to 2" in unnamed.stderr


def test_in_a_terminal_a_line_tells_how_far_it_is_and_ctrl_c_ends_it() -> None:
    with Terminal("analyse", EARLY, "--time", "3600", columns=80, lines=24) as terminal:
        terminal.wait_for("judging from the end: position 2 of 2")
        terminal.press(CTRL_C)
        terminal.wait_for("Moves 1 and 2 are not judged: it was interrupted.")
        assert terminal.wait_for_end() == Exit.INTERRUPTED
        assert "judging" not in terminal.text
        assert "Traceback" not in terminal.text
