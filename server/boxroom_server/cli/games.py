"""`boxroom games`: list, show, export and delete the finished games of a server."""

import argparse
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from boxroom_common.command_parser import CommandParser, counting_number, expected
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_server.cli.data_argument import add_data, add_json, database_from
from boxroom_server.cli.exit_errors import with_failures
from boxroom_server.storage.ledger import StoredGame
from boxroom_server.storage.sqlite.external_access import open_database
from boxroom_server.storage.sqlite.games import (
    delete_games,
    delete_games_before,
    find_game,
    newest_games,
    oldest_games,
)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line, with its subcommands."""
    parser = CommandParser(
        prog="boxroom games",
        description="List, show, export and delete the finished games of a server, running or not.",
    )
    _add_shared(parser)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    listing = commands.add_parser("list", help="list the games, the newest first")
    listing.add_argument("--last", type=counting_number, metavar="N", help="only the N newest")
    showing = commands.add_parser("show", help="show one game")
    showing.add_argument("id", type=counting_number, metavar="ID", help="its number in the list")
    exporting = commands.add_parser(
        "export", help="print records, one in a line, for boxroom replay, draw and analyse"
    )
    exporting.add_argument(
        "ids", type=counting_number, nargs="*", metavar="ID", help="numbers of the games"
    )
    exporting.add_argument("--all", action="store_true", help="all of them, the oldest first")
    exporting.add_argument(
        "--out", type=Path, metavar="FILE", help="write them into a new file (default: print them)"
    )
    deleting = commands.add_parser("delete", help="delete games for good")
    deleting.add_argument(
        "ids", type=counting_number, nargs="*", metavar="ID", help="numbers of the games"
    )
    deleting.add_argument(
        "--before",
        type=_time,
        metavar="DATE",
        help="those that ended before a day, such as 2026-01-31, or a time: 2026-01-31T18:30",
    )
    for command in (listing, showing, exporting, deleting):
        _add_shared(command, in_subcommand=True)
    return parser


def _add_shared(parser: argparse.ArgumentParser, *, in_subcommand: bool = False) -> None:
    """Add the options that may stand before or behind the name of a subcommand."""
    add_data(parser, or_backup=True, in_subcommand=in_subcommand)
    add_json(parser, in_subcommand=in_subcommand)


def _time(text: str) -> int:
    """Parse a date or a time to milliseconds since 1970."""
    try:
        return round(datetime.fromisoformat(text).timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        what = "a day, such as 2026-01-31, or a time, such as 2026-01-31T18:30"
        raise expected(what, text) from None


@with_failures
def run(args: argparse.Namespace) -> int:
    """Run the subcommand, and return the exit code.

    It is 0, 1 if there is no such game or the database can't be used, or 2 for wrong usage.
    """
    return _COMMANDS[args.command](args)


def _list(args: argparse.Namespace) -> int:
    with open_database(database_from(args)) as connection:
        games = newest_games(connection, args.last)
        if args.json:
            _print_json(games)
            return Exit.DONE
        is_empty = True
        for game in games:
            print(_line(game))
            is_empty = False
    if is_empty:
        print("No game has been finished yet.")
    return Exit.DONE


def _show(args: argparse.Namespace) -> int:
    with open_database(database_from(args)) as connection:
        game = _find(connection, args.id)
    if args.json:
        print(_json(_as_dict(game)))
        return Exit.DONE
    print(f"Game {game.id}: {game.game}")
    print(f"Room {game.room}, {_local(game.ended_ms)}")
    for seat, (name, score) in enumerate(zip(game.players, game.scores, strict=True)):
        print(f"  {score:>5}  {name}{' won' if seat in game.winners else ''}")
    print(game.record)
    return Exit.DONE


def _export(args: argparse.Namespace) -> int:
    if bool(args.ids) == args.all:
        raise UsageError("name the games to export by their numbers, or all of them with --all")
    with open_database(database_from(args)) as connection:
        games: Iterable[StoredGame]
        games = oldest_games(connection) if args.all else [_find(connection, id) for id in args.ids]
        if args.json:
            lines = iter([_json([_as_dict(game) for game in games])])
        else:
            lines = (game.record for game in games)
        if args.out is None:
            for line in lines:
                print(line)
        else:
            _write(args.out, lines)
    return Exit.DONE


def _write(path: Path, lines: Iterator[str]) -> None:
    """Write `lines` into a new file, or none at all if that fails."""
    try:
        file = path.open("x", encoding="utf-8")
    except FileExistsError:
        raise Failure(f"there is a file {path} already: name another one") from None
    try:
        with file:
            file.writelines(f"{line}\n" for line in lines)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _delete(args: argparse.Namespace) -> int:
    if bool(args.ids) == (args.before is not None):
        raise UsageError("name the games to delete by their numbers, or those --before a day")
    with open_database(database_from(args), writable=True) as connection:
        if args.before is not None:
            deleted = delete_games_before(connection, args.before)
        else:
            for id in args.ids:
                _find(connection, id)  # all of them or none, unless others delete some meanwhile
            deleted = delete_games(connection, args.ids)
    if args.json:
        print(_json({"deleted": deleted}))
    else:
        print(f"{deleted:,} {'game is' if deleted == 1 else 'games are'} deleted.")
    return Exit.DONE


_COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "list": _list,
    "show": _show,
    "export": _export,
    "delete": _delete,
}


def _find(connection: sqlite3.Connection, id: int) -> StoredGame:
    game = find_game(connection, id)
    if game is None:
        raise Failure(f"there is no game {id}: boxroom games list lists all of them")
    return game


def _line(game: StoredGame) -> str:
    """Return a line of the list: id, time, room, game and scores."""
    scores = ", ".join(
        f"{name} {score}" for name, score in zip(game.players, game.scores, strict=True)
    )
    return f"{game.id:>6}  {_local(game.ended_ms)}  {game.room:<12}  {game.game}  {scores}"


def _local(at_ms: int) -> str:
    return f"{_datetime(at_ms).astimezone():%Y-%m-%d %H:%M}"


def _datetime(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms / 1000, UTC)


def _as_dict(game: StoredGame) -> dict[str, Any]:
    return {
        "id": game.id,
        "room": game.room,
        "ended": _datetime(game.ended_ms).isoformat(timespec="seconds"),
        "game": game.game,
        "players": game.players,
        "scores": game.scores,
        "winners": game.winners,
        "record": game.record,
    }


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _print_json(games: Iterator[StoredGame]) -> None:
    """Print a JSON list, one game in a line, without having all of them in memory."""
    sys.stdout.write("[")
    for number, game in enumerate(games):
        sys.stdout.write(f"{',' if number else ''}\n{_json(_as_dict(game))}")
    sys.stdout.write("\n]\n")
