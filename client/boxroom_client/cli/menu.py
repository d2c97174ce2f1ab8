"""`boxroom menu`, or `boxroom` alone: choose among the commands that people begin with."""

import argparse
from importlib import import_module
from typing import TYPE_CHECKING

from boxroom_client.cli.arguments.settings import add_language_flag, settings_from
from boxroom_client.cli.arguments.shells import has_screen, screen_front
from boxroom_client.cli.commands import COMMANDS
from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit, UsageError
from boxroom_common.phrases import say

if TYPE_CHECKING:
    from boxroom_client.screen.frontend import ScreenFrontend

_CHOICES = ("play", "join", "host", "history", "lesson", "puzzle")


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = CommandParser(
        prog="boxroom menu",
        description="Choose what to do. `boxroom` alone opens the menu, too.",
    )
    add_language_flag(made)
    made.set_defaults(plain=False)
    return made


def run(args: argparse.Namespace) -> int:
    """Run the chosen command; without a full screen there is no menu."""
    if not has_screen(args):
        raise UsageError("the menu needs a full screen; boxroom --help lists all commands")
    from boxroom_client.cli.arguments.event_loop import run_until_done

    chosen: list[str] = []
    code = run_until_done(_choose(screen_front(settings_from(args)), chosen))
    if not chosen:
        return code
    command = import_module(COMMANDS[chosen[0]].module)
    language = [] if args.language is None else ["--language", args.language]
    code_of_command: int = command.run(command.parser().parse_args(language))
    return code_of_command


async def _choose(front: "ScreenFrontend", chosen: list[str]) -> Exit:
    """Add the chosen command to `chosen`, unless the person leaves."""
    from boxroom_client.screen.lobby.menu import Item, Menu
    from boxroom_client.shell.frontend import Interrupted

    menu = Menu(
        "Boxroom",
        tuple(
            Item(name, (say(f"terminal.menu.{name}"), say(f"terminal.menu.{name}.help")), name)
            for name in _CHOICES
        ),
        introduction=(say("terminal.menu.introduction"),),
        hints=(
            ("Enter", say("terminal.dialog.goes_there")),
            ("Esc", say("terminal.dialog.leaves")),
        ),
    )
    try:
        name = await front.choose_item(menu)
    except Interrupted:
        return Exit.INTERRUPTED
    if name is not None:
        chosen.append(name)
    return Exit.DONE
