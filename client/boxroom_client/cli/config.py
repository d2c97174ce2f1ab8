"""`boxroom config`: the values of all settings, and their sources."""

import argparse
import os
from collections.abc import Iterator

from boxroom_client.cli.arguments.settings import settings_from, theme_from
from boxroom_client.profile.config import SETTINGS, ResolvedSettings, config_path
from boxroom_client.screen.themes.theme import themes, themes_folder
from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit
from boxroom_engine.wording import listed


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = CommandParser(
        prog="boxroom config",
        description="Show your settings and the source of each.",
    )
    made.add_argument(
        "--path", action="store_true", help="show only the path of the file with your settings"
    )
    return made


def run(args: argparse.Namespace) -> int:
    """Print the settings; an invalid one raises an error."""
    path = config_path(os.environ)
    if args.path:
        print(path)
        return Exit.DONE
    settings = settings_from(args)
    print("\n".join(_rows(settings)))
    print()
    print(f"Your file is {path}" + ("." if path.exists() else ", but there is none yet."))
    print(f"Themes are {listed(themes())}; yours go into {themes_folder()}.")
    theme_from(settings)
    return Exit.DONE


def _rows(settings: ResolvedSettings) -> Iterator[str]:
    shown = {setting: settings.shown(setting) or f"({setting.unset})" for setting in SETTINGS}
    name_chars = max(len(setting.name) for setting in SETTINGS)
    value_chars = max(map(len, shown.values()))
    for setting, value in shown.items():
        yield f"{setting.name:{name_chars}}  {value:{value_chars}}  {settings.source(setting)}"
