"""`boxroom serve`: host rooms for everybody who can reach this machine."""

import argparse
import asyncio
import logging
import signal
import socket
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    nullcontext,
)
from dataclasses import fields
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from boxroom_engine.games.dots.solve.solver import SLOW_ENGINE
from boxroom_server.admin.service import SocketTaken, admin_served
from boxroom_server.cli.data_argument import folder_from, usual_folder
from boxroom_server.clock import Clock, SystemClock
from boxroom_server.net.addresses import as_host, lan_addresses, reached_at
from boxroom_server.net.tls import CertificateError
from boxroom_server.ops import logs, runtime
from boxroom_server.ops.announce import announced
from boxroom_server.ops.metrics import Metrics
from boxroom_server.options import DEFAULT_PORT, Options
from boxroom_server.server import VERSION, Server, serve
from boxroom_server.storage.sqlite.schema import NotOurs
from boxroom_server.storage.sqlite.storage import on_disk
from boxroom_server.storage.storage import Storage

logger = logging.getLogger(__name__)

FAILED = 1
USAGE = 2

TLS_PORT = 443
"""The port of wss:// that needs no saying."""

EVERYWHERE = ("", "0.0.0.0", "::")
"""What `--host` is for a server that listens on all addresses."""


def parser() -> argparse.ArgumentParser:
    """The command line: a flag for each field of `Options`."""
    made = argparse.ArgumentParser(
        prog="boxroom serve",
        description="Host rooms. People join with `boxroom join`; Ctrl-C stops the server.",
    )
    keeping = made.add_mutually_exclusive_group()
    keeping.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help=f"where rooms, names and games are kept (default: {usual_folder()})",
    )
    keeping.add_argument(
        "--memory", action="store_true", help="keep nothing: all is gone when the server stops"
    )
    made.add_argument(
        "--admin-socket",
        type=Path,
        metavar="PATH",
        help="where boxroom admin reaches the server (default: in its data folder)",
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
    """Serve until told to stop.

    0 then, 1 if the address or the data folder can't be had, 2 for odd options.
    """
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
    if not runtime.allow_connections(options.connections):
        logger.info("the system allows fewer open files than connections: see `ulimit -Hn`")
    try:
        runtime.run(_serve(options, args))
    except (NotOurs, SocketTaken) as error:
        print(f"boxroom: {error}", file=sys.stderr)
        return FAILED
    except sqlite3.Error as error:
        print(f"boxroom: {folder_from(args).database} can't be used: {error}", file=sys.stderr)
        return FAILED
    except CertificateError as error:
        print(f"boxroom: {error}", file=sys.stderr)
        return USAGE
    except OSError as error:
        print(f"boxroom: {_why_not(error, options)}", file=sys.stderr)
        return FAILED
    return 0


def _why_not(error: OSError, options: Options) -> str:
    if error.filename is not None:  # of a file; a socket has none
        return f"{error.filename} can't be used: {error.strerror}"
    return f"can't listen on port {options.port}: {error}"


async def _serve(options: Options, args: argparse.Namespace) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    clock, metrics = SystemClock(), Metrics()
    async with (
        _storage(args, clock, metrics) as storage,
        serve(options, storage=storage, clock=clock, metrics=metrics) as server,
    ):
        server.warm_up()
        if options.tls_cert:
            reload = partial(_reload_certificate, server)
            asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, reload)
        how = how_to_join(server, options.host, secure=bool(options.tls_cert))
        print("\n".join(how), flush=True)
        if server.watched_at is not None:
            host, port = server.watched_at
            print(f"Metrics are at http://{as_host(host)}:{port}/metrics", flush=True)
        async with _cared_for(server, args, stop), _announced(server, args):
            await stop.wait()
            print("Stopping: members are told.", flush=True)


def _storage(
    args: argparse.Namespace, clock: Clock, metrics: Metrics
) -> AbstractAsyncContextManager[Storage]:
    if args.memory:
        return nullcontext(Storage())
    return on_disk(folder_from(args), clock, metrics.commits)


def _reload_certificate(server: Server) -> None:
    try:
        server.reload_certificate()
    except CertificateError as error:
        logger.error("the certificate stays as it was: %s", error)
    else:
        logger.info("new connections are shown the certificate as it is now")


@asynccontextmanager
async def _cared_for(
    server: Server, args: argparse.Namespace, stop: asyncio.Event
) -> AsyncIterator[None]:
    """Let `boxroom admin` reach the server, unless nobody could know where.

    Raises:
        SocketTaken: it can't be where the command line says.
    """
    path = args.admin_socket
    if path is None and not args.memory:
        path = folder_from(args).admin_socket
    async with AsyncExitStack() as stack:
        if path is not None:
            try:
                await stack.enter_async_context(admin_served(path, server.caretaker, stop.set))
            except SocketTaken as error:
                if args.admin_socket is not None:
                    raise
                print(
                    f"boxroom: {error}; so boxroom admin can't reach this server:"
                    " say --admin-socket PATH",
                    file=sys.stderr,
                )
        yield


def _announced(server: Server, args: argparse.Namespace) -> AbstractAsyncContextManager[None]:
    """Announces the server where that is wanted and of use; a line says whether it does."""
    here = [args.announce_on] if args.announce_on else lan_addresses()
    addresses = reached_at(here, server.bound)
    if args.no_announce or args.tls_cert or not addresses:
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
    if args.tls_cert:
        return "with TLS people come by a name, the certificate's"
    if args.announce_on:
        return f"it doesn't listen on {args.announce_on}"
    if args.host in EVERYWHERE:
        return "this machine has no address on one"
    return f"nobody else can reach {args.host}"


def how_to_join(server: Server, host: str, *, secure: bool = False) -> list[str]:
    """Lines that say where the server listens, and the exact command for each address."""
    addresses = [*lan_addresses(), "localhost"] if host in EVERYWHERE else [host]
    scheme = "wss://" if secure else ""
    port = "" if server.port == (TLS_PORT if secure else DEFAULT_PORT) else f":{server.port}"
    lines = [f"Boxroom listens on port {server.port}. Others join with:"]
    lines += [f"  boxroom join {scheme}{as_host(address)}{port}" for address in addresses]
    if secure:
        lines.append("or by another name that is in the certificate.")
    lines.append("Ctrl-C stops the server.")
    return lines
