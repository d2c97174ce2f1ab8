"""`boxroom play`: a private server and a client of it, in one process.

This is the only module of the client that may import the server, and only to start it.
"""

import argparse
import dataclasses
import os
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from itertools import cycle, islice
from typing import TYPE_CHECKING

from msgspec.structs import replace

from boxroom_client.cli.arguments.game import (
    add_game,
    bots_from,
    has_game,
    room_settings_from,
)
from boxroom_client.cli.arguments.record import record_from
from boxroom_client.cli.arguments.room import add_room_flags, room_flags
from boxroom_client.cli.arguments.settings import add_display_flags, add_flag, settings_from
from boxroom_client.cli.arguments.shells import (
    add_shell_flags,
    front_for,
    has_screen,
    line_front,
    screen_front,
)
from boxroom_client.profile.config import NAME, ResolvedSettings, config_path
from boxroom_client.profile.settings_file import saver
from boxroom_client.shell.room_settings import (
    SEATS,
    LocalGame,
    can_have_coach,
    mistake_in_name,
    with_seats,
)
from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_common.phrases import say
from boxroom_engine.bots.levels import LEVELS, called
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.record import Record, is_withdrawal, play_token
from boxroom_engine.games.registry import kind_of
from boxroom_engine.room.room import MOST_TAKEBACKS, Settings

if TYPE_CHECKING:
    from boxroom_client.cli.saved_games import SavedGame
    from boxroom_client.link.connection import RoomConnection
    from boxroom_client.link.join_request import JoinRequest
    from boxroom_client.screen.frontend import ScreenFrontend
    from boxroom_client.shell.frontend import Frontend
    from boxroom_server.options import Options
    from boxroom_server.storage.sqlite.folder import DataFolder
    from boxroom_server.storage.storage import Storage

_PACE_S = 0.3
"""Least time of a bot's move, so that people can follow; 0 if the output is no terminal."""

_WATCHED_BOT = "easy"
"""The bot that plays against itself unless others are named."""

_NO_LIMIT = 1_000_000_000


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = CommandParser(
        prog="boxroom play",
        description="Play here, without a server: against bots, or several at one keyboard.",
    )
    options = add_game(made)
    add_room_flags(options, "2, or as many as are named")
    players = made.add_argument_group("the players")
    players.add_argument(
        "--bot",
        action="append",
        metavar="KIND,KIND…",
        help="opponents for all seats that are left, also as several --bot: child, beginner, easy,"
        " medium, hard, expert, or a bot by its algorithm (default: the level that your results"
        " suggest)",
    )
    players.add_argument("--local", nargs="+", metavar="NAME", help="people at this keyboard")
    players.add_argument(
        "--coach",
        action="store_true",
        help="a coach says when a move of yours changes who wins, and you can take it back",
    )
    players.add_argument("--watch", action="store_true", help="only bots play, to be watched")
    add_flag(players, NAME)
    players.add_argument(
        "--pace", type=float, metavar="SECONDS", help="the least time of a bot's move"
    )
    made.add_argument(
        "--continue",
        dest="continues",
        action="store_true",
        help="go on with the game that you played last, which isn't over",
    )
    made.add_argument(
        "--from",
        dest="record",
        metavar="RECORD",
        help="begin with the moves of a recorded game: a record, a file with one, - (stdin), or the"
        " number of a game in your history; alone you play for who is to move then",
    )
    made.add_argument(
        "--to",
        type=int,
        metavar="N",
        help="begin with the first N moves of that game (default: with all)",
    )
    add_shell_flags(made)
    add_display_flags(made)
    return made


def run(args: argparse.Namespace) -> int:
    """Play until the input ends, the player quits or, when watching, the game is over."""
    table = table_from(args)
    from boxroom_client.cli.arguments.event_loop import run_until_done

    settings = settings_from(args)
    if args.continues:
        return run_until_done(_continue_last(args, front_for(args, settings)))
    if has_screen(args):
        return run_until_done(_play_on_screen(table, args, settings))
    front = line_front(args, settings)
    if table.bots and not (args.bot or args.watch):
        front.say(say("terminal.play.suggested", name=called(table.bots[0])))
    return run_until_done(_play(table, args, front))


