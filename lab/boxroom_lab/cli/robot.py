"""`boxroom robot`: seat a robot or an agent in a room, or serve a bot as an agent."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from boxroom_client.cli.arguments.settings import (
    add_flag,
    canvas_for,
    in_room_of_link,
    server_address,
    settings_from,
)
from boxroom_client.profile.config import CA, NAME, ResolvedSettings
from boxroom_client.servers.address import Address
from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_common.phrases import say
from boxroom_engine.bots.names import BotNameError
from boxroom_engine.bots.registry import plain_name
from boxroom_engine.wire.origins import as_host, parse_origins
from boxroom_engine.wire.ports import DEFAULT_PORT
from boxroom_engine.wire.urls import UrlError, parse_host
from boxroom_lab.robots.file import RobotFile, RobotLoadError, names_robot
from boxroom_lab.robots.template import robot_template

if TYPE_CHECKING:
    from boxroom_client.linemode.printer import Printer
    from boxroom_client.shell.frontend import JoinOptions
    from boxroom_lab.robots.move_source import MoveSource

_NEW, _SERVE = "new", "serve"
_LIMIT_S = 2.0
_MOST_LIMIT_S = 3600.0
_AGENT_HOST = "127.0.0.1"
_AGENT_PORT = 8001


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = CommandParser(
        prog="boxroom robot",
        usage="%(prog)s ROBOT [--server ADDRESS] [--room ROOM] …\n"
        f"       %(prog)s {_NEW} FILE.py\n"
        f"       %(prog)s {_SERVE} ROBOT [--port PORT]",
        description="Seat a robot in a room of a server: a function in a file of yours, a bot that"
        " thinks on this machine, or an agent that listens elsewhere (of the protocol of KU"
        " Leuven's course). Without --server, one is looked for; without --room, it takes the first"
        f" open room, or makes one. {_NEW} writes a robot to begin with; {_SERVE} offers a robot or"
        " a bot as such an agent.",
        epilog="docs/how-to/robots.md explains how to write a robot, and agents.",
    )
    made.add_argument(
        "robot",
        metavar="ROBOT",
        help="FILE.py, FILE.py:NAME if the function isn't called robot, the name of a bot, or the"
        f" ws://HOST:PORT of an agent; or {_NEW} or {_SERVE}",
    )
    made.add_argument(
        "of", nargs="?", metavar="ROBOT", help=f"after {_NEW}: the file; after {_SERVE}: the robot"
    )
    _add_room(made.add_argument_group("in a room"))
    serving = made.add_argument_group(_SERVE)
    serving.add_argument(
        "--host", help=f"the address to listen on as an agent (default: {_AGENT_HOST})"
    )
    serving.add_argument(
        "--port", type=int, help=f"the port to listen on as an agent (default: {_AGENT_PORT})"
    )
    serving.add_argument(
        "--origins",
        metavar="ORIGIN,…",
        help="origins of web pages that may connect, such as http://127.0.0.1:8080 (default: none;"
        " programs other than browsers always may)",
    )
    return made


def _add_room(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--server",
        metavar="ADDRESS",
        help=f"{say('terminal.servers.forms')} (default port: {DEFAULT_PORT}; default: the one of"
        " your settings, or one that is found on this machine and its network)",
    )
    add_flag(group, CA, metavar="FILE")
    group.add_argument(
        "--room", help="the room to sit down in (default: that of a link, or an open one)"
    )
    group.add_argument("--create", action="store_true", help="make the room, and be its host")
    group.add_argument("--password", help="of a private room")
    group.add_argument("--name", help="the robot's name there (default: your login name)")
    group.add_argument(
        "--time",
        type=float,
        metavar="SECONDS",
        help=f"the limit for a move (default: {_LIMIT_S:g})",
    )


def run(args: argparse.Namespace) -> int:
    """Play or listen until a signal or the end of the room, or write a robot."""
    if args.robot == _NEW:
        _refuse(args, _NEW, _IN_ROOM + _AS_AGENT)
        return _write(args.of)
    if args.robot == _SERVE:
        _refuse(args, _SERVE, _IN_ROOM)
        return _serve(args)
    _refuse(args, args.robot, _AS_AGENT)
    if args.of is not None:
        raise UsageError(f"after {args.robot} comes no other robot: {args.of}")
    return _play(args)


_IN_ROOM = ("server", "ca", "room", "create", "password", "name", "time")
_AS_AGENT = ("host", "port", "origins")


def _refuse(args: argparse.Namespace, robot: str, flags: Sequence[str]) -> None:
    for flag in flags:
        if getattr(args, flag) not in (None, False):
            raise UsageError(f"--{flag} has no meaning with {robot}: leave it out")


def _play(args: argparse.Namespace) -> int:
    limit_s = limit_from(args.time)
    agent = _agent(args.robot)
    player = None if agent else player_from(args.robot)
    # Here, because sockets take long to import, and --help doesn't need them.
    from boxroom_client.cli.arguments.event_loop import run_until_done
    from boxroom_client.shell.frontend import JoinOptions
    from boxroom_lab.agents.move_source import AgentMoveSource
    from boxroom_lab.robots.move_source import ProcessMoveSource
    from boxroom_lab.robots.process import RobotProcess

    move_source: MoveSource
    if agent is not None:
        move_source = AgentMoveSource(agent, limit_s)
    else:
        assert player is not None
        move_source = ProcessMoveSource(RobotProcess(player), limit_s)
    join_options = JoinOptions(args.room, args.password, create=args.create)
    return run_until_done(play_in_room(move_source, settings_from(args), join_options))


def limit_from(limit_s: float | None) -> float:
    """Return the limit for a move in seconds; None: the usual one.

    Raises:
        UsageError: it is out of its bounds.
    """
    if limit_s is None:
        return _LIMIT_S
    if not 0 < limit_s <= _MOST_LIMIT_S:
        raise UsageError(f"--time is a number of seconds above 0, up to {_MOST_LIMIT_S:g}")
    return limit_s


def _agent(text: str) -> Address | None:
    """Return the address of an agent; None if `text` names something else."""
    if "://" not in text:
        return None
    try:
        return Address.parse(text)
    except UrlError as error:
        raise UsageError(str(error)) from None


def player_from(text: str) -> str:
    """Return the name of a robot in a file, or of a bot, in its canonical form.

    Raises:
        UsageError: it is none.
    """
    try:
        if names_robot(text) or text.partition(":")[0].endswith(".py"):
            return str(RobotFile.parse(text))
        return plain_name(text)
    except RobotLoadError as error:
        raise UsageError(str(error)) from None
    except BotNameError as error:
        raise UsageError(
            f"{error}; a robot of yours is named by its file, such as mine.py"
        ) from None


async def play_in_room(
    move_source: "MoveSource",
    settings: ResolvedSettings,
    join_options: "JoinOptions",
    games: int | None = None,
) -> Exit:
    """Play in a room with the moves of `move_source`, and print a line for each event.

    With `games`, leave after so many.

    Raises:
        Failure: there is no server, it refuses us, or the source of moves can't be reached.
        IdentityError: the stored identity can't be used.
    """
    from boxroom_client.linemode.printer import Printer
    from boxroom_client.shell.joining import join
    from boxroom_lab.robots.room_player import RobotFrontend

    page = Printer(canvas_for(settings), is_terminal=False)
    async with move_source:
        options = in_room_of_link(join_options, settings)
        address = server_address(settings) or await _found(page)
        frontend = RobotFrontend(move_source, page, games)
        return await join(address, settings[NAME], options, frontend)


async def _found(page: "Printer") -> Address:
    """Find the first server on this machine and its network."""
    from boxroom_client.linemode.servers import first_found

    found = await first_found(page)
    if found is None:
        raise Failure(
            "no server was found on this machine and its network: name one with --server ADDRESS",
            Exit.UNREACHABLE,
        )
    return found.address


def _serve(args: argparse.Namespace) -> int:
    """Serve a robot or a bot as an agent, until a signal ends it."""
    if args.of is None:
        raise UsageError(f"name what is to be offered: boxroom robot {_SERVE} expert")
    player = player_from(args.of)
    port = _AGENT_PORT if args.port is None else args.port
    if not 0 <= port <= 65535:
        raise UsageError(f"--port is 0 to 65535, not {port}")
    try:
        origins = parse_origins(args.origins or "")
    except ValueError as error:
        raise UsageError(f"--origins: {error}") from None
    try:
        host = "*" if args.host == "*" else parse_host(args.host or _AGENT_HOST)
    except UrlError as error:
        raise UsageError(f"--host: {error}") from None
    from boxroom_client.cli.arguments.event_loop import run_until_done

    listening = _listen(player, host, port, origins, settings_from(args))
    return run_until_done(listening)


async def _listen(
    player: str, host: str, port: int, origins: frozenset[str], settings: ResolvedSettings
) -> Exit:
    import asyncio
    from contextlib import AsyncExitStack

    from boxroom_client.linemode.printer import Printer
    from boxroom_lab.agents.server import AgentServer

    page = Printer(canvas_for(settings), is_terminal=False)
    offered = AgentServer(player, host, port, page, origins=origins)
    async with AsyncExitStack() as stack:
        try:
            server = await stack.enter_async_context(offered)
        except OSError as error:
            where = f"{as_host(host)}:{port}"
            raise Failure(f"can't listen on {where}: {error.strerror or error}") from None
        at = Address(server.host, server.port).url
        page.say([f"{player} listens on {at}; Ctrl-C ends it."])
        await asyncio.get_running_loop().create_future()  # until cancelled
    return Exit.DONE


def _write(file: str | None) -> Exit:
    """Write a robot to begin with, and print its path."""
    if file is None or not file.endswith(".py"):
        raise UsageError(f"name the file that is to be written: boxroom robot {_NEW} FILE.py")
    path = Path(file)
    try:
        with path.open("x", encoding="utf-8") as opened:
            opened.write(robot_template(path.as_posix()))
    except FileExistsError:
        raise UsageError(f"{path} is there already, and stays as it is: name a new file") from None
    except OSError as error:
        raise Failure(f"can't write {path}: {error.strerror}") from None
    print(path)
    return Exit.DONE
