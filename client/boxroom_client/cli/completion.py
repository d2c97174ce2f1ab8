"""Completion of `boxroom …` in shells: a script that shtab makes from all command lines.

A script completes without starting Python. It knows the commands, flags and themes that there
were when it was made.
"""

import argparse
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

import shtab

from boxroom_client.screen.themes.theme import themes
from boxroom_engine.bots.registry import BOTS

if TYPE_CHECKING:
    from boxroom_client.main import Command

SHELLS = ("bash", "zsh", "fish")

_FILES = ("record", "out", "records", "graph", "file", "robot")
"""The arguments that are files."""


def script(shell: str, commands: Mapping[str, "Command"]) -> str:
    """What `shell`, one of `SHELLS`, is to read so that it completes `boxroom` and `commands`."""
    return shtab.complete(_whole(commands), shell)


def _whole(commands: Mapping[str, "Command"]) -> argparse.ArgumentParser:
    """One command line for all: what the program itself takes apart by importing one module."""
    whole = argparse.ArgumentParser(prog="boxroom")
    whole.add_argument("-V", "--version", action="version", help="show the version and exit")
    whole.add_argument("--print-completion", choices=SHELLS, help="show the script for a shell")
    places = whole.add_subparsers()
    for name, command in commands.items():
        parser = import_module(command.module).parser()
        _tell_all_values(parser)
        places.add_parser(name, help=command.help, parents=[parser], add_help=False)
    return whole


def _tell_all_values(parser: argparse.ArgumentParser) -> None:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for deed in action.choices.values():
                _tell_all_values(deed)
        else:
            _tell_values(action)


def _tell_values(action: argparse.Action) -> None:
    """Say what may follow, where the parser itself leaves that to the command."""
    if action.dest in _FILES:
        action.complete = shtab.FILE  # type: ignore[attr-defined]
    elif action.dest == "theme":
        action.choices = themes()
    elif action.dest in ("bot", "bots"):
        action.choices = tuple(BOTS)
