"""The course of a lesson: its steps, one after the other, and a last sentence."""

from collections.abc import Callable, Iterable, Iterator

from boxroom_client.shell.courses import Course, Lines, Stage
from boxroom_common.phrases import ENGLISH, say
from boxroom_engine.games.abilities import Outlook
from boxroom_engine.games.protocol import Move
from boxroom_engine.review.lesson import Goal, Lesson, LessonStep, Sentences


class LessonCourse(Course):
    """The steps of `lesson`; `done` is called after the last one."""

    NEXT_HINT = "terminal.lesson.next"

    def __init__(self, lesson: Lesson, done: Callable[[], None]) -> None:
        super().__init__()
        self._lesson = lesson
        self._done = done
        self._number = 0
        self._next()

    @property
    def title(self) -> str:
        """The title of the lesson, and the number of the step."""
        title, last = said(self._lesson.title), len(self._lesson.steps)
        return say("lesson.title", title=title, number=self._number, last=last)

    @property
    def _step(self) -> LessonStep:
        return self._lesson.steps[self._number - 1]

    def _next(self) -> None:
        if self._number == len(self._lesson.steps):
            self.stage = Stage.OVER
            return
        self._number += 1
        self._ask(self._step.position, self._step.moves, said(self._step.task))

    def _answered(self, move: Move, outlook: Outlook, *, right: bool) -> Lines:
        if not right:
            wrong = self._step.wrong
            return (said(wrong) if wrong else say("lesson.not_this_one"),)
        if self._number < len(self._lesson.steps):
            return (say("lesson.right"),)
        self._done()
        return say("lesson.right"), said(self._lesson.end)

    def _refutation(self, outlook: Outlook) -> tuple[Move, ...]:
        """Return the whole line where the best move is asked, else the other player's next turn."""
        line = super()._refutation(outlook)
        return line if self._step.goal is Goal.BEST else tuple(self._turn_of_other(line))

    def _turn_of_other(self, line: Iterable[Move]) -> Iterator[Move]:
        """Yield the moves of `line` to the end of the other player's first turn."""
        position, has_moved = self.position, False
        for move in line:
            if position.to_move != self.seat:
                has_moved = True
            elif has_moved:
                return
            yield move
            position = position.play(move)


def said(sentences: Sentences) -> str:
    """Return the sentence in the language of this process."""
    return sentences.get(say("language_code"), sentences[ENGLISH])