def table_from(args: argparse.Namespace) -> LocalGame:
    """Return the table for the command line: the players and the settings.

    Raises:
        Failure, HistoryError, UnreadableRecord: see `record_from`.
        UsageError: the arguments contradict one another.
    """
    if args.record is not None:
        return _table_from_record(args)
    if args.to is not None:
        raise UsageError("--to is a number of moves of the game that --from names")
    if args.pace is not None and not 0 <= args.pace <= 60:
        raise UsageError("--pace is a number of seconds from 0 to 60")
    if args.watch and (args.local or args.name):
        raise UsageError("--watch is for bots only: leave --local and --name out")
    if args.local and args.name:
        raise UsageError("--local names all players: leave --name out")
    if args.continues and (args.name or _has_game_or_players(args)):
        raise UsageError("--continue goes on with a game as it is: leave the rest out")
    from boxroom_client.profile.suggested_levels import suggested_levels

    name = settings_from(args)[NAME]
    people = () if args.watch else tuple(args.local or (_own_name(name),))
    _check_names(people)
    bots = bots_from(args)
    seats = _seats(args, len(people), len(bots))
    settings = room_settings_from(args, **{SEATS.name: seats, **room_flags(args)})
    if not bots and not args.local:
        bots = (_WATCHED_BOT if args.watch else suggested_levels()[args.game],)
    free_seats = seats - len(people)
    if free_seats and not bots:
        raise UsageError(
            f"{seats} seats need {free_seats} more: name them with --local, or add --bot easy"
        )
    seated_bots = tuple(islice(cycle(bots), free_seats)) if free_seats else ()
    watcher = _own_name(name) if args.watch else None
    table = LocalGame(settings, people, seated_bots, watcher, args.coach)
    if args.coach and not can_have_coach(kind_of(settings.game), people, settings.seats):
        raise UsageError("--coach is for one person against one bot in Dots and Boxes")
    return table


def _table_from_record(args: argparse.Namespace) -> LocalGame:
    """Return the table for a game that begins with moves of a recorded one; see `table_from`."""
    if args.continues or has_game(args) or args.seats is not None:
        raise UsageError("--from has a game with its players: leave GAME, its options, --seats out")
    record = record_from(argparse.Namespace(record=args.record, game=None), has_game=False)
    begun = _begun(record, len(record.tokens) if args.to is None else args.to)
    kind, seats = begun.game.kind.name, str(begun.game.seats)
    changes = {"record": None, "to": None, "game": kind, "seats": seats}
    table = table_from(argparse.Namespace(**{**vars(args), **changes}))
    board = Settings.of_record(begun)
    settings = replace(table.settings, options=board.options, opening=board.opening)
    return dataclasses.replace(table, settings=settings)


def _begun(record: Record, number: int) -> Record:
    """Return the record of a game that has just begun with the first moves of `record`."""
    last = len(record.tokens)
    if not 0 <= number <= last:
        raise UsageError(f"--to is 0 to {last}, the number of moves in this game")
    moves = record.tokens[:number]
    if any(map(is_withdrawal, moves)):
        raise UsageError("a player had given up before that move: take a smaller --to")
    begun = dataclasses.replace(record, tokens=moves, opening=number)
    if begun.final().is_over:
        raise UsageError("the game is over after these moves: take a smaller --to")
    return begun


def _own_name(wanted: str | None) -> str:
    from boxroom_client.profile.identity import login_name

    return wanted if wanted is not None else login_name()


def _check_names(people: Sequence[str]) -> None:
    for number, name in enumerate(people):
        if (mistake := mistake_in_name(name, people[:number])) is not None:
            raise UsageError(mistake)


def _seats(args: argparse.Namespace, people: int, bots: int) -> int:
    """Number of seats at first: as `--seats` says, or as many as there are players.

    Without `--seats` there are two unless one is named; of a range at least the first number.
    """
    if args.seats is None:
        least = kind_of(args.game).fewest_seats
        return max(least if args.local else 2, people + bots)
    try:
        said = with_seats(Settings(), args.seats)
    except OptionError as error:
        raise UsageError(f"--{error}") from None
    if people + bots > said.most_seats:
        seats = say("settings.seats", n=said.most_seats)
        raise UsageError(f"{people + bots} players don't fit in {seats}")
    return max(said.least_seats, people + bots)


async def _play_on_screen(
    table: LocalGame, args: argparse.Namespace, settings: ResolvedSettings
) -> Exit:
    """Play on the full screen; without arguments for the game, ask for it first."""
    from boxroom_client.shell.frontend import Interrupted

    front = screen_front(settings)
    if _has_game_or_players(args):
        return await _play(table, args, front)
    try:
        chosen = await _choose_game(table, front)
    except Interrupted:
        return Exit.INTERRUPTED
    match chosen:
        case None:
            return Exit.DONE
        case LocalGame():
            return await _play(chosen, args, front)
        case _:
            return await _continue(chosen, args, front)


