"""`boxroom serve`: host rooms for everybody who can reach this machine."""

import argparse
import asyncio
import logging
import signal
import socket
import sys
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import fields
from functools import partial
from ipaddress import ip_address
from typing import Any

from boxroom_engine.games.dots.exact import SLOW_ENGINE
from boxroom_server import logs, runtime
from boxroom_server.addresses import as_host, lan_addresses, reached_at
from boxroom_server.announce import announced
from boxroom_server.options import DEFAULT_PORT, Options
from boxroom_server.server import VERSION, Server, serve

FAILED = 1
USAGE = 2

EVERYWHERE = ("", "0.0.0.0", "::")
"""What `--host` is for a server that listens on all addresses."""


def parser() -> argparse.ArgumentParser:
    """The command line: a flag for each field of `Options`."""
    made = argparse.ArgumentParser(
        prog="boxroom serve",
        description="Host rooms. People join with `boxroom join`; Ctrl-C stops the server.",
    )
    made.add_argument(
        "--verbose",
        action="count",
        default=0,
        help="log what happens; given twice, every connection, too",
    )
    made.add_argument(
        "--log-json", action="store_true", help="log one JSON object a line, for programs"
    )
    announcing = made.add_mutually_exclusive_group()
    announcing.add_argument(
        "--no-announce",
        action="store_true",
        help="don't tell the local network, where `boxroom join` would find the server",
    )
    announcing.add_argument(
        "--announce-on",
        type=_own_address,
        metavar="ADDRESS",
        help="tell only the network of this address of this machine (default: all its networks)",
    )
    for option in fields(Options):
        made.add_argument(
            f"--{option.name.replace('_', '-')}",
            type=type(option.default),
            default=option.default,
            metavar=option.name.upper(),
            help=_help(option.metadata["help"], option.default),
        )
    return made


def _own_address(text: str) -> str:
    """The IP address `text` as the system writes it; a ValueError, if it is none."""
    return str(ip_address(text))


def _help(text: str, default: Any) -> str:
    return text if default == "" or "default" in text else f"{text} (default: {default})"


def run(args: argparse.Namespace) -> int:
    """Serve until told to stop; 0 then, 1 if the address can't be bound, 2 for odd options."""
    logs.set_up(args.verbose, as_json=args.log_json)
    if not args.verbose:
        # What keeps a server from being announced is told in one line; this would be pages.
        logging.getLogger("zeroconf").setLevel(logging.CRITICAL)
    try:
        options = Options(**{option.name: getattr(args, option.name) for option in fields(Options)})
    except ValueError as error:
        print(f"boxroom: {error}", file=sys.stderr)
        return USAGE
    if SLOW_ENGINE:
        print(f"boxroom: {SLOW_ENGINE}", file=sys.stderr)
    try:
        runtime.run(_serve(options, args))
    except OSError as error:
        print(f"boxroom: can't listen on port {options.port}: {error}", file=sys.stderr)
        return FAILED
    return 0


async def _serve(options: Options, args: argparse.Namespace) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with serve(options) as server:
        server.warm_up()
        print("\n".join(how_to_join(server, options.host)), flush=True)
        if server.watched_at is not None:
            host, port = server.watched_at
            print(f"Metrics are at http://{as_host(host)}:{port}/metrics", flush=True)
        async with _announced(server, args):
            await stop.wait()
            print("Stopping: members are told.", flush=True)


def _announced(server: Server, args: argparse.Namespace) -> AbstractAsyncContextManager[None]:
    """Announces the server where that is wanted and of use; a line says whether it does."""
    here = [args.announce_on] if args.announce_on else lan_addresses()
    addresses = reached_at(here, server.bound)
    if args.no_announce or not addresses:
        print(f"Not announced on the local network: {_why_unannounced(args)}.", flush=True)
        return nullcontext()
    return announced(
        server.port,
        name=f"Boxroom on {socket.gethostname().partition('.')[0]}",
        version=VERSION,
        addresses=addresses,
        interfaces=[args.announce_on] if args.announce_on else None,
        tell=partial(print, flush=True),
    )


def _why_unannounced(args: argparse.Namespace) -> str:
    if args.no_announce:
        return "--no-announce says so"
    if args.announce_on:
        return f"it doesn't listen on {args.announce_on}"
    if args.host in EVERYWHERE:
        return "this machine has no address on one"
    return f"nobody else can reach {args.host}"


def how_to_join(server: Server, host: str) -> list[str]:
    """Lines that say where the server listens, and the exact command for each address."""
    addresses = [*lan_addresses(), "localhost"] if host in EVERYWHERE else [host]
    port = "" if server.port == DEFAULT_PORT else f":{server.port}"
    lines = [f"Boxroom listens on port {server.port}. Others join with:"]
    lines += [f"  boxroom join {as_host(address)}{port}" for address in addresses]
    lines.append("Ctrl-C stops the server.")
    return lines
