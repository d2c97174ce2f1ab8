"""`boxroom config`: what the settings are, and where they come from."""

import argparse
import os
from collections.abc import Iterator

from boxroom_client.cli.arguments.look import resolved_from, theme_of
from boxroom_client.profile.config import SETTINGS, ResolvedSettings, config_path
from boxroom_client.screen.themes.theme import themes, themes_folder
from boxroom_common.exits import Exit
from boxroom_engine.wording import listed


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="boxroom config",
        description="Show your settings, and where each of them comes from.",
    )
    made.add_argument(
        "--path", action="store_true", help="show only where the file with your settings is"
    )
    return made


def run(args: argparse.Namespace) -> int:
    """Show them; a mistake in them is told."""
    path = config_path(os.environ)
    if args.path:
        print(path)
        return Exit.DONE
    settings = resolved_from(args)
    print("\n".join(_rows(settings)))
    print()
    print(f"Your file is {path}" + ("." if path.exists() else ", but there is none yet."))
    print(f"Themes are {listed(themes())}; yours go into {themes_folder()}.")
    theme_of(settings)
    return Exit.DONE


def _rows(settings: ResolvedSettings) -> Iterator[str]:
    shown = {setting: settings.shown(setting) or f"({setting.unset})" for setting in SETTINGS}
    name_chars = max(len(setting.name) for setting in SETTINGS)
    value_chars = max(map(len, shown.values()))
    for setting, value in shown.items():
        yield f"{setting.name:{name_chars}}  {value:{value_chars}}  {settings.source(setting)}"