async def _choose_game(table: LocalGame, front: "ScreenFrontend") -> "LocalGame | SavedGame | None":
    """Ask whether to continue a game, if there is one, or for a new one; None cancels."""
    from boxroom_client.cli.saved_games import HEADINGS, unfinished_games
    from boxroom_client.screen.lobby.menu import Item, Menu

    saved = unfinished_games()
    if saved:
        items: list[Item[SavedGame | LocalGame]] = [
            Item(
                str(game.folder.path),
                (say("terminal.menu.continue", game=columns[0]), *columns[1:]),
                game,
            )
            for game in saved
            for columns in [game.columns]
        ]
        items.append(Item("new", (say("terminal.menu.new_game"),), table))
        hints = (("Enter", say("terminal.dialog.chooses")), ("Esc", say("terminal.dialog.leaves")))
        chosen = await front.choose_item(
            Menu(
                say("terminal.menu.games_here"),
                tuple(items),
                tuple(map(say, HEADINGS)),
                hints=hints,
            )
        )
        if not isinstance(chosen, LocalGame):
            return chosen
    return await _edit_game(table, front)


async def _edit_game(table: LocalGame, front: "ScreenFrontend") -> LocalGame | None:
    """Show the form, filled in as it was last time; save the entered game and name."""
    from boxroom_client.shell.last_game import LastGame

    last = LastGame()
    saved = last.load(table.people[0])
    game = await front.edit_game(table if saved is None else _with_suggestion(saved))
    if game is not None:
        last.save(game)
        if game.people[0] != table.people[0]:
            _save_name(game.people[0], front)
    return game


def _with_suggestion(game: LocalGame) -> LocalGame:
    """Return `game`, in which a level that plays against one person is the suggested one."""
    from boxroom_client.profile.suggested_levels import suggested_levels

    match game.people, game.bots:
        case (_,), (bot,) if bot in LEVELS:
            return dataclasses.replace(game, bots=(suggested_levels()[game.settings.game],))
        case _:
            return game


def _save_name(name: str, front: "ScreenFrontend") -> None:
    if remark := saver(config_path(os.environ), os.environ)(NAME, name):
        front.say(remark)


def _has_game_or_players(args: argparse.Namespace) -> bool:
    """Whether the command line has arguments for the game or its players."""
    players = (args.bot, args.local, args.watch or None, args.coach or None, args.record)
    return has_game(args) or bool(room_flags(args)) or any(said is not None for said in players)


async def _continue_last(args: argparse.Namespace, front: "Frontend") -> Exit:
    from boxroom_client.cli.saved_games import unfinished_games

    for saved in unfinished_games():
        return await _continue(saved, args, front)
    raise Failure(say("terminal.play.nothing_to_continue"))


async def _play(table: LocalGame, args: argparse.Namespace, front: "Frontend") -> Exit:
    """Play a new game, and save it unless only bots play."""
    import asyncio

    from boxroom_client.cli.saved_games import delete_old_games, new_folder
    from boxroom_client.link.connection import Create

    # All players see the same screen, and decide themselves how often they take moves back.
    settings = replace(table.settings, hints=True, takebacks=MOST_TAKEBACKS)
    request = Create(settings, "home", watch=table.watcher is not None)
    if table.watcher is not None:
        return await _play_in(_PrivateRoom(None, table.watcher, request, table), args, front)
    deleting = asyncio.create_task(asyncio.to_thread(delete_old_games))
    try:
        room = _PrivateRoom(new_folder(), table.people[0], request, table)
        return await _play_in(room, args, front)
    finally:
        await deleting


async def _continue(saved: "SavedGame", args: argparse.Namespace, front: "Frontend") -> Exit:
    """Play on in a saved game."""
    from boxroom_client.link.connection import Join

    room = _PrivateRoom(saved.folder, saved.player, Join(saved.room.code))
    return await _play_in(room, args, front)


@dataclasses.dataclass(frozen=True, slots=True)
class _PrivateRoom:
    """A room of a private server, as it is to be made or entered again."""

    folder: "DataFolder | None"
    """Data folder of the server; None saves nothing."""
    name: str
    """Name of the only member."""
    request: "JoinRequest"
    table: LocalGame | None = None
    """Players to seat; None if they have their seats already."""


