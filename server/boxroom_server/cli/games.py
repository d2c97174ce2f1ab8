"""`boxroom games`: list, show, export and delete the finished games of a server."""

import argparse
import asyncio
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import aclosing, asynccontextmanager, contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from boxroom_common.command_parser import CommandParser, counting_number, expected
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_common.json_output import format_name, json_line, player_of, print_json
from boxroom_server.cli.data_argument import add_json
from boxroom_server.cli.exit_errors import with_failures
from boxroom_server.cli.store_argument import add_source, etcd_needed, source_from
from boxroom_server.storage.ledger import StoredGame, StoredGames
from boxroom_server.storage.sqlite.external_access import open_database
from boxroom_server.storage.sqlite.games import SqliteGames

_FORMAT = format_name("games", 1)
"""Format of the list and of the export."""


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
    add_source(parser, in_subcommand=in_subcommand)
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
    return asyncio.run(_COMMANDS[args.command](args))


@asynccontextmanager
async def _opened_games(
    args: argparse.Namespace, *, writable: bool = False
) -> AsyncIterator[StoredGames]:
    """Open the store that the command line names while the context lasts."""
    source = source_from(args)
    if isinstance(source, Path):
        with open_database(source, writable=writable) as connection:
            yield SqliteGames(connection)
    else:
        with etcd_needed():
            from boxroom_server.storage.etcd.games import opened_games
        async with opened_games(source) as games:
            yield games


async def _list(args: argparse.Namespace) -> int:
    async with _opened_games(args) as stored, aclosing(stored.newest(args.last)) as games:
        if args.json:
            await _print_json(games)
            return Exit.DONE
        is_empty = True
        async for game in games:
            print(_line(game))
            is_empty = False
    if is_empty:
        print("No game has been finished yet.")
    return Exit.DONE


async def _show(args: argparse.Namespace) -> int:
    async with _opened_games(args) as stored:
        game = await _find(stored, args.id)
    if args.json:
        print_json({"format": format_name("game", 1)} | _as_dict(game))
        return Exit.DONE
    print(f"Game {game.id}: {game.game}")
    print(f"Room {game.room}, {_local(game.ended_ms)}")
    for seat, (name, score) in enumerate(zip(game.players, game.scores, strict=True)):
        print(f"  {score:>5}  {name}{' won' if seat in game.winners else ''}")
    print(game.record)
    return Exit.DONE


async def _export(args: argparse.Namespace) -> int:
    if bool(args.ids) == args.all:
        raise UsageError("name the games to export by their numbers, or all of them with --all")
    async with _opened_games(args) as stored, aclosing(_chosen(stored, args)) as games:
        with nullcontext(sys.stdout) if args.out is None else _new_file(args.out) as file:
            async for line in _lines(games, as_json=args.json):
                print(line, file=file)
    return Exit.DONE


async def _chosen(
    stored: StoredGames, args: argparse.Namespace
) -> AsyncGenerator[StoredGame, None]:
    if args.all:
        async for game in stored.oldest():
            yield game
    for id in args.ids:
        yield await _find(stored, id)


async def _lines(games: AsyncIterator[StoredGame], *, as_json: bool) -> AsyncIterator[str]:
    if as_json:
        listed = [_as_dict(game) async for game in games]
        yield json_line({"format": _FORMAT, "games": listed}).rstrip()
    else:
        async for game in games:
            yield game.record


@contextmanager
def _new_file(path: Path) -> Iterator[TextIO]:
    """Make a file at `path` to write, or none at all if that fails."""
    try:
        file = path.open("x", encoding="utf-8")
    except FileExistsError:
        raise Failure(f"there is a file {path} already: name another one") from None
    try:
        with file:
            yield file
    except BaseException:
        path.unlink(missing_ok=True)
        raise


async def _delete(args: argparse.Namespace) -> int:
    if bool(args.ids) == (args.before is not None):
        raise UsageError("name the games to delete by their numbers, or those --before a day")
    async with _opened_games(args, writable=True) as stored:
        if args.before is not None:
            deleted = await stored.delete_before(args.before)
        else:
            for id in args.ids:
                await _find(stored, id)  # all of them or none, unless others delete some meanwhile
            deleted = await stored.delete(args.ids)
    if args.json:
        print_json({"format": format_name("deleted", 1), "deleted": deleted})
    else:
        print(f"{deleted:,} {'game is' if deleted == 1 else 'games are'} deleted.")
    return Exit.DONE


_COMMANDS: Mapping[str, Callable[[argparse.Namespace], Coroutine[Any, Any, int]]] = {
    "list": _list,
    "show": _show,
    "export": _export,
    "delete": _delete,
}


async def _find(stored: StoredGames, id: int) -> StoredGame:
    game = await stored.find(id)
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
        "winning_players": list(map(player_of, game.winners)),
        "record": game.record,
    }


async def _print_json(games: AsyncIterator[StoredGame]) -> None:
    """Print one object, a line for each game, without having all of them in memory."""
    sys.stdout.write(f'{{"format":"{_FORMAT}","games":[')
    separator = "\n"
    async for game in games:
        sys.stdout.write(f"{separator}{json_line(_as_dict(game)).rstrip()}")
        separator = ",\n"
    sys.stdout.write("\n]}\n")
