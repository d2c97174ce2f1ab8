"""`boxroom join`: play with others in a room of a server."""

import argparse
from typing import TYPE_CHECKING

from boxroom_client.cli.arguments.room import add_room_flags, room_flags
from boxroom_client.cli.arguments.settings import (
    add_display_flags,
    add_flag,
    in_room_of_link,
    server_address,
    settings_from,
)
from boxroom_client.cli.arguments.shells import (
    add_shell_flags,
    has_screen,
    line_front,
    screen_front,
)
from boxroom_client.profile.config import CA, NAME, ResolvedSettings
from boxroom_client.servers.address import Destination
from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit, UsageError
from boxroom_engine.wire.ports import DEFAULT_PORT

if TYPE_CHECKING:
    from boxroom_client.linemode.frontend import LineFrontend
    from boxroom_client.shell.frontend import JoinOptions


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = CommandParser(
        prog="boxroom join",
        description="Join people on a server. Without ADDRESS, the server is the one of your "
        "settings, or one that is found on this machine and its network. Without --room, an "
        "open room is chosen.",
    )
    made.add_argument(
        "server",
        nargs="?",
        metavar="ADDRESS",
        help="HOST, HOST:PORT, or a link: http://…, https://…, ws://… or wss://… (default port: "
        f"{DEFAULT_PORT}); # and a room behind it joins that room",
    )
    add_flag(made, CA, metavar="FILE")
    made.add_argument("--room", help="the room to join (default: that of a link, or an open one)")
    made.add_argument(
        "--create", action="store_true", help="make a new room, called --room if that is given"
    )
    made.add_argument(
        "--password",
        help="of a private room (default: you are asked); with --create, the room is private",
    )
    creating = made.add_argument_group("the new room, with --create")
    add_room_flags(creating, "2")
    add_flag(made, NAME)
    made.add_argument("--watch", action="store_true", help="watch, without a seat")
    add_shell_flags(made)
    add_display_flags(made)
    return made


def run(args: argparse.Namespace) -> int:
    """Join, and stay until the session ends."""
    # Here, because sockets and terminals take long to import, and --help needs neither.
    from boxroom_client.cli.arguments.event_loop import run_until_done

    settings = settings_from(args)
    join_options = in_room_of_link(join_options_from(args), settings)
    if has_screen(args):
        return run_until_done(_join_on_screen(settings, join_options))
    return run_until_done(_join_in_lines(line_front(args, settings), settings, join_options))


def join_options_from(args: argparse.Namespace) -> "JoinOptions":
    """Return the options for the room to join or to make.

    Raises:
        UsageError: the settings of a new room are wrong, or no room is to be made.
    """
    from boxroom_client.shell.frontend import JoinOptions
    from boxroom_client.shell.room_settings import changed
    from boxroom_engine.games.errors import OptionError
    from boxroom_engine.room.room import Settings

    said = room_flags(args)
    if said and not args.create:
        raise UsageError(f"--{next(iter(said))} belongs to --create")
    try:
        settings = changed(Settings(), said) if said else None
    except OptionError as error:
        raise UsageError(str(error)) from None
    return JoinOptions(args.room, args.password, args.create, args.watch, settings)


async def _join_on_screen(settings: ResolvedSettings, join_options: "JoinOptions") -> Exit:
    from boxroom_client.shell.frontend import Interrupted
    from boxroom_client.shell.joining import join

    front = screen_front(settings)
    address = server_address(settings)
    try:
        chosen = await front.choose_server() if address is None else Destination(address)
    except Interrupted:
        return Exit.INTERRUPTED
    if chosen is None:
        return Exit.DONE
    try:
        options = join_options.in_room(chosen.room)
    except ValueError as error:
        raise UsageError(str(error)) from None
    return await join(chosen.address, settings[NAME], options, front)


async def _join_in_lines(
    front: "LineFrontend", settings: ResolvedSettings, join_options: "JoinOptions"
) -> Exit:
    from boxroom_client.linemode.servers import join_found
    from boxroom_client.shell.joining import join

    address, name = server_address(settings), settings[NAME]
    if address is None:
        return await join_found(name, join_options, front)
    return await join(address, name, join_options, front)
