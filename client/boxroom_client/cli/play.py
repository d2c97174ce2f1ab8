"""`boxroom play`: a private server and a client of it, in one process.

This is the only module of the client that may import the server, and only to start it.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from itertools import cycle, islice
from typing import TYPE_CHECKING

from msgspec.structs import replace

from boxroom_client.cli.arguments.game import add_game, has_game, room_settings_from
from boxroom_client.cli.arguments.settings import add_display_flags, add_theme_flag, settings_from
from boxroom_client.cli.arguments.shells import has_screen, line_front, screen_front
from boxroom_client.profile.config import NAME, ResolvedSettings, config_path
from boxroom_client.profile.settings_file import saver
from boxroom_client.shell.room_settings import CLOCK, DEFAULT_BOT, SEATS, LocalGame, mistake_in_name
from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_engine.bots.names import BotNameError, split_names
from boxroom_engine.bots.registry import bot_of, plain_name
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.protocol import OptionValue
from boxroom_engine.games.registry import kind_of
from boxroom_engine.room.room import Settings

if TYPE_CHECKING:
    from boxroom_client.link.connection import RoomConnection
    from boxroom_client.screen.frontend import ScreenFrontend
    from boxroom_client.shell.frontend import Frontend

_PACE_S = 0.3
"""Least time of a bot's move, so that people can follow; 0 if the output is no terminal."""

_TAKEBACKS = 1000
"""Takebacks of a game at one computer: the most that there can be."""

_NO_LIMIT = 1_000_000_000


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = CommandParser(
        prog="boxroom play",
        description="Play here, without a server: against bots, or several at one keyboard.",
    )
    options = add_game(made)
    options.add_argument("--seats", help=f"{SEATS.help} (default: 2, or as many as are named)")
    options.add_argument("--clock", metavar="S", help=CLOCK.help)
    players = made.add_argument_group("the players")
    players.add_argument(
        "--bot",
        metavar="KIND,KIND…",
        help=f"bots to play with, for all seats that are left (default: {DEFAULT_BOT})",
    )
    players.add_argument("--local", nargs="+", metavar="NAME", help="people at this keyboard")
    players.add_argument("--watch", action="store_true", help="only bots play, to be watched")
    players.add_argument("--name", help="your name (default: your login name)")
    players.add_argument(
        "--pace", type=float, metavar="SECONDS", help="the least time of a bot's move"
    )
    made.add_argument(
        "--plain", action="store_true", help="one line after the other, also in a terminal"
    )
    add_display_flags(made)
    add_theme_flag(made)
    return made


def run(args: argparse.Namespace) -> int:
    """Play until the input ends, the player quits or, when watching, the game is over."""
    table = table_from(args)
    from boxroom_client.cli.arguments.event_loop import run_until_done

    settings = settings_from(args)
    if has_screen(args):
        return run_until_done(_play_on_screen(table, args, settings))
    return run_until_done(_play(table, args, line_front(settings)))


def table_from(args: argparse.Namespace) -> LocalGame:
    """Return the table for the command line: the players and the settings.

    Raises:
        UsageError: the arguments contradict one another.
    """
    if args.pace is not None and not 0 <= args.pace <= 60:
        raise UsageError("--pace is a number of seconds from 0 to 60")
    if args.watch and (args.local or args.name):
        raise UsageError("--watch is for bots only: leave --local and --name out")
    if args.local and args.name:
        raise UsageError("--local names all players: leave --name out")
    name = settings_from(args)[NAME]
    people = () if args.watch else tuple(args.local or (_own_name(name),))
    _check_names(people)
    bots = _bots(args)
    seats = _seats(args, len(people), len(bots))
    settings = _settings(args, seats)
    if not bots and not args.local:
        bots = (DEFAULT_BOT,)
    free_seats = seats - len(people)
    if free_seats and not bots:
        raise UsageError(
            f"{seats} seats need {free_seats} more: name them with --local, or add --bot"
            f" {DEFAULT_BOT}"
        )
    seated_bots = tuple(islice(cycle(bots), free_seats)) if free_seats else ()
    return LocalGame(settings, people, seated_bots, _own_name(name) if args.watch else None)


def _own_name(wanted: str | None) -> str:
    from boxroom_client.profile.identity import login_name

    return wanted if wanted is not None else login_name()


def _check_names(people: Sequence[str]) -> None:
    for number, name in enumerate(people):
        if (mistake := mistake_in_name(name, people[:number])) is not None:
            raise UsageError(mistake)


