"""`boxroom history`: list, replay, analyse, export and delete the games that you have played."""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from enum import Enum
from importlib import import_module
from typing import TYPE_CHECKING, Any

import msgspec

from boxroom_client.cli.arguments.settings import (
    add_flag,
    add_language_flag,
    settings_from,
    speak,
)
from boxroom_client.cli.arguments.shells import has_screen, screen_front
from boxroom_client.cli.commands import COMMANDS
from boxroom_client.profile.config import CA, LANGUAGE, NAME, ResolvedSettings
from boxroom_client.profile.history import MOST_GAMES, GameHistory, PlayedGame
from boxroom_client.shell.room_settings import in_short
from boxroom_common.command_parser import CommandParser, counting_number
from boxroom_common.exits import Exit, Failure, UsageError, reported
from boxroom_common.json_output import format_name, player_of, print_json
from boxroom_common.phrases import ENGLISH, say, use_language
from boxroom_engine.bots.levels import called
from boxroom_engine.errors import BoxroomError
from boxroom_engine.games.errors import FormatError
from boxroom_engine.room.text import clean

if TYPE_CHECKING:
    from boxroom_client.screen.frontend import ScreenFrontend
    from boxroom_client.screen.lobby.menu import Menu

_LAST_MS = 253_370_764_800_000
"""Begin of the year 9999, after which some time zones are beyond Python's last date."""


_HEADINGS = tuple(
    f"terminal.menu.{each}" for each in ("ended", "result", "players", "game", "where")
)
"""Phrases of the headings of the list."""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line, with its subcommands."""
    made = CommandParser(
        prog="boxroom history",
        description="List, replay, analyse, export and delete the games that you have played to "
        "their end, here and on servers. Without COMMAND, choose from a list.",
    )
    made.add_argument("--plain", action="store_true", help="print the list, also in a terminal")
    _add_shared(made)
    add_language_flag(made)
    commands = made.add_subparsers(dest="command", metavar="COMMAND")
    listing = commands.add_parser("list", help="list the games, the newest first")
    listing.add_argument("--last", type=counting_number, metavar="N", help="only the N newest")
    for name, what in (
        ("replay", "look at a game"),
        ("analyse", "find the moves that lost something"),
    ):
        showing = commands.add_parser(name, help=what)
        showing.add_argument("id", type=counting_number, metavar="N", help="its number in the list")
        showing.add_argument(
            "options", nargs=argparse.REMAINDER, metavar="…", help=f"options of boxroom {name}"
        )
    exporting = commands.add_parser("export", help="print records, one in a line")
    exporting.add_argument(
        "ids", type=counting_number, nargs="*", metavar="N", help="numbers of the games"
    )
    exporting.add_argument("--all", action="store_true", help="all of them, the oldest first")
    deleting = commands.add_parser("delete", help="delete games for good")
    deleting.add_argument(
        "ids", type=counting_number, nargs="+", metavar="N", help="numbers of the games"
    )
    for command in (listing, exporting):
        _add_shared(command, in_subcommand=True)
    return made


def _add_shared(parser: argparse.ArgumentParser, *, in_subcommand: bool = False) -> None:
    """Add the options that may stand before or behind the name of a subcommand."""
    missing = argparse.SUPPRESS if in_subcommand else None
    parser.add_argument(
        "--json", action="store_true", default=missing or False, help="answer in JSON"
    )
    parser.add_argument(
        "--server",
        metavar="ADDRESS",
        default=missing,
        help="your games on that server, by its numbers, whether they are in your history or not",
    )
    add_flag(parser, NAME, default=missing)
    add_flag(parser, CA, metavar="FILE", default=missing)


def run(args: argparse.Namespace) -> int:
    """Run the subcommand, and return the exit code."""
    if args.command is not None:
        return _COMMANDS[args.command](args)
    if has_screen(args) and args.server is None:
        settings = settings_from(args)
        return browse(screen_front(settings), settings)
    args.last = None
    return _list(args)


def _list(args: argparse.Namespace) -> int:
    games = _games(args, args.last)
    if args.json:
        _print_json(games)
        return Exit.DONE
    for game in games:
        when, *columns = columns_of(game)
        print(f"{game.id:>6}  {when}  {'  '.join(columns)}")
    if not games:
        where = "" if args.server is None else " there"
        print(f"You have played no game to its end{where} yet.")
    return Exit.DONE


def _show(args: argparse.Namespace) -> int:
    return _run_command(args.command, _find(args, args.id).record, *args.options)


def _run_command(name: str, *arguments: str) -> int:
    command = import_module(COMMANDS[name].module)
    code: int = command.run(command.parser().parse_args(arguments))
    return code


def _export(args: argparse.Namespace) -> int:
    if bool(args.ids) == args.all:
        raise UsageError("name the games to export by their numbers, or all of them with --all")
    if args.all:
        games = [_find(args, game.id) for game in reversed(_games(args))]
    else:
        games = [_find(args, id) for id in args.ids]
    if args.json:
        _print_json(games)
    else:
        for game in games:
            print(game.record)
    return Exit.DONE


def _delete(args: argparse.Namespace) -> int:
    if args.server is not None:
        raise UsageError("only the operator of a server deletes its games")
    for id in args.ids:
        _find(args, id)  # all of them or none
    deleted = GameHistory().delete(args.ids)
    print(f"{deleted:,} {'game is' if deleted == 1 else 'games are'} deleted.")
    return Exit.DONE


_COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "list": _list,
    "replay": _show,
    "analyse": _show,
    "export": _export,
    "delete": _delete,
}


def _games(args: argparse.Namespace, limit: int | None = None) -> list[PlayedGame]:
    """Return the games, the newest first; those of a server without their records."""
    if args.server is None:
        return GameHistory().newest(limit)
    from boxroom_client.cli.server_games import games_on

    return games_on(settings_from(args), MOST_GAMES if limit is None else limit)


def _find(args: argparse.Namespace, id: int) -> PlayedGame:
    if args.server is not None:
        from boxroom_client.cli.server_games import game_on

        return game_on(settings_from(args), id)
    game = GameHistory().find(id)
    if game is None:
        raise Failure(f"there is no game {id}: boxroom history list lists all of them")
    return game


def columns_of(game: PlayedGame) -> tuple[str, str, str, str, str]:
    """Return when a game was played, how it ended, by whom, what it was and where.

    So the result is always to be seen, also where the last columns have no place.
    """
    try:
        heading = game.heading
        title = in_short(heading.game)
        players = [called(clean(name)) or "?" for name in heading.players]
    except FormatError:  # of a game that this version doesn't know
        title, players = clean(game.record.partition(" ")[0]), ["?"] * len(game.scores)
    here = say("terminal.menu.here")
    where = here if not game.server else f"{clean(game.server)} {clean(game.room)}"
    return f"{_ended(game):%Y-%m-%d %H:%M}", _result(game), ", ".join(players), title, where


def _result(game: PlayedGame) -> str:
    """Return all scores, in the order of play, behind what they mean for the user's one seat."""
    scores = ":".join(map(str, game.scores))
    if game.seat is None:
        return scores
    result = "draw" if not game.winners else "won" if game.seat in game.winners else "lost"
    return say(f"terminal.menu.{result}", scores=scores)


