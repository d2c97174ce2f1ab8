"""The progress of a person: lessons, ratings, the puzzles of the day, and a series of days.

Ratings are Elo's: a puzzle plays against its solver, and the first try decides. Those of the
puzzles are for this person alone. The page counts in the same way (`progress.js`).
"""

from collections.abc import Sequence
from datetime import date, timedelta

import msgspec
from msgspec.structs import replace

from boxroom_engine.games.dots.theory.theme import Theme
from boxroom_engine.review.puzzle import Puzzle, of_the_day, with_theme

FIRST_RATING = 800.0
_OF_GRADE = {1: 700.0, 2: 1000.0, 3: 1300.0}
_SCALE = 400
_STEP, _PUZZLE_STEP = 32, 16


class Progress(msgspec.Struct, frozen=True):
    """The progress so far; days are as in ISO 8601."""

    rating: float = FIRST_RATING
    puzzles: dict[str, float] = {}
    """Rating of each puzzle that was tried, by its name, the one that was tried last at the end."""
    day: str = ""
    """The last day on which a puzzle of that day was solved."""
    solved: tuple[str, ...] = ()
    """Names of the puzzles of that day that were solved."""
    series: int = 0
    """Number of days in a row on which all were solved."""
    last_whole_day: str = ""
    """The last of these days."""
    lessons: tuple[str, ...] = ()
    """Names of the lessons that were done, in the order of the first time."""

    def rating_of(self, puzzle: Puzzle) -> float:
        """Return the rating of `puzzle`."""
        return self.puzzles.get(puzzle.name, _OF_GRADE[puzzle.grade])

    def after_first_try(self, puzzle: Puzzle, *, right: bool) -> "Progress":
        """Return it with the ratings that follow from the first answer to `puzzle`."""
        its = self.rating_of(puzzle)
        gain = right - 1 / (1 + 10 ** ((its - self.rating) / _SCALE))
        others = {name: each for name, each in self.puzzles.items() if name != puzzle.name}
        return replace(
            self,
            rating=self.rating + _STEP * gain,
            puzzles={**others, puzzle.name: its - _PUZZLE_STEP * gain},
        )

    def after_lesson(self, name: str) -> "Progress":
        """Return it with the lesson done."""
        return replace(self, lessons=tuple(dict.fromkeys((*self.lessons, name))))

    def solved_on(self, day: date) -> tuple[str, ...]:
        """Return the names of the puzzles of `day` that were solved."""
        return self.solved if self.day == day.isoformat() else ()

    def after_solving(self, puzzle: Puzzle, of_today: Sequence[Puzzle], day: date) -> "Progress":
        """Return it with `puzzle` solved, which counts for `day` if it is one of that day."""
        solved = self.solved_on(day)
        if puzzle not in of_today or puzzle.name in solved:
            return self
        after = replace(self, day=day.isoformat(), solved=(*solved, puzzle.name))
        if len(after.solved) < len(of_today):
            return after
        return replace(after, series=self.series_on(day) + 1, last_whole_day=day.isoformat())

    def series_on(self, day: date) -> int:
        """Return how many days in a row are done on `day`, which itself may still be missing."""
        days = (day.isoformat(), (day - timedelta(1)).isoformat())
        return self.series if self.last_whole_day in days else 0


def left_of(of_today: Sequence[Puzzle], progress: Progress, day: date) -> list[Puzzle]:
    """Return the puzzles of `day` that aren't solved yet."""
    solved = progress.solved_on(day)
    return [puzzle for puzzle in of_today if puzzle.name not in solved]


def next_puzzle(
    puzzles: Sequence[Puzzle], progress: Progress, day: date, theme: Theme | None
) -> Puzzle:
    """Return the next puzzle: of `theme`, or else of `day`, or when these are done any other.

    It is the new one with the nearest rating, or else the one that was tried longest ago.
    """
    if theme is None and (left := left_of(of_the_day(puzzles, day), progress, day)):
        return left[0]
    pool = puzzles if theme is None else list(with_theme(puzzles, theme))
    new = [puzzle for puzzle in pool if puzzle.name not in progress.puzzles]
    if new:
        return min(new, key=lambda each: abs(progress.rating_of(each) - progress.rating))
    tried = list(progress.puzzles)
    return min(pool, key=lambda each: tried.index(each.name))