def _bots(args: argparse.Namespace) -> tuple[str, ...]:
    """Return the names of the bots in their canonical form."""
    try:
        bots = tuple(map(plain_name, split_names(args.bot or "")))
    except BotNameError as error:
        raise UsageError(str(error)) from None
    for bot in bots:
        if not bot_of(bot).supports(kind_of(args.game)):
            raise UsageError(f"the bot {bot} doesn't play {args.game}")
    return bots


def _seats(args: argparse.Namespace, people: int, bots: int) -> int:
    """Number of seats: `--seats`, or as many as there are players, but at least two."""
    if args.seats is None:
        return max(kind_of(args.game).fewest_seats, people + bots)
    try:
        seats = int(SEATS.parse(args.seats))
    except OptionError as error:
        raise UsageError(f"--{error}") from None
    if people + bots > seats:
        raise UsageError(f"{people + bots} players don't fit in {seats} seats")
    return seats


def _settings(args: argparse.Namespace, seats: int) -> Settings:
    others: dict[str, OptionValue] = {SEATS.name: seats}
    if args.clock is not None:
        others[CLOCK.name] = args.clock
    return room_settings_from(args, **others)


async def _play_on_screen(
    table: LocalGame, args: argparse.Namespace, settings: ResolvedSettings
) -> Exit:
    """Play on the full screen; without arguments for the game, ask for it first."""
    from boxroom_client.shell.frontend import Interrupted
    from boxroom_client.shell.last_game import LastGame

    front = screen_front(settings)
    if not _has_game_or_players(args):
        last = LastGame()
        try:
            chosen = await front.edit_game(last.load(table.people[0]) or table)
        except Interrupted:
            return Exit.INTERRUPTED
        if chosen is None:
            return Exit.DONE
        last.save(chosen)
        if chosen.people[0] != table.people[0]:
            _save_name(chosen.people[0], front)
        table = chosen
    return await _play(table, args, front)


def _save_name(name: str, front: "ScreenFrontend") -> None:
    if remark := saver(config_path(os.environ), os.environ)(NAME, name):
        front.say(remark)


def _has_game_or_players(args: argparse.Namespace) -> bool:
    """Whether the command line has arguments for the game or its players."""
    table = (args.seats, args.clock, args.bot, args.local, args.watch or None)
    return has_game(args) or any(said is not None for said in table)


async def _play(table: LocalGame, args: argparse.Namespace, front: "Frontend") -> Exit:
    from boxroom_client.link.connection import Create, RoomConnection
    from boxroom_client.link.errors import JoinRefused, Unreachable
    from boxroom_client.profile.identity import Identity
    from boxroom_client.servers.address import Address
    from boxroom_server.options import Options
    from boxroom_server.server import serve

    pace_s = args.pace
    if pace_s is None:
        pace_s = _PACE_S if sys.stdout.isatty() else 0.0
    options = Options(
        host="127.0.0.1",
        port=0,
        seats=_NO_LIMIT,
        board=_NO_LIMIT,
        messages_per_s=float(_NO_LIMIT),
        burst=_NO_LIMIT,
        chat_burst=_NO_LIMIT,
        bots_per_name=_NO_LIMIT,
        bot_workers=1,
        pace_s=pace_s,
    )
    identity = Identity.make(table.watcher or table.people[0])
    # All players see the same screen, and decide themselves how often they take moves back.
    settings = replace(table.settings, hints=True, takebacks=_TAKEBACKS)
    join_request = Create(settings, "home", watch=table.watcher is not None)
    try:
        async with (
            serve(options) as server,
            RoomConnection(Address("127.0.0.1", server.port), identity, join_request) as connection,
        ):
            if table.bots:
                server.warm_up()
            told = await _seat_players(connection, table)
            return await front.play(
                connection, watching=args.watch, until_end=args.watch, skip_until_seq=told
            )
    except (JoinRefused, Unreachable) as error:
        raise Failure(f"the private server doesn't work: {error}") from None


async def _seat_players(connection: "RoomConnection", table: LocalGame) -> int:
    """Seat all players and start the game; return the seq at which it has begun."""
    from boxroom_engine.room import commands as cmd
    from boxroom_engine.wire.messages import Refused

    seating: list[cmd.AnyMemberCommand] = [cmd.Sit(0, name=name) for name in table.people[1:]]
    seating += [cmd.SeatBot(0, bot) for bot in table.bots]
    seq = 0
    for command in (*seating, cmd.Start(0)):
        answer = await connection.ask(command)
        if isinstance(answer, Refused):
            raise Failure(answer.message)
        seq = answer.seq
    return seq
