"""Arguments that select a game: its name, its options, and the room settings they lead to.

Every option of every game is a flag.
"""

import argparse
from typing import Any

from msgspec.structs import replace

from boxroom_client.shell.room_settings import changed
from boxroom_common.exits import UsageError
from boxroom_common.phrases import in_english
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.protocol import GameKind, OptionValue
from boxroom_engine.games.registry import DEFAULT, KINDS, kind_of
from boxroom_engine.room.room import Settings


def add_game(
    parser: argparse.ArgumentParser, *, as_flag: bool = False
) -> "argparse._ArgumentGroup":
    """Add a game and its options to `parser`; return the group of the options."""
    options = parser.add_argument_group("the game")
    details: dict[str, Any] = {
        "default": DEFAULT.name,
        "choices": tuple(KINDS),
        "metavar": "GAME",
        "help": f"one of {', '.join(KINDS)} (default: {DEFAULT.name})",
    }
    if as_flag:
        options.add_argument("--game", **details)
    else:
        parser.add_argument("game", nargs="?", **details)
    add_game_flags(options)
    return options


def has_game(args: argparse.Namespace) -> bool:
    """Whether the command line names a game or an option of one."""
    return args.game != DEFAULT.name or has_options(args)


def room_settings_from(
    args: argparse.Namespace, usual: Settings | None = None, /, **others: OptionValue
) -> Settings:
    """Return the usual room settings for the game of `args`, changed by `others`.

    Raises:
        UsageError: the options aren't valid for the game.
    """
    changes = {**others, **given_options(args, kind_of(args.game))}
    try:
        return changed(replace(usual or Settings(), game=args.game), changes)
    except OptionError as error:
        raise UsageError(str(error)) from None


def bots_from(args: argparse.Namespace) -> tuple[str, ...]:
    """Return the names that `--bot` has, in their canonical form.

    Raises:
        UsageError: one isn't a bot, or doesn't play the game.
    """
    if not args.bot:
        return ()
    from boxroom_engine.bots.names import BotNameError, split_names
    from boxroom_engine.bots.registry import bot_of, plain_name

    try:
        bots = tuple(map(plain_name, split_names(",".join(args.bot))))
    except BotNameError as error:
        raise UsageError(str(error)) from None
    for bot in bots:
        if not bot_of(bot).supports(kind_of(args.game)):
            raise UsageError(f"the bot {bot} doesn't play {args.game}")
    return bots


def add_game_flags(parser: argparse._ActionsContainer) -> None:
    """Add a flag for every option to `parser`, or to a group of one."""
    for name, text in _options_of_all_games().items():
        parser.add_argument(f"--{name}", dest=_dest(name), metavar=name.upper(), help=text)


def given_options(args: argparse.Namespace, kind: GameKind) -> dict[str, OptionValue]:
    """Return the options in `args`, as text.

    Raises:
        UsageError: one of them isn't an option of `kind`.
    """
    own = {option.name for option in kind.options}
    given: dict[str, OptionValue] = {}
    for name in _options_of_all_games():
        value = getattr(args, _dest(name))
        if value is None:
            continue
        if name not in own:
            raise UsageError(f"{kind.named} has no --{name}")
        given[name] = value
    return given


def has_options(args: argparse.Namespace) -> bool:
    """Whether the command line has an option of any game."""
    return any(getattr(args, _dest(name)) is not None for name in _options_of_all_games())


def _options_of_all_games() -> dict[str, str]:
    texts: dict[str, str] = {}
    for kind in KINDS.values():
        for option in kind.options:
            text = f"{in_english(option.help)} (default: {option.default}; {kind.name})"
            texts[option.name] = f"{texts[option.name]}; {text}" if option.name in texts else text
    return texts


def _dest(option: str) -> str:
    """Return argparse's name for an option; the prefix keeps it apart from other arguments."""
    return f"game_{option}"
