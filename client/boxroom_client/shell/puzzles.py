"""The course of puzzles: those of the day, or of a theme, with ratings."""

from collections.abc import Iterator, Sequence
from datetime import date
from functools import reduce

from boxroom_client.profile.puzzle_progress import SavedProgress
from boxroom_client.shell.courses import Course, Lines, boxes_in
from boxroom_common.phrases import say
from boxroom_engine.games.abilities import Outlook
from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.theory.theme import Theme
from boxroom_engine.games.protocol import Move
from boxroom_engine.phrases import phrase
from boxroom_engine.review.progress import left_of, next_puzzle
from boxroom_engine.review.puzzle import Puzzle, of_the_day


class PuzzleCourse(Course):
    """Puzzles of `theme`, or those of `today`, one after the other, without an end."""

    NEXT_HINT = "terminal.puzzle.next"
    TASK, WRONG, WRONG_GETS = "puzzle.task", "puzzle.wrong", "puzzle.wrong_gets"
    """Keys of the phrases that ask, and that refute an answer."""
    COUNTS_FOR_DAY = True
    """True if solved ones count for the ten of the day."""

    def __init__(
        self,
        puzzles: Sequence[Puzzle],
        saved: SavedProgress,
        today: date,
        theme: Theme | None = None,
    ) -> None:
        super().__init__()
        self._puzzles = puzzles
        self._saved = saved
        self._progress = saved.load()
        self._today = today
        self._theme = theme
        self._of_today = of_the_day(puzzles, today) if self.COUNTS_FOR_DAY else ()
        self.puzzle: Puzzle
        """The puzzle that is asked."""
        self._is_first_try = True
        self._next()

    @property
    def title(self) -> str:
        """The number of the puzzle of the day, or the theme, and the rating."""
        rating = round(self._progress.rating)
        if self._theme is not None:
            theme = phrase(f"puzzle.theme.{self._theme}")
            return say("puzzle.title_of_theme", theme=theme, rating=rating)
        if self.puzzle in self._of_today:
            number = self._of_today.index(self.puzzle) + 1
            last = len(self._of_today)
            return say("puzzle.title_of_day", number=number, last=last, rating=rating)
        return say("puzzle.title", rating=rating)

    def _next(self) -> None:
        self.puzzle = next_puzzle(self._puzzles, self._progress, self._today, self._theme)
        self._is_first_try = True
        position = self.puzzle.position
        assert position.to_move is not None
        score = say("puzzle.score", **boxes_in(position, position.to_move))
        self._ask(position, self.puzzle.best, score, say(self.TASK))

    def _answered(self, move: Move, outlook: Outlook, *, right: bool) -> Lines:
        reply = self._reason if right else self._refuted
        said = *reply(move, outlook), *self._rated(right=right)
        return (*said, *self._day_is_done()) if right else said

    def _rated(self, *, right: bool) -> Lines:
        """Count a first try, and a solved puzzle; return a sentence if the rating has changed."""
        before = self._progress
        if self._is_first_try:
            self._progress = before.after_first_try(self.puzzle, right=right)
        if right:
            self._progress = self._progress.after_solving(self.puzzle, self._of_today, self._today)
        self._is_first_try = False
        if self._progress != before:
            self._saved.save(self._progress)
        rating = round(self._progress.rating)
        change = rating - round(before.rating)
        return (say("puzzle.rating", rating=rating, change=f"{change:+}"),) if change else ()

    def _reason(self, move: Move, outlook: Outlook) -> Iterator[str]:
        yield say(f"puzzle.reason.{self.puzzle.theme}")
        said = self.asked.game.kind.abilities.facts.outlook(outlook.facts, None)
        if said is not None:
            yield say("finding_after", move=self.asked.game.format_move(move), outlook=said)

    def _refuted(self, move: Move, outlook: Outlook) -> Iterator[str]:
        name = self.asked.game.format_move(move)
        end = reduce(Position.play, outlook.line, self.asked)
        if end.is_over:
            yield say(self.WRONG_GETS, move=name, **boxes_in(end, self.seat))
        else:
            yield say(self.WRONG, move=name)

    def _day_is_done(self) -> Iterator[str]:
        is_last = self.puzzle in self._of_today and self._theme is None
        if is_last and not left_of(self._of_today, self._progress, self._today):
            yield say("puzzle.day_done", n=self._progress.series_on(self._today))


class OwnCourse(PuzzleCourse):
    """Positions of the user's own games, in which any of the best moves is right."""

    TASK, WRONG, WRONG_GETS = "mistakes.task", "mistakes.wrong", "mistakes.wrong_gets"
    COUNTS_FOR_DAY = False
