"""Courses of puzzles and lessons, shown as a command line asks: on the full screen, or in lines."""

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING

from boxroom_client.cli.arguments.settings import (
    add_display_flags,
    canvas_for,
    settings_from,
    speak,
)
from boxroom_client.cli.arguments.shells import (
    has_screen,
    lines_from_stdin,
    look_of,
    screen_theme,
)
from boxroom_common.exits import Exit
from boxroom_engine.games.dots.theory.theme import Theme

if TYPE_CHECKING:  # it takes long to import, and lists need none
    from boxroom_client.shell.courses import Course


def add_theme(parser: argparse.ArgumentParser) -> None:
    """Add the argument that names the theme of puzzles."""
    parser.add_argument(
        "idea",  # a theme is also the look of the screen
        nargs="?",
        choices=[theme.value for theme in Theme],
        help=f"practise one idea: {', '.join(Theme)}",
        metavar="THEME",
    )


def add_course_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags that say how a course is shown."""
    parser.add_argument("--plain", action="store_true", help="line mode, also in a terminal")
    add_display_flags(parser)


def show_courses(args: argparse.Namespace, courses: "Iterable[Course]") -> int:
    """Show each of `courses` when the one before it is over; return the exit code.

    They are made when it is their turn, in the language of `args`.
    """
    from boxroom_client.cli.arguments.event_loop import run_until_done
    from boxroom_client.shell.courses import Stage
    from boxroom_common.kernel.use import use_when_built

    settings = settings_from(args)
    speak(settings)
    use_when_built()
    lines = None if has_screen(args) else lines_from_stdin()

    async def shown(course: "Course") -> Exit:
        if lines is not None:
            from boxroom_client.linemode.courses import CourseLines

            return await CourseLines(course, lines, canvas_for(settings)).run()
        from boxroom_client.screen.course.app import CourseScreen

        return await CourseScreen(course, look_of(settings), screen_theme(settings)).run()

    async def all_shown() -> Exit:
        for course in courses:
            code = await shown(course)
            if code is not Exit.DONE or course.stage is not Stage.OVER:
                return code
        return Exit.DONE

    return run_until_done(all_shown())
