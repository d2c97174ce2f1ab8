"""The lessons, step by step: the moves that they call right, and the words that they use."""

import re
import time
from collections.abc import Iterator, Sequence

import pytest

from boxroom_common.lessons import NAMES, all_lessons
from boxroom_common.phrases import LANGUAGES
from boxroom_common.puzzles import all_puzzles
from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.solve.judge import TimedJudge
from boxroom_engine.games.dots.theory.captures import boxes_taken, neutral, sacrifices, takeable
from boxroom_engine.games.protocol import Move
from boxroom_engine.review.lesson import Goal, Lesson, LessonStep
from boxroom_engine.review.puzzle import with_theme
from boxroom_engine.stopping import StopToken

EXPLAINED_IN = {
    r"safe|sicher\w*": "safe_lines",
    r"chains?|Ketten?": "chains",
    r"loops?|Ring\w*": "leave_four",
}
"""Words of the game that a child doesn't know, and the lesson that explains each."""


def steps() -> Iterator[LessonStep]:
    for lesson in all_lessons():
        yield from lesson.steps


def moves_to(goal: Goal, position: Position) -> Sequence[Move]:
    """Return the moves that have in common what `goal` says."""
    match goal:
        case Goal.SAFE:
            return neutral(position)
        case Goal.TAKE:
            return tuple(boxes_taken(position))
        case Goal.LEAST:
            assert not takeable(position)
            given = sacrifices(position)
            return tuple(move for move, boxes in given.items() if boxes == min(given.values()))
        case _:
            judge = TimedJudge(position.game, 60.0, StopToken(), time.monotonic)
            assert judge(position) is not None
            return judge.best_moves(position)


@pytest.mark.parametrize("lesson", all_lessons(), ids=lambda lesson: lesson.name)
def test_the_moves_that_a_lesson_calls_right_are(lesson: Lesson) -> None:
    for step in lesson.steps:
        if step.goal is Goal.LINE:
            assert set(step.moves) <= set(step.position.legal_moves())
        else:
            assert set(step.moves) == set(moves_to(step.goal, step.position))


def test_no_step_accepts_every_move_but_the_last_one_of_the_first_game() -> None:
    everything = [step for step in steps() if {*step.moves} == {*step.position.legal_moves()}]
    assert everything == [all_lessons()[0].steps[-1]]


@pytest.mark.parametrize("lesson", all_lessons(), ids=lambda lesson: lesson.name)
def test_a_lesson_is_written_in_every_language(lesson: Lesson) -> None:
    said = [lesson.title, lesson.end]
    for step in lesson.steps:
        said += [step.task, *[step.wrong] * bool(step.wrong)]
    assert all(set(sentences) == set(LANGUAGES) for sentences in said)
    assert all(text.strip() for sentences in said for text in sentences.values())


def test_a_word_of_the_game_is_explained_before_it_is_used() -> None:
    used = []
    for word, lesson_name in EXPLAINED_IN.items():
        for lesson in all_lessons()[: NAMES.index(lesson_name)]:
            texts = [lesson.end, *(step.task for step in lesson.steps)]
            texts += [step.wrong for step in lesson.steps]
            said = " ".join(text for sentences in texts for text in sentences.values())
            used += [(lesson.name, found) for found in re.findall(rf"\b(?:{word})\b", said)]
    assert used == []


def test_a_lesson_ends_in_puzzles_of_its_theme() -> None:
    for lesson in all_lessons()[1:]:
        assert lesson.theme is not None
        assert len(list(with_theme(all_puzzles(), lesson.theme))) >= 10
