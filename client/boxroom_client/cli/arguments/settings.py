"""Flags for settings, the same for every command, and the settings that they lead to."""

import argparse
import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from boxroom_client.profile.config import (
    ASCII,
    CA,
    LANGUAGE,
    NUMBERS,
    SERVER,
    SETTINGS,
    SIZE,
    THEME,
    ResolvedSettings,
    Setting,
    config_path,
    error_for,
    resolve,
)
from boxroom_client.profile.setting_values import AUTO, SIZES, format_switch
from boxroom_client.screen.themes.theme import Theme, ThemeError, theme_on
from boxroom_client.servers.address import Address
from boxroom_client.shell.output.painting import Canvas, colours_of
from boxroom_common.phrases import LANGUAGES, language_of_system, use_language
from boxroom_common.terminals import is_ascii_only

if TYPE_CHECKING:  # it takes long to import
    from boxroom_client.shell.frontend import JoinOptions


def add_flag(parser: "argparse._ActionsContainer", setting: Setting[Any], **details: Any) -> None:
    """Add the flag of `setting` to `parser`, with these arguments of `add_argument` besides."""
    assert setting.flag is not None
    if setting.show is format_switch:
        details["action"] = argparse.BooleanOptionalAction
    default = f" (default: {setting.default_means})" if setting.default_means else ""
    parser.add_argument(setting.flag, dest=setting.name, help=f"{setting.help}{default}", **details)


def add_display_flags(parser: argparse.ArgumentParser, *, full_screen: bool = True) -> None:
    """Add the flags for the display of boards to `parser`, and for a full screen."""
    look = parser.add_argument_group("how the board looks", "The defaults are your settings'.")
    add_flag(look, SIZE, type=_as_listed, choices=tuple(SIZES))
    add_flag(look, ASCII)
    add_flag(look, NUMBERS)
    if full_screen:
        add_flag(look, THEME, metavar="NAME")
        add_language_flag(look)


def add_language_flag(parser: "argparse._ActionsContainer") -> None:
    """Add the flag for the language of texts to `parser`."""
    add_flag(parser, LANGUAGE, type=str.lower, choices=(*LANGUAGES, AUTO))


def speak(settings: ResolvedSettings) -> None:
    """Speak the language of the settings from now on, else that of the system."""
    use_language(settings[LANGUAGE] or language_of_system(os.environ))


def settings_from(args: argparse.Namespace) -> ResolvedSettings:
    """Return the settings; the flags in `args` have precedence.

    Raises:
        UsageError: a flag has an invalid value.
        Failure: config.toml or the environment has an invalid value.
    """
    flags = {setting.name: getattr(args, setting.name, None) for setting in SETTINGS}
    return resolve(flags, os.environ, config_path(os.environ))


def canvas_from(args: argparse.Namespace) -> Canvas:
    """Return the canvas for the flags, the settings and the terminal; see `settings_from`."""
    return canvas_for(settings_from(args))


def canvas_for(settings: ResolvedSettings) -> Canvas:
    """Return the canvas for the settings and the terminal."""
    ascii_only = settings[ASCII]
    if ascii_only is None:
        ascii_only = is_ascii_only(sys.stdout, os.environ)
    return Canvas(
        colours=colours_of(sys.stdout, os.environ),
        ascii_only=ascii_only,
        numbers=settings[NUMBERS],
        size=settings[SIZE],
    )


def theme_from(settings: ResolvedSettings, background: str | None = None) -> Theme:
    """Load the theme that the settings name, for a terminal with that `background`.

    Raises:
        UsageError: the theme that the flag names doesn't exist or is invalid.
        Failure: so is the theme that config.toml or the environment names.
    """
    try:
        return theme_on(background, settings[THEME])
    except ThemeError as error:
        raise error_for(settings.source(THEME), str(error)) from None


def server_address(settings: ResolvedSettings) -> Address | None:
    """Return the server of the settings, with the certificate file to trust; None if none is set.

    Raises:
        UsageError: the file that the flag names has no authority's certificate.
        Failure: so has the file that config.toml or the environment names.
    """
    from boxroom_client.link.sockets.tls import CertificateAuthorityError, ssl_context

    destination = settings[SERVER]
    if destination is None or not destination.address.secure:
        return None if destination is None else destination.address
    try:
        ssl_context(settings[CA])
    except CertificateAuthorityError as error:
        raise error_for(settings.source(CA), str(error)) from None
    return replace(destination.address, ca_file=settings[CA])


def in_room_of_link(join_options: "JoinOptions", settings: ResolvedSettings) -> "JoinOptions":
    """Return `join_options` with the room to which the server's link leads, if it does.

    Raises:
        UsageError: it leads to another room than the one asked for, and a flag has it.
        Failure: so does the one of config.toml or the environment.
    """
    destination = settings[SERVER]
    try:
        return join_options if destination is None else join_options.in_room(destination.room)
    except ValueError as error:
        raise error_for(settings.source(SERVER), str(error)) from None


def _as_listed(size: str) -> str:
    """Return `size` in the upper or lower case of `SIZES`, or unchanged."""
    return next((known for known in SIZES if known.lower() == size.lower()), size)
