"""The course of a lesson: tasks, answers, refutations, and the end."""

import pytest

from boxroom_client.shell.courses import Stage
from boxroom_client.shell.lessons import LessonCourse
from boxroom_common.lessons import all_lessons
from boxroom_engine.games.protocol import Move
from boxroom_engine.review.lesson import Goal, Lesson, LessonStep

LESSONS = {lesson.name: lesson for lesson in all_lessons()}


def course_of(lesson: Lesson) -> tuple[LessonCourse, list[str]]:
    done: list[str] = []
    return LessonCourse(lesson, lambda: done.append(lesson.name)), done


def wrong_move(step: LessonStep) -> Move:
    return next(move for move in step.position.legal_moves() if move not in step.moves)


@pytest.mark.parametrize("lesson", all_lessons(), ids=lambda lesson: lesson.name)
def test_right_answers_lead_to_the_end(lesson: Lesson) -> None:
    course, done = course_of(lesson)
    for number, step in enumerate(lesson.steps, 1):
        assert course.title == f"{lesson.title['en']}: {number} of {len(lesson.steps)}"
        assert (course.lines, done) == ((step.task["en"],), [])
        course.play(step.moves[-1])
        assert course.stage is Stage.SOLVED
        if number < len(lesson.steps):
            assert course.lines == ("Right!",)
            course.go_on()
    assert course.lines == ("Right!", lesson.end["en"])
    assert done == [lesson.name]
    course.go_on()
    assert course.stage is Stage.OVER
    course.go_on()
    assert course.lines == ("Right!", lesson.end["en"])


@pytest.mark.parametrize("lesson", all_lessons(), ids=lambda lesson: lesson.name)
def test_a_wrong_answer_is_refuted_and_asked_again(lesson: Lesson) -> None:
    course, done = course_of(lesson)
    for step in lesson.steps[:-1]:
        course.play(wrong_move(step))
        assert course.stage is Stage.REFUTED
        assert course.lines[0] == step.wrong.get("en", "Not this one.")
        while course.stage is Stage.REFUTED:
            shown = course.position
            course.go_on()
        if step.goal is Goal.BEST:
            assert shown.is_over
        assert course.lines == ("Again! Find a better line.", step.task["en"])
        assert course.position == step.position
        course.play(step.moves[0])
        course.go_on()
    assert done == []


def test_what_a_lost_box_shows_ends_with_the_turn_of_the_other() -> None:
    lesson = LESSONS["safe_lines"]
    course, _ = course_of(lesson)
    course.play(wrong_move(lesson.steps[0]))
    while course.stage is Stage.REFUTED:
        shown = course.position
        course.go_on()
    assert not shown.is_over
    assert shown.to_move == course.seat
    assert shown.scores[1 - course.seat] >= 1


@pytest.mark.usefixtures("german")
def test_a_lesson_speaks_german() -> None:
    course, _ = course_of(LESSONS["leave_two"])
    assert course.title == "Zwei liegen lassen: 1 von 4"
    assert course.lines[0].startswith("Du könntest die letzten zwei Kästchen ")
