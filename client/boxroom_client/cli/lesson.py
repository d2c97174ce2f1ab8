"""`boxroom lesson`: learn Dots and Boxes, one step at a time."""

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from boxroom_client.cli.arguments.courses import add_course_flags, show_courses
from boxroom_client.cli.arguments.settings import settings_from, speak
from boxroom_client.profile.puzzle_progress import SavedProgress, today
from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit
from boxroom_common.lessons import NAMES, all_lessons
from boxroom_common.puzzles import all_puzzles
from boxroom_engine.review.progress import Progress

if TYPE_CHECKING:
    from boxroom_client.shell.courses import Course


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = CommandParser(
        prog="boxroom lesson",
        description="Learn Dots and Boxes, one step at a time, from the first line on. Without a "
        "name, the first lesson comes that you haven't done. Each ends in puzzles of its idea.",
    )
    made.add_argument(
        "lesson", nargs="?", choices=NAMES, metavar="NAME", help=f"one of {', '.join(NAMES)}"
    )
    made.add_argument("--list", action="store_true", help="list the lessons, and which are done")
    add_course_flags(made)
    return made


def run(args: argparse.Namespace) -> int:
    """Give a lesson on the full screen or in lines, or list them all."""
    if args.list:
        speak(settings_from(args))
        _print_list(SavedProgress().load())
        return Exit.DONE
    return show_courses(args, _courses(args.lesson))


def _courses(name: str | None) -> "Iterator[Course]":
    """Yield a lesson, and then the puzzles of its theme."""
    from boxroom_client.shell.lessons import LessonCourse
    from boxroom_client.shell.puzzles import PuzzleCourse

    saved = SavedProgress()
    done = saved.load().lessons
    wanted = name or next((each for each in NAMES if each not in done), NAMES[0])
    lesson = all_lessons()[NAMES.index(wanted)]
    yield LessonCourse(lesson, lambda: saved.save(saved.load().after_lesson(wanted)))
    if lesson.theme is not None:
        yield PuzzleCourse(all_puzzles(), saved, today(), lesson.theme)


def _print_list(progress: Progress) -> None:
    from boxroom_client.shell.lessons import said

    for lesson in all_lessons():
        mark = "x" if lesson.name in progress.lessons else " "
        print(f"[{mark}] {lesson.name:<20}  {said(lesson.title)}")
