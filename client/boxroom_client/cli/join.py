"""`boxroom join`: into a room of a server, with people."""

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from boxroom_client.cli.arguments.look import add_look, add_theme, resolved_from
from boxroom_client.cli.arguments.shells import has_screen, line_front, screen_front
from boxroom_client.profile.config import CA, NAME, SERVER, ResolvedSettings, error_for
from boxroom_client.servers.address import Address
from boxroom_common.exits import Exit
from boxroom_engine.wire.ports import DEFAULT_PORT

if TYPE_CHECKING:
    from boxroom_client.shell.join_options import JoinOptions


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="boxroom join",
        description="Join people on a server. Without ADDRESS, it is the one of your settings, or "
        "one is looked for on this machine and its network. Without --room, an open room is "
        "chosen.",
    )
    made.add_argument(
        "server",
        nargs="?",
        metavar="ADDRESS",
        help=f"HOST, HOST:PORT, ws://… or wss://… (default port: {DEFAULT_PORT})",
    )
    made.add_argument(
        "--ca",
        metavar="FILE",
        help="an authority that you trust besides the system's, for wss:// (a file in PEM)",
    )
    made.add_argument("--room", help="the room to join")
    made.add_argument(
        "--create", action="store_true", help="make a new room, called --room if that is given"
    )
    made.add_argument("--password", help="of a private room; with --create, the room is private")
    made.add_argument("--name", help="what you are called there (default: your login name)")
    made.add_argument("--watch", action="store_true", help="watch, without a seat")
    made.add_argument(
        "--plain", action="store_true", help="one line after the other, also in a terminal"
    )
    add_look(made)
    add_theme(made)
    return made


def run(args: argparse.Namespace) -> int:
    """Join, and stay until it is over."""
    # Here, because sockets and terminals take long to import, and --help needs neither.
    from boxroom_client.cli.arguments.event_loop import run_until_done
    from boxroom_client.shell.join_options import JoinOptions

    settings = resolved_from(args)
    join_options = JoinOptions(args.room, args.password, create=args.create, watch=args.watch)
    if has_screen(args):
        return run_until_done(_join_on_screen(settings, join_options))
    return run_until_done(_join_in_lines(settings, join_options))


async def _join_on_screen(settings: ResolvedSettings, join_options: "JoinOptions") -> Exit:
    from boxroom_client.shell.front import Interrupted
    from boxroom_client.shell.joining import join

    front = screen_front(settings)
    try:
        address = set_address(settings) or await front.choose_server()
    except Interrupted:
        return Exit.INTERRUPTED
    return (
        Exit.DONE if address is None else await join(address, settings[NAME], join_options, front)
    )


async def _join_in_lines(settings: ResolvedSettings, join_options: "JoinOptions") -> Exit:
    from boxroom_client.linemode.finding import join_found
    from boxroom_client.shell.joining import join

    front, address, name = line_front(settings), set_address(settings), settings[NAME]
    if address is None:
        return await join_found(name, join_options, front)
    return await join(address, name, join_options, front)


def set_address(settings: ResolvedSettings) -> Address | None:
    """The server of the settings, with the authority that may vouch for it.

    Raises:
        UsageError: the flag names a file that has no authority.
        Failure: config.toml or the environment does.
    """
    from boxroom_client.link.tls import CertificateAuthorityError, ssl_context

    address = settings[SERVER]
    if address is None or not address.secure:
        return address
    try:
        ssl_context(settings[CA])
    except CertificateAuthorityError as error:
        raise error_for(settings.source(CA), str(error)) from None
    return replace(address, ca_file=settings[CA])
