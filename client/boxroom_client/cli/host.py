"""`boxroom host`: a server for the people around, and this person's room on it.

The server is `boxroom serve` in a process of its own. So the command ends when this person leaves,
and the guests don't notice. If another server runs on the port already, the room is made there.
"""

import argparse
import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec.structs import replace

from boxroom_client.cli.arguments.event_loop import run_until_done
from boxroom_client.cli.arguments.game import (
    add_game,
    bots_from,
    has_game,
    room_settings_from,
)
from boxroom_client.cli.arguments.room import add_room_flags, room_flags
from boxroom_client.cli.arguments.settings import add_display_flags, add_flag, settings_from
from boxroom_client.cli.arguments.shells import add_shell_flags, front_for, line_front
from boxroom_client.profile.config import CA, NAME, ResolvedSettings
from boxroom_client.profile.identity import IdentityError
from boxroom_client.shell.room_settings import HOSTED, seats_of
from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_common.phrases import say
from boxroom_engine.room.room import Settings
from boxroom_engine.wire.ports import DEFAULT_PORT

if TYPE_CHECKING:  # they take long to import
    from boxroom_client.cli.hosted_server import HostedServer
    from boxroom_client.servers.address import Address
    from boxroom_client.shell.frontend import Frontend, JoinOptions


EMPTY_S = 600
"""Time in seconds from the end of the last connection to the end of the server."""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = CommandParser(
        prog="boxroom host",
        description="Host a room for the people around, and play in it: `boxroom serve` and "
        "`boxroom join --create` in one. After you leave, the server goes on for the others, until "
        f"`boxroom host --stop` or {EMPTY_S // 60} minutes after the last of them has left.",
    )
    made.add_argument(
        "--room",
        help="the name of the room, a new one or one of yours that is still there (default: the "
        "one that you haven't left, or one is made up)",
    )
    made.add_argument("--password", help="make the room private; others need this to come in")
    options = add_game(made, as_flag=True)
    add_room_flags(options, f"{seats_of(HOSTED)}, or what the game takes of that")
    options.add_argument(
        "--bot",
        action="append",
        metavar="KIND,KIND…",
        help="bots that take a seat each, also as several --bot: child, beginner, easy, medium,"
        " hard, expert, or a bot by its algorithm",
    )
    add_flag(made, NAME)
    made.add_argument(
        "--port", type=int, default=DEFAULT_PORT, metavar="N", help="port (default: %(default)s)"
    )
    made.add_argument(
        "--memory", action="store_true", help="save nothing: all is lost when the server stops"
    )
    made.add_argument(
        "--stop", action="store_true", help="stop the server that went on after you left"
    )
    made.add_argument(
        "--yes", action="store_true", help="with --stop: don't ask, even if others are there"
    )
    made.add_argument(
        "serve_options",
        nargs="*",
        metavar="OPTION",
        help="after --, options of `boxroom serve`, such as -- --no-announce",
    )
    add_shell_flags(made, has_json=False)
    add_display_flags(made)
    return made


def run(args: argparse.Namespace) -> int:
    """Host and play until the person leaves, or stop the server.

    Raises:
        UsageError: the port isn't one, `--yes` has no question to answer, or the server would print
            JSON instead of lines to read.
    """
    if "--log-json" in args.serve_options:
        raise UsageError("--log-json is for programs: leave it out, or run boxroom serve")
    if args.yes and not args.stop:
        raise UsageError("--yes belongs to --stop")
    if not 1 <= args.port <= 65535:  # 0 would let the server choose, unknown to `join`
        raise UsageError(f"--port is 1 to 65535, not {args.port}")
    return run_until_done(_stop(args) if args.stop else _host(args))


def join_options_from(args: argparse.Namespace) -> "JoinOptions":
    """Return the options for a new room, or one of this person's that is there already.

    Raises:
        UsageError: the arguments contradict one another.
    """
    from boxroom_client.shell.frontend import JoinOptions

    bots, others = bots_from(args), room_flags(args)
    settings = None
    if bots or others or has_game(args):
        settings = room_settings_from(args, _usual_for(len(bots)), **others)
        if len(bots) >= settings.most_seats:
            seats = say("settings.seats", n=settings.most_seats)
            raise UsageError(f"{len(bots)} bots and you don't fit in {seats}")
    return JoinOptions(
        *(args.room, args.password),
        create=True,
        settings=settings,
        bots=bots,
        comes_back=True,
    )


