"""Progress with puzzles: ratings, the puzzles of a day, and the choice of the next one."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxroom_common.puzzles import all_puzzles
from boxroom_engine.games.dots.theory.theme import Theme
from boxroom_engine.review.progress import FIRST_RATING, Progress, left_of, next_puzzle
from boxroom_engine.review.puzzle import Puzzle, of_the_day, with_theme

PUZZLES = all_puzzles()
TODAY = date(2026, 11, 28)
OF_TODAY = of_the_day(PUZZLES, TODAY)


def all_of(day: date, progress: Progress) -> Progress:
    of_day = of_the_day(PUZZLES, day)
    for puzzle in of_day:
        progress = progress.after_solving(puzzle, of_day, day)
    return progress


@given(st.lists(st.tuples(st.sampled_from(PUZZLES), st.booleans()), max_size=30))
def test_a_right_answer_raises_the_rating_and_lowers_that_of_the_puzzle(
    answers: list[tuple[Puzzle, bool]],
) -> None:
    progress = Progress()
    for puzzle, right in answers:
        after = progress.after_first_try(puzzle, right=right)
        assert (after.rating > progress.rating) == right
        assert (after.rating_of(puzzle) < progress.rating_of(puzzle)) == right
        assert list(after.puzzles)[-1] == puzzle.name
        progress = after
    assert len(progress.puzzles) == len({puzzle for puzzle, _ in answers})


def test_a_harder_puzzle_brings_more_and_costs_less() -> None:
    easy, hard = (next(each for each in PUZZLES if each.grade == grade) for grade in (1, 3))
    gains = [Progress().after_first_try(each, right=True).rating for each in (easy, hard)]
    losses = [Progress().after_first_try(each, right=False).rating for each in (easy, hard)]
    assert FIRST_RATING < gains[0] < gains[1]
    assert losses[0] < losses[1] < FIRST_RATING


def test_days_in_a_row_are_counted() -> None:
    progress = all_of(TODAY + timedelta(1), all_of(TODAY, Progress()))
    series = [progress.series_on(TODAY + timedelta(days)) for days in (1, 2, 3)]
    assert series == [2, 2, 0]
    assert all_of(TODAY + timedelta(3), progress).series == 1


def test_a_day_is_whole_when_its_last_puzzle_is_solved() -> None:
    progress = Progress()
    for number, puzzle in enumerate(OF_TODAY):
        assert len(left_of(OF_TODAY, progress, TODAY)) == len(OF_TODAY) - number
        assert progress.series_on(TODAY) == 0
        progress = progress.after_solving(puzzle, OF_TODAY, TODAY)
    assert progress.series_on(TODAY) == 1
    assert left_of(OF_TODAY, progress, TODAY) == []
    assert len(left_of(OF_TODAY, progress, TODAY + timedelta(1))) == len(OF_TODAY)


def test_other_puzzles_and_solved_ones_dont_count_for_the_day() -> None:
    other = next(puzzle for puzzle in PUZZLES if puzzle not in OF_TODAY)
    assert Progress().after_solving(other, OF_TODAY, TODAY) == Progress()
    once = Progress().after_solving(OF_TODAY[0], OF_TODAY, TODAY)
    assert once.after_solving(OF_TODAY[0], OF_TODAY, TODAY) == once


def test_the_puzzles_of_the_day_come_first() -> None:
    progress = Progress()
    for puzzle in OF_TODAY:
        assert next_puzzle(PUZZLES, progress, TODAY, None) == puzzle
        progress = progress.after_solving(puzzle, OF_TODAY, TODAY)
    assert next_puzzle(PUZZLES, progress, TODAY, None) not in OF_TODAY


@pytest.mark.parametrize("theme", Theme)
def test_all_of_a_theme_come_up_and_then_the_one_of_longest_ago(theme: Theme) -> None:
    progress, count = Progress(), len(list(with_theme(PUZZLES, theme)))
    names = []
    for _ in range(count + 2):
        puzzle = next_puzzle(PUZZLES, progress, TODAY, theme)
        names.append(puzzle.name)
        progress = progress.after_first_try(puzzle, right=True)
    assert len({*names}) == count
    assert names[count:] == names[:2]
