"""Which shell a command opens: the full screen in a terminal, else line mode."""

import argparse
import os
import sys
from typing import TYPE_CHECKING

from boxroom_client.cli.arguments.look import canvas_of, theme_of
from boxroom_client.profile.config import BELL, CONFIRM, JOINS, MOUSE, ResolvedSettings

if TYPE_CHECKING:  # they take long to import, and a command needs one of them at most
    from boxroom_client.linemode.front import LineFront
    from boxroom_client.linemode.lines import Lines
    from boxroom_client.screen.front import ScreenFront
    from boxroom_client.screen.model import Look


def has_screen(args: argparse.Namespace) -> bool:
    """Whether there is a terminal for the full screen, and it is wanted."""
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    return is_terminal and not args.plain and os.environ.get("TERM", "dumb") != "dumb"


def look_of(settings: ResolvedSettings) -> "Look":
    """How the person likes the full screen."""
    from boxroom_client.screen.model import Look
    from boxroom_client.shell.input.intents import Switch

    canvas = canvas_of(settings)
    return Look(
        ascii_only=canvas.ascii_only,
        names=canvas.numbers,
        size=canvas.size,
        switches={
            Switch.CONFIRM: settings[CONFIRM],
            Switch.MOUSE: settings[MOUSE],
            Switch.BELL: settings[BELL],
            Switch.JOINS: settings[JOINS],
        },
    )


def screen_front(settings: ResolvedSettings) -> "ScreenFront":
    """The full screen, as the settings have it.

    Raises:
        UsageError: there is no such theme.
        Failure: there isn't, and the settings name it.
    """
    from boxroom_client.screen.front import ScreenFront
    from boxroom_client.screen.logfile import default_log_file

    return ScreenFront(look_of(settings), theme_of(settings), default_log_file())


def line_front(settings: ResolvedSettings) -> "LineFront":
    """Line mode, as the settings have it."""
    from boxroom_client.linemode.front import LineFront
    from boxroom_client.linemode.page import Page

    lines = lines_from_stdin()
    return LineFront(lines, Page(canvas_of(settings), is_terminal=lines.is_terminal))


def lines_from_stdin() -> "Lines":
    """Return the lines that a person types in a terminal, or those of a pipe or a file."""
    from boxroom_client.linemode.lines import PipedLines, TerminalLines

    if sys.stdin.isatty() and sys.stdout.isatty():
        return TerminalLines()
    return PipedLines(sys.stdin.fileno())
