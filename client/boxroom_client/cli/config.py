"""`boxroom config`: the values of all settings, and their sources; changes one of them."""

import argparse
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from boxroom_client.cli.arguments.settings import settings_from, theme_from
from boxroom_client.profile.config import (
    CA,
    SETTINGS,
    THEME,
    ResolvedSettings,
    Setting,
    config_path,
)
from boxroom_client.profile.settings_file import SETTINGS_BY_NAME, reset_setting, save_setting
from boxroom_client.screen.themes.theme import (
    ThemeError,
    lasting_name,
    theme_on,
    themes,
    themes_folder,
)
from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit, UsageError
from boxroom_engine.wording import did_you_mean, listed


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = CommandParser(
        prog="boxroom config",
        description="Show your settings and the source of each, or change one.",
    )
    made.add_argument("key", nargs="?", metavar="KEY", help="show only this setting")
    made.add_argument("value", nargs="?", metavar="VALUE", help="change it to this value")
    made.add_argument("--reset", action="store_true", help="change it back to its default")
    made.add_argument(
        "--path", action="store_true", help="show only the path of the file with your settings"
    )
    return made


def run(args: argparse.Namespace) -> int:
    """Print the settings, or change one; an invalid one raises an error."""
    path = config_path(os.environ)
    if args.path:
        if args.key is not None or args.reset:
            raise UsageError("--path stands alone")
        print(path)
        return Exit.DONE
    if args.key is None:
        if args.reset:
            raise UsageError("--reset needs the name of a setting")
        _show_all(settings_from(argparse.Namespace()))
        return Exit.DONE
    setting = _setting(args.key)
    if args.reset and args.value is not None:
        raise UsageError("--reset and a value exclude one another")
    if args.reset:
        reset_setting(path, setting)
    elif args.value is not None:
        _save(setting, args.value)
    _show(setting, settings_from(argparse.Namespace()))
    return Exit.DONE


def _setting(key: str) -> Setting[Any]:
    if key not in SETTINGS_BY_NAME:
        raise UsageError(f"there is no setting {key!r}{did_you_mean(key, SETTINGS_BY_NAME)}")
    return SETTINGS_BY_NAME[key]


def _save(setting: Setting[Any], value: str) -> None:
    """Save the value; a path is saved as an absolute one."""
    from boxroom_client.link.sockets.tls import CertificateAuthorityError, ssl_context

    try:
        if setting is THEME:
            theme_on(None, value)
            value = lasting_name(value)
        if setting is CA and value:
            ssl_context(value)
            value = str(Path(value).absolute())
        save_setting(config_path(os.environ), setting, value)
    except (ValueError, ThemeError, CertificateAuthorityError) as error:
        raise UsageError(f"{setting.name}: {error}") from None


def _show_all(settings: ResolvedSettings) -> None:
    path = config_path(os.environ)
    print("\n".join(_rows(settings, SETTINGS)))
    print()
    print(f"Your file is {path}" + ("." if path.exists() else ", but there is none yet."))
    print(f"Themes are {listed(themes())}; yours go into {themes_folder()}.")
    theme_from(settings)


def _show(setting: Setting[Any], settings: ResolvedSettings) -> None:
    """Print the value that holds now, which isn't the saved one if a variable has precedence."""
    print("\n".join(_rows(settings, (setting,))))


def _rows(settings: ResolvedSettings, rows: tuple[Setting[Any], ...]) -> Iterator[str]:
    shown = {setting: settings.shown(setting) or f"({setting.default_means})" for setting in rows}
    name_chars = max(len(setting.name) for setting in rows)
    value_chars = max(map(len, shown.values()))
    for setting, value in shown.items():
        yield f"{setting.name:{name_chars}}  {value:{value_chars}}  {settings.source(setting)}"