def _usual_for(bots: int) -> Settings:
    """Return the usual settings of a room with so many bots."""
    least, most = HOSTED.least_seats, HOSTED.most_seats
    return replace(HOSTED, seat_range=(least, max(most, 1 + bots)))


async def _host(args: argparse.Namespace) -> Exit:
    from boxroom_client.cli.hosted_server import HostedServer
    from boxroom_client.shell.joining import OwnServer, join

    join_options, settings = join_options_from(args), settings_from(args)
    front = front_for(args, settings)
    server = HostedServer(args.port)
    address, is_new = await _found_or_started(server, args, settings, front)
    has_entered = asyncio.Event()
    own_server = OwnServer(server.revive, has_entered.set)
    try:
        code = await join(address, settings[NAME], join_options, front, own_server)
    except asyncio.CancelledError:  # by a signal, such as that of a closed window
        with suppress(OSError):  # the terminal may be gone
            _say_that_it_goes_on(server, front)
        raise
    except (Failure, UsageError, IdentityError):
        if is_new and not has_entered.is_set():
            await server.stop()
        raise
    if is_new and not has_entered.is_set():
        await server.stop()
        return code
    goes_on = _say_that_it_goes_on(server, front)
    return Exit.DONE if goes_on and code is Exit.INTERRUPTED else code


async def _found_or_started(
    server: "HostedServer", args: argparse.Namespace, settings: ResolvedSettings, front: "Frontend"
) -> tuple["Address", bool]:
    """Return the address of the server on the port, and whether it was started for that."""
    from boxroom_client.servers.address import Address
    from boxroom_client.servers.localhost import local_server

    if (running := server.running()) is not None:
        front.say(say("terminal.host.runs_on", port=args.port))
        return await server.address(running, settings[CA]), False
    anybodys = Address("localhost", args.port)
    if await local_server(anybodys) is not None:
        front.say(say("terminal.host.runs_already", port=args.port))
        return anybodys, False
    revived = await _revived(server, args)
    printed = revived or await server.start(args.serve_options, memory=args.memory, empty_s=EMPTY_S)
    front.say(*printed)
    running = server.running()
    if running is None:
        raise Failure(say("terminal.host.server_ended"))
    return await server.address(running, settings[CA]), bool(printed and not revived)


async def _revived(server: "HostedServer", args: argparse.Namespace) -> tuple[str, ...]:
    """Start a crashed server anew, as it was unless the arguments say how; return a line about it.

    Guests may be waiting for it, and its options may say where its rooms are.
    """
    from boxroom_client.shell.output.wording import sentence
    from boxroom_engine.room.decision import CommandRefused

    if args.serve_options or args.memory:
        return ()
    with suppress(CommandRefused):  # it has saved nothing
        if (said := await server.revive()) is not None:
            return (sentence(str(said)),)
    return ()


def _say_that_it_goes_on(server: "HostedServer", front: "Frontend") -> bool:
    """Say how this person comes back to the server, and how it ends; return whether it runs."""
    running = server.running()
    if running is None:  # it has ended, or is another person's
        return False
    command = "boxroom host" + ("" if server.port == DEFAULT_PORT else f" --port {server.port}")
    front.say(
        say("terminal.host.goes_on", minutes=EMPTY_S // 60),
        say("terminal.host.back", command=command),
        say("terminal.host.how_to_stop", command=f"{command} --stop"),
        *(() if running.saves else (say("terminal.host.saves_nothing"),)),
    )
    return True


async def _stop(args: argparse.Namespace) -> Exit:
    """Stop the server, if the person agrees to that where others are there."""
    from boxroom_client.cli.hosted_server import HostedServer

    front = line_front(args, settings_from(args))
    server = HostedServer(args.port)
    running = server.running()
    if running is None:
        raise Failure(say("terminal.host.nothing_to_stop", port=args.port))
    names = None if args.yes else await server.names_there()
    if not args.yes and names != ():
        who = say("terminal.host.maybe_others") if names is None else _there(names)
        lost = () if running.saves else (say("terminal.host.loses"),)
        if not front.can_ask:
            raise Failure(" ".join((who, *lost, say("terminal.host.stop_with_yes"))))
        front.say(who, *lost)
        if not await front.ask_yes(say("terminal.host.stop")):
            return Exit.DONE
    await server.stop()
    front.say(say("terminal.host.stopped", port=args.port))
    return Exit.DONE


def _there(names: tuple[str, ...]) -> str:
    return say("terminal.host.others", names=names, n=len(names))
