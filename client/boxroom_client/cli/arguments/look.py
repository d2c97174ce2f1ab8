"""The flags about how things look, the same for every command, and the settings behind them."""

import argparse
import os
import sys

from boxroom_client.profile.config import (
    ASCII,
    NUMBERS,
    SETTINGS,
    SIZE,
    THEME,
    ResolvedSettings,
    config_path,
    error_for,
    resolve,
)
from boxroom_client.profile.setting_values import SIZES
from boxroom_client.screen.themes.theme import Theme, ThemeError, load_theme
from boxroom_client.shell.output.painting import Canvas, colours_of, is_ascii_only


def add_look(parser: argparse.ArgumentParser) -> None:
    """Add the flags about boards to `parser`."""
    look = parser.add_argument_group("how the board looks", "The defaults are your settings'.")
    look.add_argument(  # "--size" would be the option of a game
        "--zoom",
        dest=SIZE.name,
        type=_as_listed,
        choices=tuple(SIZES),
        help="compact, normal, large or what fits",
    )
    look.add_argument(
        "--ascii", action=argparse.BooleanOptionalAction, help="no characters beyond ASCII"
    )
    look.add_argument(
        "--numbers", action=argparse.BooleanOptionalAction, help="show the names of free places"
    )


def add_theme(parser: argparse.ArgumentParser) -> None:
    """Add the flag about the full screen to `parser`."""
    parser.add_argument(
        "--theme", metavar="NAME", help="the colours of the full screen: a theme, or its file"
    )


def resolved_from(args: argparse.Namespace) -> ResolvedSettings:
    """The settings, with the flags in `args` before everything else.

    Raises:
        UsageError: a flag has a value that it can't have.
        Failure: config.toml or the environment has.
    """
    flags = {setting.name: getattr(args, setting.name, None) for setting in SETTINGS}
    return resolve(flags, os.environ, config_path(os.environ))


def canvas_from(args: argparse.Namespace) -> Canvas:
    """The canvas that the flags, the settings and the terminal make; see `resolved_from`."""
    return canvas_of(resolved_from(args))


def canvas_of(settings: ResolvedSettings) -> Canvas:
    """The canvas that the settings and the terminal make."""
    ascii_only = settings[ASCII]
    if ascii_only is None:
        ascii_only = is_ascii_only(sys.stdout, os.environ)
    return Canvas(
        colours=colours_of(sys.stdout, os.environ),
        ascii_only=ascii_only,
        numbers=settings[NUMBERS],
        size=settings[SIZE],
    )


def theme_of(settings: ResolvedSettings) -> Theme:
    """The theme that the settings name.

    Raises:
        UsageError: the flag names one that doesn't exist or has mistakes.
        Failure: config.toml or the environment does.
    """
    try:
        return load_theme(settings[THEME])
    except ThemeError as error:
        raise error_for(settings.source(THEME), str(error)) from None


def _as_listed(size: str) -> str:
    """`size` as it stands in `SIZES`, if it is there in another case."""
    return next((known for known in SIZES if known.lower() == size.lower()), size)
