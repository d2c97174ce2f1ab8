"""A game on the command line: its name, its options, and the settings that they make."""

import argparse

from boxroom_client.cli.arguments.game_flags import add_game_flags, said_options, says_options
from boxroom_client.exits import UsageError
from boxroom_client.shell.room_settings import changed
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.protocol import OptionValue
from boxroom_engine.games.registry import DEFAULT, KINDS, kind_of
from boxroom_engine.room.room import Settings


def add_game(parser: argparse.ArgumentParser) -> "argparse._ArgumentGroup":
    """Add a game and its options to `parser`; the group may be given more."""
    parser.add_argument(
        "game",
        nargs="?",
        default=DEFAULT.name,
        choices=tuple(KINDS),
        metavar="GAME",
        help=f"one of {', '.join(KINDS)} (default: {DEFAULT.name})",
    )
    options = parser.add_argument_group("the game")
    add_game_flags(options)
    return options


def says_which(args: argparse.Namespace) -> bool:
    """Whether the command line says anything about the game."""
    return args.game != DEFAULT.name or says_options(args)


def settings_of(args: argparse.Namespace, **others: OptionValue) -> Settings:
    """Settings for the game of `args`, with `others` of a room's settings.

    Raises:
        UsageError: there is no such game.
    """
    changes = {**others, **said_options(args, kind_of(args.game))}
    try:
        return changed(Settings(game=args.game), changes)
    except OptionError as error:
        raise UsageError(str(error)) from None
