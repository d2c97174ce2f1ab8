"""`boxroom games`: the finished games of a server, to list, show, export and delete."""

import argparse
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_server.cli.data_argument import add_data, add_json, database_from
from boxroom_server.cli.exit_errors import with_failures
from boxroom_server.storage.sqlite.games import (
    KeptGame,
    delete_games,
    delete_games_before,
    game_numbered,
    newest_games,
    oldest_games,
)
from boxroom_server.storage.sqlite.visit import visited


def parser() -> argparse.ArgumentParser:
    """The command line: one for each thing that can be done with games."""
    made = argparse.ArgumentParser(
        prog="boxroom games",
        description="The finished games of a server, while it runs or not.",
    )
    _add_shared(made)
    deeds = made.add_subparsers(dest="deed", metavar="COMMAND", required=True)
    listing = deeds.add_parser("list", help="one line for each game, the newest first")
    listing.add_argument("--last", type=_count, metavar="N", help="only the N newest")
    showing = deeds.add_parser("show", help="all that is known of a game")
    showing.add_argument("id", type=_count, metavar="ID", help="a game's number in the list")
    exporting = deeds.add_parser(
        "export", help="records, one in a line, for boxroom replay, draw and analyse"
    )
    exporting.add_argument("ids", type=_count, nargs="*", metavar="ID", help="which games")
    exporting.add_argument("--all", action="store_true", help="all of them, the oldest first")
    exporting.add_argument(
        "--out", type=Path, metavar="FILE", help="a new file for them (default: they are printed)"
    )
    deleting = deeds.add_parser("delete", help="delete games for good")
    deleting.add_argument("ids", type=_count, nargs="*", metavar="ID", help="which games")
    deleting.add_argument(
        "--before",
        type=_time,
        metavar="DATE",
        help="those that ended before a day, such as 2026-01-31, or a time: 2026-01-31T18:30",
    )
    for deed in (listing, showing, exporting, deleting):
        _add_shared(deed, again=True)
    return made


def _add_shared(parser: argparse.ArgumentParser, *, again: bool = False) -> None:
    """What may stand before or behind the name of a deed."""
    add_data(parser, or_backup=True, again=again)
    add_json(parser, again=again)


def _count(text: str) -> int:
    """A number from 1 on, as large as SQLite takes it; a ValueError, if `text` is none."""
    number = int(text)
    if not 1 <= number < 2**63:
        raise ValueError(text)
    return number


def _time(text: str) -> int:
    """The moment, in milliseconds since 1970, that `text` names; a ValueError, if it is none."""
    return round(datetime.fromisoformat(text).timestamp() * 1000)


@with_failures
def run(args: argparse.Namespace) -> int:
    """Do it. 0 then, 1 if there is no such game or the database can't be used, 2 for usage."""
    return _DEEDS[args.deed](args)


def _list(args: argparse.Namespace) -> int:
    with visited(database_from(args)) as connection:
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
    with visited(database_from(args)) as connection:
        game = _wanted(connection, args.id)
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
    with visited(database_from(args)) as connection:
        games: Iterator[KeptGame] | Sequence[KeptGame]
        if args.all:
            games = oldest_games(connection)
        else:
            games = [_wanted(connection, id) for id in args.ids]
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
    """A new file with `lines`, a record being a line of its own wherever it ends up."""
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
    with visited(database_from(args), to_change=True) as connection:
        if args.before is not None:
            deleted = delete_games_before(connection, args.before)
        else:
            for id in args.ids:
                _wanted(connection, id)  # all or none of them, as far as can be seen
            deleted = delete_games(connection, args.ids)
    if args.json:
        print(_json({"deleted": deleted}))
    else:
        print(f"{deleted:,} {'game is' if deleted == 1 else 'games are'} deleted.")
    return Exit.DONE


_DEEDS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "list": _list,
    "show": _show,
    "export": _export,
    "delete": _delete,
}


def _wanted(connection: sqlite3.Connection, id: int) -> KeptGame:
    game = game_numbered(connection, id)
    if game is None:
        raise Failure(f"there is no game {id}: boxroom games list shows which there are")
    return game


def _line(game: KeptGame) -> str:
    """The game in the list: its number, time and room, what it was, and what came of it."""
    scores = ", ".join(
        f"{name} {score}" for name, score in zip(game.players, game.scores, strict=True)
    )
    return f"{game.id:>6}  {_local(game.ended_ms)}  {game.room:<12}  {game.game}  {scores}"


def _local(at_ms: int) -> str:
    return f"{_datetime(at_ms).astimezone():%Y-%m-%d %H:%M}"


def _datetime(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms / 1000, UTC)


def _as_dict(game: KeptGame) -> dict[str, Any]:
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


def _print_json(games: Iterator[KeptGame]) -> None:
    """A list of all games, one in a line, without having all of them in memory."""
    sys.stdout.write("[")
    for number, game in enumerate(games):
        sys.stdout.write(f"{',' if number else ''}\n{_json(_as_dict(game))}")
    sys.stdout.write("\n]\n")
