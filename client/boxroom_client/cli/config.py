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
from boxroom_common.json_output import format_name, print_json
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
    made.add_argument("--json", action="store_true", help="answer in JSON")
    made.add_argument(
        "--path", action="store_true", help="show only the path of the file with your settings"
    )
    return made


def run(args: argparse.Namespace) -> int:
    """Print the settings, or change one; an invalid one raises an error."""
    path = config_path(os.environ)
    if args.path:
        if args.key is not None or args.reset or args.json:
            raise UsageError("--path stands alone")
        print(path)
        return Exit.DONE
    if args.key is None:
        if args.reset:
            raise UsageError("--reset needs the name of a setting")
        _show(args, SETTINGS)
        return Exit.DONE
    setting = _setting(args.key)
    if args.reset and args.value is not None:
        raise UsageError("--reset and a value exclude one another")
    if args.reset:
        reset_setting(path, setting)
    elif args.value is not None:
        _save(setting, args.value)
    _show(args, (setting,))
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


def _show(args: argparse.Namespace, shown: tuple[Setting[Any], ...]) -> None:
    """Print the values that hold now; a saved one doesn't if a variable has precedence."""
    settings = settings_from(argparse.Namespace())
    if args.json:
        print_json(_as_dict(settings, shown))
    else:
        print("\n".join(_rows(settings, shown)))
        if args.key is None:
            _show_places(settings)


def _show_places(settings: ResolvedSettings) -> None:
    """Print the places of settings and themes."""
    path = config_path(os.environ)
    print()
    print(f"Your file is {path}" + ("." if path.exists() else ", but there is none yet."))
    print(f"Themes are {listed(themes())}; yours go into {themes_folder()}.")
    theme_from(settings)


def _as_dict(settings: ResolvedSettings, shown: tuple[Setting[Any], ...]) -> dict[str, Any]:
    """Return the object of `--json`; values are written as in config.toml."""
    return {
        "format": format_name("config", 1),
        "file": str(config_path(os.environ)),
        "settings": {
            setting.name: {
                "value": settings.shown(setting),
                "source": settings.source(setting).origin.value,
                "place": settings.source(setting).place,
            }
            for setting in shown
        },
    }


def _rows(settings: ResolvedSettings, rows: tuple[Setting[Any], ...]) -> Iterator[str]:
    shown = {setting: settings.shown(setting) or f"({setting.default_means})" for setting in rows}
    name_chars = max(len(setting.name) for setting in rows)
    value_chars = max(map(len, shown.values()))
    for setting, value in shown.items():
        yield f"{setting.name:{name_chars}}  {value:{value_chars}}  {settings.source(setting)}"
