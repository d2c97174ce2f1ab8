"""`boxroom puzzle`: lists, and line mode."""

import json
import os
from datetime import date
from pathlib import Path

import pytest

from boxroom_client.main import main
from boxroom_client.profile.data_folder import GAMES_FOLDER_VARIABLE
from boxroom_client.profile.puzzle_progress import SavedProgress
from boxroom_common.exits import Exit
from boxroom_common.puzzles import FILE, all_puzzles
from boxroom_engine.games.dots.theory.theme import Theme
from boxroom_engine.review.progress import Progress, next_puzzle
from boxroom_engine.review.puzzle import Puzzle, with_theme

TODAY = date(2026, 11, 28)
"""Any day: a theme has the same puzzles on each."""


def test_the_list_is_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["puzzle", "--list"]) == Exit.DONE
    assert capsys.readouterr().out == FILE.read_text(encoding="ascii")


def test_a_theme_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["puzzle", "leave_four", "--json"]) == Exit.DONE
    answer = json.loads(capsys.readouterr().out)
    puzzles = list(with_theme(all_puzzles(), Theme.LEAVE_FOUR))
    assert answer["format"] == "boxroom-puzzles-1"
    assert [each["position"] for each in answer["puzzles"]] == [each.name for each in puzzles]
    first, game = puzzles[0], puzzles[0].position.game
    assert answer["puzzles"][0] == {
        "game": "dots",
        "rows": game.rows,
        "cols": game.cols,
        "border": "none",
        "position": first.name,
        "best": [game.format_move(move) for move in first.best],
        "theme": first.theme,
        "grade": first.grade,
    }


def test_an_unknown_theme_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["puzzle", "leave_three"]) == Exit.USAGE
    assert "leave_three" in capsys.readouterr().err


def names_of(puzzle: Puzzle) -> tuple[str, str]:
    """Return the name of a wrong answer to `puzzle`, and of a right one."""
    wrong = next(move for move in puzzle.position.legal_moves() if move not in puzzle.best)
    game = puzzle.position.game
    return game.format_move(wrong), game.format_move(puzzle.best[0])


def test_line_mode_reads_answers_from_a_pipe(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(GAMES_FOLDER_VARIABLE, str(tmp_path))
    theme = Theme.LEAVE_TWO
    puzzle = next_puzzle(all_puzzles(), Progress(), TODAY, theme)
    wrong, right = names_of(puzzle)
    reader, writer = os.pipe()
    os.write(writer, f"h99\n\n{wrong}\n{right}\nquit\n{right}\n".encode())
    os.close(writer)
    with os.fdopen(reader) as pipe:
        monkeypatch.setattr("sys.stdin", pipe)
        assert main(["puzzle", str(theme), "--ascii"]) == Exit.DONE
    out = capfd.readouterr().out
    assert out.count("Find the line that wins.") == 2
    assert (
        out.index("h99 is not on a 3x") < out.index(f"{wrong} doesn't win") < out.index("Right! ")
    )
    assert "  The other player draws " in out
    assert "Again! Find a better line." in out
    assert [*SavedProgress(tmp_path).load().puzzles] == [puzzle.name]
