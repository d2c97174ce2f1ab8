"""Completion of `boxroom …` in shells: a script that shtab makes of all command lines.

A script completes without starting Python. It knows the commands, flags and themes that existed
when it was made.
"""

import argparse
from importlib import import_module

import shtab

from boxroom_client.cli.commands import COMMANDS
from boxroom_client.screen.themes.theme import themes
from boxroom_engine.bots.registry import BOTS

SHELLS = ("bash", "zsh", "fish")

_FILES = ("record", "out", "records", "graph", "file", "robot")
"""Arguments that name files."""


def script(shell: str) -> str:
    """Return the script that lets `shell`, one of `SHELLS`, complete `boxroom` and its commands."""
    return shtab.complete(_parser_of_all(), shell)


def _parser_of_all() -> argparse.ArgumentParser:
    """Return one parser for all commands; `boxroom` itself imports the module of one only."""
    whole = argparse.ArgumentParser(prog="boxroom")
    whole.add_argument("-V", "--version", action="version", help="show the version and exit")
    whole.add_argument("--print-completion", choices=SHELLS, help="show the script for a shell")
    subparsers = whole.add_subparsers()
    for name, command in COMMANDS.items():
        parser = import_module(command.module).parser()
        _complete_arguments(parser)
        subparsers.add_parser(name, help=command.help, parents=[parser], add_help=False)
    return whole


def _complete_arguments(parser: argparse.ArgumentParser) -> None:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for subparser in action.choices.values():
                _complete_arguments(subparser)
        else:
            _complete_values(action)


def _complete_values(action: argparse.Action) -> None:
    """Add the possible values of an argument where the parser leaves them to the command."""
    if action.dest in _FILES:
        action.complete = shtab.FILE  # type: ignore[attr-defined]
    elif action.dest == "theme":
        action.choices = themes()
    elif action.dest in ("bot", "bots"):
        action.choices = tuple(BOTS)
