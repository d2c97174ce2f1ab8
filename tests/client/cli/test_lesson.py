"""`boxroom lesson`: the list, line mode, and the puzzles at the end."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from boxroom_client.main import main
from boxroom_client.profile.data_folder import GAMES_FOLDER_VARIABLE
from boxroom_client.profile.puzzle_progress import SavedProgress
from boxroom_common.exits import Exit
from boxroom_common.lessons import NAMES, all_lessons

FIRST_GAME = ("h0", "v1", "v0", "h1", "h2", "v4", "h3", "h1")
"""Moves of the first lesson, the third of which is wrong."""


@pytest.fixture
def games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv(GAMES_FOLDER_VARIABLE, str(tmp_path))
    return tmp_path


def lesson(monkeypatch: pytest.MonkeyPatch, *arguments: str, answers: Sequence[str] = ()) -> int:
    """Run the command with `answers` as its input."""
    reader, writer = os.pipe()
    os.write(writer, "".join(f"{line}\n" for line in answers).encode())
    os.close(writer)
    with os.fdopen(reader) as pipe:
        monkeypatch.setattr("sys.stdin", pipe)
        return main(["lesson", *arguments])


def test_the_lessons_are_given_in_their_order(
    monkeypatch: pytest.MonkeyPatch, games: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert lesson(monkeypatch, "--ascii", answers=FIRST_GAME) == Exit.DONE
    out = capfd.readouterr().out
    assert out.count("That was a third line.") == 1
    assert "  The other player draws h2: 0 for you, 1 for the other." in out
    assert out.rstrip().endswith(all_lessons()[0].end["en"])
    assert SavedProgress(games).load().lessons == NAMES[:1]
    assert lesson(monkeypatch, "--ascii") == Exit.DONE
    assert capfd.readouterr().out.startswith("Safe lines: 1 of 5\n")


def test_a_lesson_ends_in_puzzles_of_its_theme(
    monkeypatch: pytest.MonkeyPatch, games: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    wanted = all_lessons()[NAMES.index("leave_two")]
    moves = [step.right[0] for step in wanted.steps]
    assert lesson(monkeypatch, "leave_two", "--language", "de", answers=moves) == Exit.DONE
    out = capfd.readouterr().out
    assert out.count("Richtig!") == len(moves)
    assert out.index(wanted.end["de"]) < out.index("Rätsel: lass zwei von einer Kette ")
    assert SavedProgress(games).load().lessons == ("leave_two",)


def test_the_list_shows_which_are_done(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = SavedProgress(games)
    saved.save(saved.load().after_lesson("chains"))
    assert main(["lesson", "--list"]) == Exit.DONE
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in lines][:1] == ["game"]
    assert [line.startswith("[x] chains ") for line in lines].count(True) == 1
    assert [line[:3] for line in lines].count("[ ]") == len(NAMES) - 1


def test_an_unknown_lesson_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lesson", "algebra"]) == Exit.USAGE
    assert "algebra" in capsys.readouterr().err
