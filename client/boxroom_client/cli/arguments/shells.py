"""Which shell a command opens: the full screen in a terminal, else line mode."""

import argparse
import os
import sys
from typing import TYPE_CHECKING

from boxroom_client.cli.arguments.look import canvas_of, theme_of
from boxroom_client.profile.config import BELL, CONFIRM, JOINS, MOUSE, Resolved

if TYPE_CHECKING:  # they take long to import, and a command needs one of them at most
    from boxroom_client.linemode.frontend import LineFrontend
    from boxroom_client.screen.frontend import ScreenFrontend
    from boxroom_client.screen.model import DisplayOptions


def has_screen(args: argparse.Namespace) -> bool:
    """Whether there is a terminal for the full screen, and it is wanted."""
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    return is_terminal and not args.plain and os.environ.get("TERM", "dumb") != "dumb"


def look_of(settings: Resolved) -> "DisplayOptions":
    """How the person likes the full screen."""
    from boxroom_client.screen.model import DisplayOptions
    from boxroom_client.shell.input.intents import Switch

    canvas = canvas_of(settings)
    return DisplayOptions(
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


def screen_front(settings: Resolved) -> "ScreenFrontend":
    """The full screen, as the settings have it.

    Raises:
        UsageError: there is no such theme.
        Failure: there isn't, and the settings name it.
    """
    from boxroom_client.screen.frontend import ScreenFrontend
    from boxroom_client.screen.logfile import default_log_file

    return ScreenFrontend(look_of(settings), theme_of(settings), default_log_file())


def line_front(settings: Resolved) -> "LineFrontend":
    """Line mode, as the settings have it."""
    from boxroom_client.cli.running import lines_from_stdin
    from boxroom_client.linemode.frontend import LineFrontend
    from boxroom_client.linemode.printer import Printer

    lines = lines_from_stdin()
    return LineFrontend(lines, Printer(canvas_of(settings), is_terminal=lines.is_terminal))
