"""A game on the command line: its name, and a flag for every option of every game."""

import argparse

from boxroom_client.exits import UsageError
from boxroom_client.shell.settings import changed
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
    for name, text in _options_of_all_games().items():
        options.add_argument(f"--{name}", dest=_dest(name), metavar=name.upper(), help=text)
    return options


def says_which(args: argparse.Namespace) -> bool:
    """Whether the command line says anything about the game."""
    options = (getattr(args, _dest(name)) for name in _options_of_all_games())
    return args.game != DEFAULT.name or any(said is not None for said in options)


def settings_of(args: argparse.Namespace, **others: OptionValue) -> Settings:
    """Settings for the game of `args`, with `others` of a room's settings.

    Raises:
        UsageError: there is no such game.
    """
    kind = kind_of(args.game)
    changes: dict[str, OptionValue] = dict(others)
    for name in _options_of_all_games():
        value = getattr(args, _dest(name))
        if value is None:
            continue
        if name not in {option.name for option in kind.options}:
            raise UsageError(f"{kind.title} has no --{name}")
        changes[name] = value
    try:
        return changed(Settings(game=args.game), changes)
    except OptionError as error:
        raise UsageError(str(error)) from None


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
