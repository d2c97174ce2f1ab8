"""The course of puzzles: right and wrong answers, refutations, ratings and days."""

from datetime import date
from pathlib import Path

import pytest

from boxroom_client.profile.puzzle_progress import SavedProgress
from boxroom_client.shell.courses import Stage
from boxroom_client.shell.puzzles import PuzzleCourse
from boxroom_common.puzzles import all_puzzles
from boxroom_engine.games.dots.theory.theme import Theme
from boxroom_engine.games.errors import GameError
from boxroom_engine.games.protocol import Move
from boxroom_engine.review.progress import Progress
from boxroom_engine.review.puzzle import PER_DAY

TODAY = date(2026, 11, 28)


class Saved(SavedProgress):
    """Progress that remembers each of its changes."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.all: list[Progress] = []

    def save(self, progress: Progress) -> None:
        self.all.append(progress)
        super().save(progress)


@pytest.fixture
def saved(tmp_path: Path) -> Saved:
    return Saved(tmp_path)


def course_of(saved: Saved, theme: Theme | None = None) -> PuzzleCourse:
    return PuzzleCourse(all_puzzles(), saved, TODAY, theme)


def wrong_move(course: PuzzleCourse) -> Move:
    best = course.puzzle.best
    return next(move for move in course.position.legal_moves() if move not in best)


@pytest.mark.parametrize("theme", Theme)
def test_a_right_answer_tells_its_reason_and_goes_on(theme: Theme, saved: Saved) -> None:
    course = course_of(saved, theme)
    solved = course.puzzle
    course.play(solved.best[0])
    assert course.position == solved.position.play(solved.best[0])
    right, after, rating = course.lines
    assert right.startswith("Right! ")
    assert after.startswith(f"After {solved.position.game.format_move(solved.best[0])} ")
    after_it = saved.all[-1].rating
    assert rating == f"Your rating is {round(after_it)} now ({after_it - 800:+.0f})."
    course.go_on()
    assert course.stage is Stage.ASKED
    assert course.puzzle != solved
    assert course.position == course.puzzle.position
    assert course.lines[0] == "It's your turn. Find the line that wins."


def test_a_wrong_answer_is_played_out_and_asked_again(saved: Saved) -> None:
    course = course_of(saved)
    puzzle, seat = course.puzzle, course.seat
    move = wrong_move(course)
    course.play(move)
    assert course.stage is Stage.REFUTED
    name = puzzle.position.game.format_move(move)
    assert course.lines[0].startswith(f"{name} doesn't win. Boxes in the end: ")
    told = [int(word.strip(",.")) for word in course.lines[0].split() if word.strip(",.").isdigit()]
    last = course.position
    while course.stage is Stage.REFUTED:
        last = course.position
        course.go_on()
    assert last.outcome is not None
    assert [last.scores[seat], last.scores[1 - seat]] == told
    assert seat not in last.outcome.winners or len(last.outcome.winners) == 2
    assert course.lines[0] == "Again! Find a better line."
    assert course.position == course.puzzle.position == puzzle.position
    assert len(saved.all) == 1


def test_only_the_first_try_is_rated(saved: Saved) -> None:
    course = course_of(saved, Theme.COUNT)
    course.play(wrong_move(course))
    course.ask_again()
    course.play(wrong_move(course))
    course.ask_again()
    course.play(course.puzzle.best[0])
    assert [round(each.rating) < 800 for each in saved.all] == [True]
    assert not any("rating" in line for line in course.lines)


def test_the_last_puzzle_of_the_day_ends_the_day(saved: Saved) -> None:
    course = course_of(saved)
    for number in range(1, PER_DAY + 1):
        assert course.title.startswith(f"Puzzle {number} of {PER_DAY} of today (your rating ")
        course.play(course.puzzle.best[0])
        is_done = course.lines[-1] == "You have solved all puzzles of today."
        assert is_done == (number == PER_DAY)
        course.go_on()
    assert course.title.startswith("Puzzle (your rating ")


def test_nothing_happens_out_of_turn(saved: Saved) -> None:
    course = course_of(saved)
    before = course.position
    course.go_on()
    course.ask_again()
    assert (course.position, course.stage) == (before, Stage.ASKED)
    course.play(course.puzzle.best[0])
    course.play(course.position.legal_moves()[0])
    course.ask_again()
    assert course.stage is Stage.SOLVED
    assert len(saved.all) == 1


def test_what_is_no_free_line_is_refused(saved: Saved) -> None:
    course = course_of(saved)
    game, free = course.position.game, course.position.legal_moves()
    drawn = next(line for line in game.initial().legal_moves() if line not in free)
    for text in ("x", "h99", game.format_move(drawn)):
        with pytest.raises(GameError):
            course.move_of(text)


@pytest.mark.usefixtures("german")
def test_sentences_are_german_too(saved: Saved) -> None:
    course = course_of(saved, Theme.LEAVE_TWO)
    assert course.title.startswith("Rätsel: lass zwei von einer Kette ")
    course.play(wrong_move(course))
    assert " gewinnt nicht: " in course.lines[0]
    course.ask_again()
    course.play(course.puzzle.best[0])
    assert course.lines[0].startswith("Richtig! ")
    assert course.lines[1].startswith("Nach ")