async def _play_in(room: _PrivateRoom, args: argparse.Namespace, front: "Frontend") -> Exit:
    """Play in `room`, and delete its folder once its game is over."""
    from boxroom_client.cli.engine_build import engine_built_meanwhile
    from boxroom_client.cli.saved_games import delete, is_worth_saving
    from boxroom_client.link.connection import RoomConnection
    from boxroom_client.link.errors import Unreachable
    from boxroom_client.profile.identity import Identity
    from boxroom_client.servers.address import Address
    from boxroom_client.shell.game_recorder import GameRecorder
    from boxroom_client.shell.logfile import default_log_file, logging_to
    from boxroom_server.admin.messages import Release
    from boxroom_server.ops.logs import SERVER_LOGGER
    from boxroom_server.server import serve

    try:
        async with AsyncExitStack() as stack:
            # Its messages are for operators, not for the person who plays.
            stack.enter_context(logging_to(default_log_file(), SERVER_LOGGER))
            storage = await _storage(room, stack, front)
            server = await stack.enter_async_context(serve(_options(args), storage=storage))
            # The name's secret ended with the program that played before.
            await server.admin_commands.execute(Release(room.name), lambda: None)
            connection = await stack.enter_async_context(
                RoomConnection(
                    Address("127.0.0.1", server.port),
                    Identity.make(room.name),
                    room.request,
                    keeps_seat=True,
                    observe=GameRecorder(""),
                )
            )
            assert connection.room is not None
            if kind_of(connection.room.settings.game).uses_kernel:
                stack.enter_context(engine_built_meanwhile(front.say))
            told = await _seat_players(connection, room.table) if room.table is not None else 0
            exit_code = await front.play(
                connection, watching=args.watch, until_end=args.watch, skip_until_seq=told
            )
            is_on = is_worth_saving(connection.room)
    except Unreachable as error:
        raise Failure(say("terminal.play.server_failed", error=str(error))) from None
    if room.folder is not None and storage is not None:
        if is_on:
            front.say(say("terminal.play.saved"))
        else:
            delete(room.folder)
    return exit_code


async def _storage(
    room: _PrivateRoom, stack: AsyncExitStack, front: "Frontend"
) -> "Storage | None":
    """Open the folder of `room` until `stack` closes; return None if nothing can be saved.

    Raises:
        Failure: it has a saved game, which can't be opened.
    """
    from boxroom_client.cli.saved_games import UNREADABLE
    from boxroom_server.clock import SystemClock
    from boxroom_server.storage.sqlite.storage import sqlite_storage
    from boxroom_server.storage.storage import SpaceState

    if room.folder is None:
        return None
    try:
        storage = await stack.enter_async_context(sqlite_storage(room.folder, SystemClock()))
    except UNREADABLE as error:
        if room.table is None:
            raise Failure(say("terminal.play.cannot_continue", error=str(error))) from None
        front.say(say("terminal.play.not_saved", error=str(error)))
        return None
    # One game more fits also on a disk that is nearly full.
    return dataclasses.replace(storage, space=SpaceState())


def _options(args: argparse.Namespace) -> "Options":
    """Return the options of a private server, which limits and forgets nothing."""
    from boxroom_server.options import Options

    pace_s = args.pace
    if pace_s is None:
        pace_s = _PACE_S if sys.stdout.isatty() else 0.0
    return Options(
        host="127.0.0.1",
        port=0,
        no_web=True,
        seats=_NO_LIMIT,
        board=_NO_LIMIT,
        messages_per_s=float(_NO_LIMIT),
        burst=_NO_LIMIT,
        chat_burst=_NO_LIMIT,
        bots_per_name=_NO_LIMIT,
        bot_workers=1,
        pace_s=pace_s,
        grace_s=float(_NO_LIMIT),
        empty_room_s=float(_NO_LIMIT),
    )


async def _seat_players(connection: "RoomConnection", table: LocalGame) -> int:
    """Seat all players and start the game; return the seq at which it has begun."""
    from boxroom_engine.room import commands as cmd

    seating: list[cmd.AnyMemberCommand] = [cmd.Sit(0, name=name) for name in table.people[1:]]
    seating += [cmd.SeatBot(0, bot) for bot in table.bots]
    if table.has_coach:
        seating.append(cmd.Coach(0, 0, on=True))
    seq = 0
    for command in (*seating, cmd.Start(0, _first_seat(table) or None)):
        seq = (await connection.ask(command)).seq
    return seq


def _first_seat(table: LocalGame) -> int:
    """Return the seat that is to begin, so that a single person moves first after an opening."""
    settings = table.settings
    if len(table.people) != 1 or not settings.opening:
        return 0
    state = settings.make_game().initial()
    for move in settings.opening:
        state = play_token(state, move)
    return -(state.to_move or 0) % settings.seats
