"""Arguments that select a recorded game and a position in it."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import msgspec.structs

from boxroom_client.shell.record_files import UnreadableRecord, WrittenGame, read_games
from boxroom_client.shell.recording import rooms
from boxroom_common.command_parser import counting_number
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_engine.games.record import Record
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Room
from boxroom_engine.wire.links import PageUrl

_MOST_PROBLEMS = 10
"""Unreadable games that a message lists."""

Step = tuple[tuple[ev.Event, ...], Room]
"""Events of a move, and the room after them."""


def add_record(parser: argparse.ArgumentParser) -> None:
    """Add the record to `parser`, and the number of the game in it."""
    parser.add_argument(
        "record",
        metavar="RECORD",
        help="a record, a file with one, - (stdin), the link of a game, or the number of one in"
        " your history (a file with that name goes first)",
    )
    parser.add_argument("--game", type=int, metavar="N", help="the Nth game of a file with several")


def add_record_with_end(parser: argparse.ArgumentParser, *, otherwise: str = "the end") -> None:
    """Add the record and `--to` to `parser`; `otherwise` is the default in the help."""
    add_record(parser)
    parser.add_argument(
        "--to",
        type=int,
        metavar="N",
        help=f"go to the position after N moves (default: {otherwise})",
    )


def record_from(args: argparse.Namespace, *, has_game: bool = True) -> Record:
    """Read the record that the command line names; all of its moves are legal.

    `has_game` says whether the command has `--game`, which names one of several games.

    Raises:
        Failure: there is neither a file nor a game with that number.
        HistoryError: the history can't be used.
        UnreadableRecord: it can't be read.
        UsageError: there are several and `--game` is missing, or there is no such game.
    """
    linked = PageUrl.of_game(args.record)
    games = _games(args.record) if linked is None else (_at_link(args, *linked),)
    if args.game is None and len(games) > 1:
        return _only_one(games, has_game=has_game)
    number = 1 if args.game is None else args.game
    if not 1 <= number <= len(games):
        raise UsageError(f"--game is 1 to {len(games)}, not {number}")
    return games[number - 1].record()


def _games(source: str) -> tuple[WrittenGame, ...]:
    """Return the games in `source`; see `read_games`. A number may be of a game in the history.

    Raises:
        Failure: there is neither a file nor a game with that number.
        HistoryError: the history can't be used.
        UnreadableRecord: the records can't be read.
    """
    try:
        number = counting_number(source)
    except argparse.ArgumentTypeError:
        return read_games(source)
    if Path(source).exists():
        return read_games(source)
    from boxroom_client.profile.history import GameHistory

    game = GameHistory().find(number)
    if game is None:
        raise Failure(
            f"there is neither a file {source} nor a game with that number in your history:"
            " boxroom history list lists all of them"
        )
    return (WrittenGame(f"game {source} of your history", partial(Record.parse, game.record)),)


def _at_link(args: argparse.Namespace, page: PageUrl, link: str) -> WrittenGame:
    """Return the finished game that the server with that page shows everybody under a link."""
    from boxroom_client.cli.arguments.event_loop import run_until_done
    from boxroom_client.cli.arguments.settings import settings_from
    from boxroom_client.link.greeting import see_game
    from boxroom_client.profile.config import CA
    from boxroom_client.servers.address import Address

    address = replace(Address.of_page(page), ca_file=settings_from(args)[CA])
    answer = run_until_done(see_game(address, link))
    if isinstance(answer, Exit):
        raise Failure("it was interrupted", answer)
    return WrittenGame(args.record, partial(Record.parse, answer.record))


def _only_one(games: Sequence[WrittenGame], *, has_game: bool) -> Record:
    """Return the only game that can be read, and report the others."""
    readable: list[Record] = []
    problems: list[str] = []
    for number, game in enumerate(games, 1):
        try:
            readable.append(game.record())
        except UnreadableRecord as error:
            problems.append(f"game {number} of {len(games):,} is skipped: {error}")
    more = len(problems) - _MOST_PROBLEMS
    shown = [*problems[:_MOST_PROBLEMS], *([f"and {more:,} more are skipped"] if more > 0 else [])]
    skipped = "".join(f"\n  {problem}" for problem in shown)
    if len(readable) == 1:
        print("\n".join(shown), file=sys.stderr)
        return readable[0]
    if not readable:
        raise UnreadableRecord(f"none of the {len(games):,} games can be read:{skipped}")
    by_number = f"name one, --game 1 to {len(games)}"
    choose = by_number if has_game else "give --from a file with one of them, or its line in quotes"
    raise UsageError(f"there are {len(games):,} games: {choose}{skipped}")


def steps(args: argparse.Namespace) -> Sequence[Step]:
    """Return the start of the recorded game and the steps of its moves, up to `--to`.

    Raises:
        Failure, HistoryError, UnreadableRecord: see `record_from`.
        UsageError: it hasn't that many moves, or is one of several.
    """
    return _steps(args, whole=False)


def all_steps(args: argparse.Namespace) -> Sequence[Step]:
    """Return all steps up to the end of the record; see `steps`."""
    return _steps(args, whole=True)


def _steps(args: argparse.Namespace, *, whole: bool) -> Sequence[Step]:
    record = record_from(args)
    last = len(record.tokens)
    if args.to is not None and not 0 <= args.to <= last:
        raise UsageError(f"--to is 0 to {last}, the number of moves in this game")
    end = last if whole or args.to is None else args.to
    # Without the histories, whose total grows with the square of the record.
    return [
        (events, msgspec.structs.replace(room, history=""))
        for _, (events, room) in zip(range(end + 1), rooms(record), strict=False)
    ]
