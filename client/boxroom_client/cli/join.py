"""`boxroom join`: into a room of a server, with people."""

import argparse

from boxroom_client.address import DEFAULT_PORT, Address, AddressError
from boxroom_client.cli.look import add_look, canvas_from
from boxroom_client.exits import UsageError


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="boxroom join",
        description="Join people on a server. Without --room, an open room is chosen.",
    )
    made.add_argument(
        "address",
        nargs="?",
        default="localhost",
        metavar="ADDRESS",
        help=f"HOST, HOST:PORT, ws://… or wss://… (default: localhost, port {DEFAULT_PORT})",
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
    return made


def run(args: argparse.Namespace) -> int:
    """Join, and stay until it is over."""
    # Here, because sockets and terminals take long to import, and --help needs neither.
    from boxroom_client.cli.running import lines_from_stdin, run_until_done
    from boxroom_client.linemode.choosing import Wish
    from boxroom_client.linemode.joining import join
    from boxroom_client.linemode.page import Page

    try:
        address = Address.parse(args.address)
    except AddressError as error:
        raise UsageError(str(error)) from None
    lines = lines_from_stdin()
    page = Page(canvas_from(args), is_terminal=lines.is_terminal)
    wish = Wish(args.room, args.password, create=args.create, watch=args.watch)
    return run_until_done(join(address, args.name, wish, lines, page))
