"""A game on the command line: its name, its options, and the settings that they make."""

import argparse

from boxroom_client.shell.room_settings import changed
from boxroom_common.exits import UsageError
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.protocol import GameKind, OptionValue
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


def add_game_flags(parser: argparse._ActionsContainer) -> None:
    """Add a flag for every option to `parser`, or to a group of one."""
    for name, text in _options_of_all_games().items():
        parser.add_argument(f"--{name}", dest=_dest(name), metavar=name.upper(), help=text)


def said_options(args: argparse.Namespace, kind: GameKind) -> dict[str, OptionValue]:
    """The options that were said, as text.

    Raises:
        UsageError: one of them isn't an option of `kind`.
    """
    own = {option.name for option in kind.options}
    said: dict[str, OptionValue] = {}
    for name in _options_of_all_games():
        value = getattr(args, _dest(name))
        if value is None:
            continue
        if name not in own:
            raise UsageError(f"{kind.title} has no --{name}")
        said[name] = value
    return said


def says_options(args: argparse.Namespace) -> bool:
    """Whether any option of any game was said."""
    return any(getattr(args, _dest(name)) is not None for name in _options_of_all_games())


def _options_of_all_games() -> dict[str, str]:
    texts: dict[str, str] = {}
    for kind in KINDS.values():
        for option in kind.options:
            text = f"{option.help} (default: {option.default}; {kind.name})"
            texts[option.name] = f"{texts[option.name]}; {text}" if option.name in texts else text
    return texts


def _dest(option: str) -> str:
    """Where argparse puts a game's option; the prefix keeps it apart from all others."""
    return f"game_{option}"