def _as_dict(game: PlayedGame) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.structs.asdict(game)
    del fields["log"], fields["number"], fields["ended_ms"]
    ended = _ended(game).astimezone(UTC)
    return {
        **fields,
        "player": player_of(game.seat),
        "winning_players": list(map(player_of, game.winners)),
        "ended": ended.isoformat(timespec="seconds"),
    }


def _ended(game: PlayedGame) -> datetime:
    """Return the local time of a game's end; a server may have sent one beyond the calendar."""
    ended_s = min(max(0, game.ended_ms), _LAST_MS) / 1000
    return datetime.fromtimestamp(ended_s, UTC).astimezone()


def _print_json(games: Sequence[PlayedGame]) -> None:
    print_json({"format": format_name("history", 1), "games": [_as_dict(game) for game in games]})


# The menu


class _Action(Enum):
    """Something that a person can do with a game in the list."""

    REPLAY = "replay"
    ANALYSE = "analyse"
    DELETE = "delete"


def browse(front: "ScreenFrontend", settings: ResolvedSettings) -> Exit:
    """Let the person choose games on the full screen, and replay, analyse or delete them.

    An analysis is English, whatever language `settings` have.

    Raises:
        HistoryError: the history can't be used.
    """
    from boxroom_client.cli.arguments.event_loop import run_until_done

    language = ("--language", settings.shown(LANGUAGE))
    while True:
        games = GameHistory().newest()
        game = run_until_done(_chosen(front, _games_menu(games)))
        if game is None or isinstance(game, Exit):
            return game or Exit.DONE
        action = run_until_done(_chosen(front, _actions_menu(game)))
        match action:
            case Exit():
                return action
            case _Action.REPLAY:
                _in_terminal("replay", game, *language)
            case _Action.ANALYSE:
                use_language(ENGLISH)
                _in_terminal("analyse", game)
                speak(settings)
                print(f"\n{say('terminal.menu.enter_goes_back')}", flush=True)
                sys.stdin.readline()
            case _Action.DELETE:
                GameHistory().delete([game.id])
            case _:
                pass


async def _chosen(front: "ScreenFrontend", menu: "Menu[Any]") -> Any:
    from boxroom_client.shell.frontend import Interrupted

    try:
        return await front.choose_item(menu)
    except Interrupted:
        return Exit.INTERRUPTED


def _games_menu(games: Sequence[PlayedGame]) -> "Menu[PlayedGame]":
    from boxroom_client.screen.lobby.menu import Item, Menu

    return Menu(
        say("terminal.menu.games_played"),
        tuple(Item(str(game.id), columns_of(game), game) for game in games),
        tuple(map(say, _HEADINGS)),
        () if games else (say("terminal.menu.no_games"),),
        hints=(("Enter", say("terminal.dialog.chooses")), ("Esc", say("terminal.dialog.back"))),
    )


def _actions_menu(game: PlayedGame) -> "Menu[_Action]":
    from boxroom_client.screen.lobby.menu import Item, Menu

    when, result, players, title, where = columns_of(game)
    return Menu(
        f"Boxroom: {title}, {when}",
        tuple(
            Item(action.name, (say(f"terminal.menu.{action.value}"),), action) for action in _Action
        ),
        introduction=(f"{players}: {result} ({where})", ""),
        hints=(("Enter", say("terminal.dialog.chooses")), ("Esc", say("terminal.dialog.back"))),
    )


def _in_terminal(command: str, game: PlayedGame, *options: str) -> None:
    """Run a command with a record; a record that isn't a game doesn't end the menu."""
    try:
        _run_command(command, game.record, *options)
    except BoxroomError as error:
        reported(error, lambda text: print(f"boxroom: {text}"))
