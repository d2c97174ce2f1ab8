"""The course of puzzles: a question, an answer, and for a wrong one its refutation. No input.

Full screen and line mode show `position` and `lines`, and call `play` and `go_on`.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from enum import Enum, auto

from boxroom_common.phrases import say
from boxroom_engine.games.abilities import Judge, Outlook
from boxroom_engine.games.dots.rules.state import Dots, Position
from boxroom_engine.games.dots.theory.facts import Gets
from boxroom_engine.games.dots.theory.theme import Theme
from boxroom_engine.games.protocol import Move, Seat
from boxroom_engine.phrases import phrase
from boxroom_engine.review.progress import Progress, left_of, next_puzzle
from boxroom_engine.review.puzzle import Puzzle, of_the_day
from boxroom_engine.stopping import StopToken

_JUDGING_S = 200.0
"""Time for a judge; where there is no kernel, a puzzle takes a small part of it."""


class Stage(Enum):
    """Stage of a puzzle."""

    ASKED = auto()
    """The person is to move."""
    REFUTED = auto()
    """A wrong answer is played out, move by move."""
    SOLVED = auto()


class PuzzleCourse:
    """Puzzles of `theme`, or those of `today`, one after the other.

    `save` is called with the progress whenever it has changed.
    """

    def __init__(
        self,
        puzzles: Sequence[Puzzle],
        progress: Progress,
        save: Callable[[Progress], None],
        today: date,
        theme: Theme | None = None,
    ) -> None:
        self._puzzles = puzzles
        self._progress = progress
        self._save = save
        self._today = today
        self._theme = theme
        self._of_today = of_the_day(puzzles, today)
        self._judges: dict[Dots, Judge] = {}
        # Moves of the refutation that are still to be shown.
        self._rest: tuple[Move, ...] = ()
        self.puzzle: Puzzle
        """The puzzle that is asked."""
        self.position: Position
        """The position that is shown."""
        self.stage: Stage
        """It says whether to `play` or to `go_on`."""
        self.lines: tuple[str, ...]
        """The sentences below the board."""
        self._is_first_try = True
        self._ask_next()

    @property
    def seat(self) -> Seat:
        """The seat of the person."""
        assert self.puzzle.position.to_move is not None
        return self.puzzle.position.to_move

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

    def move_of(self, text: str) -> Move:
        """Return the move that a typed `text` names.

        Raises:
            GameError: it names none that can be played.
        """
        position = self.puzzle.position
        move = position.game.parse_move(text)
        position.play(move)
        return move

    def play(self, move: Move) -> None:
        """Answer with `move`, which is legal."""
        if self.stage is not Stage.ASKED:
            return
        right = move in self.puzzle.best
        rated = self._rate(right=right)
        outlook = self._outlook(move)
        self.position = self.puzzle.position.play(move)
        self._rest = outlook.line[1:]
        if right:
            self.stage = Stage.SOLVED
            self.lines = (*self._reason(move, outlook), *rated, *self._day_is_done())
        else:
            self.stage = Stage.REFUTED
            self.lines = (self._refuted(move, outlook), *rated, say("puzzle.look"))

    def go_on(self) -> None:
        """Show the next move of a refutation, ask again after the last, or ask the next puzzle."""
        match self.stage:
            case Stage.REFUTED if self._rest:
                self._show_move()
            case Stage.REFUTED:
                self.ask_again()
            case Stage.SOLVED:
                self._ask_next()
            case _:
                pass

    def ask_again(self) -> None:
        """Ask the puzzle again, if an answer is being refuted."""
        if self.stage is Stage.REFUTED:
            self._ask(say("puzzle.again"))

    # Questions

    def _ask_next(self) -> None:
        self.puzzle = next_puzzle(self._puzzles, self._progress, self._today, self._theme)
        self._is_first_try = True
        self._ask(say("puzzle.task"))

    def _ask(self, task: str) -> None:
        self.stage = Stage.ASKED
        self.position = self.puzzle.position
        self.lines = (task, self._score("puzzle.score"))

    def _score(self, key: str, **values: str) -> str:
        own = self.position.scores[self.seat]
        others = self.position.scores[1 - self.seat]
        return say(key, own=own, others=others, **values)

    # Answers

    def _rate(self, *, right: bool) -> tuple[str, ...]:
        """Count a first try, and a solved puzzle; return a sentence if the rating has changed."""
        before = self._progress
        if self._is_first_try:
            self._progress = before.after_first_try(self.puzzle, right=right)
        if right:
            self._progress = self._progress.after_solving(self.puzzle, self._of_today, self._today)
        self._is_first_try = False
        if self._progress != before:
            self._save(self._progress)
        rating = round(self._progress.rating)
        change = rating - round(before.rating)
        return (say("puzzle.rating", rating=rating, change=f"{change:+}"),) if change else ()

    def _outlook(self, move: Move) -> Outlook:
        """Return best play by both from `move` on."""
        game = self.puzzle.position.game
        if game not in self._judges:
            make = game.kind.abilities.judge
            assert make is not None
            self._judges[game] = make(game, _JUDGING_S, StopToken(), time.monotonic)
        return self._judges[game].outlook(self.puzzle.position, move)

    def _reason(self, move: Move, outlook: Outlook) -> Iterator[str]:
        yield say(f"puzzle.reason.{self.puzzle.theme}")
        facts = self.puzzle.position.game.kind.abilities.facts
        said = facts.outlook(outlook.facts, None)
        if said is not None:
            name = self.puzzle.position.game.format_move(move)
            yield say("finding_after", move=name, outlook=said)

    def _refuted(self, move: Move, outlook: Outlook) -> str:
        name = self.puzzle.position.game.format_move(move)
        gets = next((fact for fact in outlook.facts if isinstance(fact, Gets)), None)
        if gets is None:
            return say("puzzle.wrong", move=name)
        before = self.puzzle.position.scores
        own, others = before[self.seat] + gets.own, before[1 - self.seat] + gets.others
        return say("puzzle.wrong_gets", move=name, own=own, others=others)

    def _show_move(self) -> None:
        move, *rest = self._rest
        is_own = self.position.to_move == self.seat
        name = self.position.game.format_move(move)
        self.position = self.position.play(move)
        self._rest = tuple(rest)
        said = self._score("puzzle.step.you" if is_own else "puzzle.step.other", move=name)
        self.lines = (said, say("puzzle.look" if rest else "puzzle.played_out"))

    def _day_is_done(self) -> Iterator[str]:
        is_last = self.puzzle in self._of_today and self._theme is None
        if is_last and not left_of(self._of_today, self._progress, self._today):
            yield say("puzzle.day_done", n=self._progress.series_on(self._today))
