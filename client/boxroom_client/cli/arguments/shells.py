"""Choice of the shell of a command: the full screen in a terminal, else line mode."""

import argparse
import os
import sys
from typing import TYPE_CHECKING

from boxroom_client.cli.arguments.settings import canvas_for, speak, theme_from
from boxroom_client.profile.config import (
    BELL,
    CONFIRM,
    JOINS,
    MOUSE,
    NOTIFY,
    ResolvedSettings,
    config_path,
)
from boxroom_client.profile.settings_file import never_saved, saver

if TYPE_CHECKING:  # they take long to import, and a command needs one of them at most
    from boxroom_client.linemode.frontend import LineFrontend
    from boxroom_client.linemode.lines import Lines
    from boxroom_client.screen.frontend import ScreenFrontend
    from boxroom_client.screen.model import DisplayOptions
    from boxroom_client.screen.themes.theme import Theme
    from boxroom_client.shell.frontend import Frontend


def add_shell_flags(parser: argparse.ArgumentParser, *, has_json: bool = True) -> None:
    """Add the flags that choose line mode to the parser of a command that plays."""
    shells = parser.add_mutually_exclusive_group()
    shells.add_argument(
        "--plain", action="store_true", help="one line after the other, also in a terminal"
    )
    shells.add_argument(
        "--brief",
        action="store_true",
        help="the same without a board after each move, as a screen reader needs it",
    )
    if has_json:
        shells.add_argument(
            "--json",
            action="store_true",
            help="for scripts: one JSON object a line for each event; moves and commands are read",
        )


def has_screen(args: argparse.Namespace) -> bool:
    """Return True in a terminal that can show the full screen, unless a flag chooses line mode."""
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    is_in_lines = any(getattr(args, flag, False) for flag in ("plain", "brief", "json"))
    return is_terminal and not is_in_lines and os.environ.get("TERM", "dumb") != "dumb"


def look_of(settings: ResolvedSettings) -> "DisplayOptions":
    """Return the display options of the full screen from the settings."""
    from boxroom_client.screen.model import DisplayOptions
    from boxroom_client.screen.themes.symbols import symbols_for
    from boxroom_client.shell.input.intents import Switch
    from boxroom_client.shell.output.painting import Colours

    canvas = canvas_for(settings)
    return DisplayOptions(
        symbols=symbols_for(ascii_only=canvas.ascii_only),
        has_colours=canvas.colours is not Colours.NONE,
        names=canvas.numbers,
        size=canvas.size,
        switches={
            Switch.CONFIRM: settings[CONFIRM],
            Switch.MOUSE: settings[MOUSE],
            Switch.BELL: settings[BELL] is not False,
            Switch.JOINS: settings[JOINS],
        },
        save=saver(config_path(os.environ), os.environ),
        rings_alone=settings[BELL] is True,
        notify=settings[NOTIFY],
    )


def screen_theme(settings: ResolvedSettings) -> "Theme":
    """Return the theme for these settings and this terminal, which is asked for its background.

    Raises:
        UsageError: the theme that the flag names can't be loaded.
        Failure: the theme that config.toml or the environment names can't be loaded.
    """
    from boxroom_client.screen.background import terminal_background

    theme_from(settings)  # a wrong name is told before the terminal is asked
    return theme_from(settings, terminal_background(os.environ))


def screen_front(settings: ResolvedSettings) -> "ScreenFrontend":
    """Return the full screen for these settings, whose language is spoken from now on.

    Raises:
        UsageError: the theme that the flag names can't be loaded.
        Failure: the theme that config.toml or the environment names can't be loaded.
    """
    from boxroom_client.screen.frontend import ScreenFrontend
    from boxroom_client.shell.logfile import default_log_file

    speak(settings)
    return ScreenFrontend(look_of(settings), screen_theme(settings), default_log_file())


def front_for(args: argparse.Namespace, settings: ResolvedSettings) -> "Frontend":
    """Return the full screen or line mode, as the flags and the terminal want it."""
    return screen_front(settings) if has_screen(args) else line_front(args, settings)


def line_front(args: argparse.Namespace, settings: ResolvedSettings) -> "LineFrontend":
    """Return the line mode of the flags, whose language is that of the settings from now on."""
    from boxroom_client.linemode.frontend import LineFrontend
    from boxroom_client.linemode.printer import Printer

    speak(settings)
    if getattr(args, "json", False):
        return _json_front()
    lines = lines_from_stdin()
    # What a script changes holds for the script alone.
    save = saver(config_path(os.environ), os.environ) if lines.is_terminal else never_saved
    printer = Printer(canvas_for(settings), is_terminal=lines.is_terminal, save=save)
    return LineFrontend(lines, printer, brief=args.brief)


def _json_front() -> "LineFrontend":
    from boxroom_client.linemode.json_mode import JsonFrontend
    from boxroom_client.linemode.lines import PipedLines

    return JsonFrontend(PipedLines(sys.stdin.fileno()))  # also in a terminal: no prompt, no colours


def lines_from_stdin() -> "Lines":
    """Return the lines that a person types in a terminal, or those of a pipe or a file."""
    from boxroom_client.linemode.lines import DumbTerminalLines, PipedLines, TerminalLines

    if sys.stdin.isatty() and sys.stdout.isatty():
        is_dumb = os.environ.get("TERM", "dumb") == "dumb"
        terminal = sys.stdin.fileno()
        return DumbTerminalLines(terminal) if is_dumb else TerminalLines(terminal)
    return PipedLines(sys.stdin.fileno())
