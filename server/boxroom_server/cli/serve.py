"""`boxroom serve`: host rooms for every client that can reach this machine."""

import argparse
import asyncio
import logging
import os
import re
import signal
import socket
import sqlite3
import sys
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    ExitStack,
    asynccontextmanager,
    nullcontext,
)
from dataclasses import Field, fields
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NoReturn, assert_never

from boxroom_common.command_parser import CommandParser, expected
from boxroom_common.exits import Exit, Failure, reported
from boxroom_common.kernel.use import build_in_background
from boxroom_common.qr_codes import can_show_qr
from boxroom_common.run_file import RunFile, RunningServer
from boxroom_common.system import NoUnixSockets, signals_here
from boxroom_common.version import VERSION
from boxroom_engine.errors import BoxroomError
from boxroom_engine.wire.origins import as_host
from boxroom_server.admin.service import SocketUnavailable, serve_admin
from boxroom_server.cli.data_argument import default_folder, folder_from
from boxroom_server.cli.exit_errors import message_of
from boxroom_server.cli.how_to_join import Places, how_to_join
from boxroom_server.cli.store_argument import Store, add_store, etcd_needed, store_from
from boxroom_server.clock import Clock, SystemClock, log_jumps_forever
from boxroom_server.net.addresses import UNSPECIFIED, lan_addresses, reached_at
from boxroom_server.net.tls import CertificateError
from boxroom_server.ops import logs, runtime
from boxroom_server.ops.logs import console
from boxroom_server.ops.logs import fields as fields_of_log
from boxroom_server.ops.metrics import Metrics
from boxroom_server.options import Flag, Group, Options
from boxroom_server.server import Server, serve
from boxroom_server.storage.etcd.address import EtcdAddress
from boxroom_server.storage.memory.storage import memory_storage
from boxroom_server.storage.sqlite.folder import DataFolder
from boxroom_server.storage.sqlite.storage import sqlite_storage
from boxroom_server.storage.storage import Storage

logger = logging.getLogger(__name__)

_MOST_S = 1_000_000_000

_COLUMNS = 80
"""Width of a terminal that doesn't know its own."""


class _ServeParser(CommandParser):
    """A parser that reports a mistake in JSON where the command line asks for that."""

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[argparse.Namespace, list[str]]:
        self._has_json_log = "--log-json" in (sys.argv[1:] if args is None else args)
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        if self._has_json_log:
            logs.set_up(0, as_json=True)
            console.error(message)
            self.exit(Exit.USAGE)
        super().error(message)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line, with a flag for each field of `Options`."""
    parser = _ServeParser(
        prog="boxroom serve",
        usage="boxroom serve [--port N] [--data DIR | --memory] [OPTION …]",
        description="Host rooms. People join with `boxroom join`; Ctrl-C stops the server.",
    )
    groups = {group: parser.add_argument_group(group.value) for group in Group}
    _add_storage(groups[Group.FIRST])
    add_store(
        groups[Group.OPERATION],
        meaning="instead of --data and --memory: sqlite:DIR, memory, or etcd://HOST:PORT,HOST:PORT,…"
        " for several servers that share their rooms",
    )
    groups[Group.OPERATION].add_argument(
        "--node-name",
        metavar="NAME",
        help="with etcd://: the name of this server in the load balancer, which then leads the"
        " members of a room to one server (default: $BOXROOM_NODE_NAME, or none)",
    )
    _add_announcing(groups[Group.NETWORK])
    _add_operation(groups[Group.OPERATION])
    for option in fields(Options):
        _add_option(groups[Flag.of(option).group], option)
    return parser


def _add_option(group: "argparse._ArgumentGroup", option: "Field[Any]") -> None:
    """Add the flag of a field of `Options`; one that is False by default takes no value."""
    flag = f"--{option.name.replace('_', '-')}"
    text, default = Flag.of(option).help, option.default
    if default is False:
        group.add_argument(flag, action="store_true", help=text)
        return
    group.add_argument(
        flag,
        type=type(default),
        default=default,
        metavar="N" if isinstance(default, int | float) else option.name.upper(),
        help=_help(text, default),
    )


def _add_storage(group: "argparse._ArgumentGroup") -> None:
    storage = group.add_mutually_exclusive_group()
    storage.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help=f"save rooms, names and games in this folder (default: {default_folder()})",
    )
    storage.add_argument(
        "--memory",
        action="store_true",
        help="save nothing: all is lost when the server stops",
    )


def _add_announcing(group: "argparse._ArgumentGroup") -> None:
    announcing = group.add_mutually_exclusive_group()
    announcing.add_argument(
        "--no-announce",
        action="store_true",
        help="don't announce the server on the local network, where `boxroom join` finds it",
    )
    announcing.add_argument(
        "--announce-on",
        type=_own_address,
        metavar="ADDRESS",
        help="announce it only on the network of this own address (default: on all networks)",
    )


def _add_operation(group: "argparse._ArgumentGroup") -> None:
    group.add_argument(
        "--accept-loss",
        action="store_true",
        help="start although the log of the last commits is damaged, without those that can't be"
        " read; a copy of it is kept",
    )
    group.add_argument(
        "--download-compiler",
        action="store_true",
        help="download a C++ compiler, and remove it afterwards, if the fast engine has to be built"
        " and this machine has none (default: only at a terminal)",
    )
    group.add_argument(
        "--stop-when-empty",
        type=_seconds,
        metavar="S",
        help="stop when nobody has been connected for S seconds (default: never)",
    )
    group.add_argument(
        "--admin-socket",
        type=Path,
        metavar="PATH",
        help="the Unix socket for boxroom admin (default: in the data folder)",
    )
    group.add_argument(
        "--run-file",
        type=Path,
        metavar="PATH",
        help="while the server runs, this file says where and how it was started, in JSON"
        " (default: none)",
    )
    group.add_argument(
        "--verbose",
        action="count",
        default=0,
        help="log events; given twice, every connection as well",
    )
    group.add_argument(
        "--log-json", action="store_true", help="log one JSON object a line, for programs"
    )


def _own_address(text: str) -> str:
    """Return the IP address `text` in its canonical form."""
    try:
        return str(ip_address(text))
    except ValueError:
        raise expected("an IP address of this machine, such as 192.0.2.7", text) from None


def _seconds(text: str) -> float:
    """Return the number of seconds in `text`."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= _MOST_S:
        raise expected(f"a number of seconds up to {_MOST_S:,}", text)
    return seconds


def _help(text: str, default: Any) -> str:
    return text if default == "" or "default" in text else f"{text} (default: {default})"


def run(args: argparse.Namespace) -> int:
    """Serve until a signal comes, and return the exit code.

    It is 0, 1 if the address or the data folder can't be used, or 2 for invalid options.
    """
    logs.set_up(args.verbose, as_json=args.log_json)
    if not args.verbose:
        # `announced` reports a failure in one line; zeroconf would log pages.
        logging.getLogger("zeroconf").setLevel(logging.CRITICAL)
    try:
        options = Options(**{option.name: getattr(args, option.name) for option in fields(Options)})
        store = _store(args)
        node_name = _node_name(args, store)
    except (ValueError, Failure) as error:
        console.error(str(error))
        return error.code if isinstance(error, Failure) else Exit.USAGE
    build_in_background(console.warning, may_download=args.download_compiler or sys.stderr.isatty())
    if not runtime.raise_file_limit(options.connections):
        logger.info("the system allows fewer open files than connections: see `ulimit -Hn`")
    try:
        runtime.run(_serve(options, args, store, node_name))
    except BoxroomError as error:
        return reported(error, console.error)
    except sqlite3.Error as error:
        console.error(f"{folder_from(args).database} can't be used: {error}")
        return Exit.FAILED
    except OSError as error:
        console.error(message_of(error))
        return Exit.FAILED
    except Exception:
        if not args.log_json:
            raise
        logger.critical("the server has crashed", exc_info=True)
        return Exit.FAILED
    return Exit.DONE


async def _serve(options: Options, args: argparse.Namespace, store: Store, node_name: str) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        runtime.call_on_signal(number, stop.set)
    clock, metrics = SystemClock(), Metrics()
    with ExitStack() as until_end:
        async with (
            _storage(
                store, clock, metrics, accept_loss=args.accept_loss, node_name=node_name
            ) as storage,
            serve(options, storage=storage, clock=clock, metrics=metrics) as server,
        ):
            if options.tls_cert:
                for number in signals_here("SIGHUP"):
                    runtime.call_on_signal(number, partial(_reload_certificate, server))
            _say_where(server, options, as_json=args.log_json)
            admin_socket = _admin_socket(args, store)
            async with (
                _admin_served(
                    server, admin_socket, stop, is_wanted=args.admin_socket is not None
                ) as admin,
                _announced(server, args),
                _running(log_jumps_forever(clock)),
                _running(_stop_when_empty(server, args.stop_when_empty, stop)),
            ):
                if args.run_file is not None:
                    described = _described(server, options, store, admin)
                    until_end.enter_context(RunFile(args.run_file).written(described))
                await stop.wait()
                console.info("Stopping: members are told.")


def _described(
    server: Server, options: Options, store: Store, admin_socket: Path | None
) -> RunningServer:
    return RunningServer(
        pid=os.getpid(),
        joined_at=tuple(Places.of(server, options).joined_at),
        admin_socket=None if admin_socket is None else str(admin_socket.absolute()),
        saves=store is not None,
        arguments=tuple(sys.argv[1:]),
        folder=str(Path.cwd()),
    )


def _say_where(server: Server, options: Options, *, as_json: bool) -> None:
    """Say how the server is reached, in lines for people or in one object for programs."""
    places = Places.of(server, options)
    metrics = server.metrics_address
    url = "" if metrics is None else f"http://{as_host(metrics[0])}:{metrics[1]}/metrics"
    if as_json:
        links = [str(link) for link in places.links]
        where = fields_of_log(port=server.port, join=places.joined_at, pages=links, metrics=url)
        console.info("listening", extra=where)
        return
    console.info("\n".join(how_to_join(places, qr_columns=_qr_columns())))
    if url:
        console.info(f"Metrics are at {url}")


def _qr_columns() -> int | None:
    """Return the width of the terminal, for QR codes; None if it can't show any."""
    if not can_show_qr(sys.stdout, os.environ):
        return None
    # Not $COLUMNS, which may be out of date: a code that is wrapped is of no use.
    return os.get_terminal_size(sys.stdout.fileno()).columns or _COLUMNS


def _storage(
    store: Store, clock: Clock, metrics: Metrics, *, accept_loss: bool, node_name: str
) -> AbstractAsyncContextManager[Storage]:
    match store:
        case None:
            return nullcontext(memory_storage())
        case DataFolder():
            return sqlite_storage(store, clock, metrics.commits, accept_loss=accept_loss)
        case EtcdAddress():
            with etcd_needed():
                from boxroom_server.storage.etcd.storage import etcd_storage
            return etcd_storage(store, clock, metrics.commits, node_name)
        case _:
            assert_never(store)


def _store(args: argparse.Namespace) -> Store:
    """Return the store that the command line or the environment names.

    Raises:
        ValueError: it is malformed, or names two.
    """
    if args.store and (args.memory or args.data is not None):
        raise ValueError("--store names the store: leave out --data and --memory")
    return None if args.memory else store_from(args)


def _node_name(args: argparse.Namespace, store: Store) -> str:
    """Return the name of this server in the balancer, by the command line or the environment.

    It is "" if there is none.

    Raises:
        ValueError: it is malformed, or this server is alone.
    """
    name: str = args.node_name or os.environ.get("BOXROOM_NODE_NAME", "")
    if name and not re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", name):
        raise ValueError(f"a node's name is 1 to 64 letters, digits and _ . -, not {name!r}")
    if args.node_name and not isinstance(store, EtcdAddress):
        raise ValueError("--node-name is for a server of a cluster: add --store etcd://…")
    return name


def _admin_socket(args: argparse.Namespace, store: Store) -> Path | None:
    """Return the socket for `boxroom admin`; None if the command line and the store name none."""
    path: Path | None = args.admin_socket
    return store.admin_socket if path is None and isinstance(store, DataFolder) else path


def _reload_certificate(server: Server) -> None:
    try:
        server.reload_certificate()
    except CertificateError as error:
        logger.error("the certificate stays as it was: %s", error)
    else:
        logger.info("new connections are shown the certificate as it is now")


@asynccontextmanager
async def _admin_served(
    server: Server, path: Path | None, stop: asyncio.Event, *, is_wanted: bool
) -> AsyncIterator[Path | None]:
    """Serve `boxroom admin` at `path`, if that isn't None; yield the path if that succeeds.

    Raises:
        SocketUnavailable, NoUnixSockets: the socket can't be made, and the command line names it
            (`is_wanted`).
    """
    async with AsyncExitStack() as stack:
        if path is not None:
            try:
                await stack.enter_async_context(serve_admin(path, server.admin_commands, stop.set))
            except SocketUnavailable as error:
                if is_wanted:
                    raise
                console.warning(
                    f"{error}; boxroom admin can't reach this server: name another path with"
                    " --admin-socket"
                )
                path = None
            except NoUnixSockets as error:
                if is_wanted:
                    raise
                console.warning(f"{error}: it can't reach this server")
                path = None
        yield path


async def _stop_when_empty(server: Server, empty_s: float | None, stop: asyncio.Event) -> None:
    if empty_s is not None:
        await server.wait_until_unused(empty_s)
        logger.info("nobody has been connected for %g s", empty_s)
        stop.set()


@asynccontextmanager
async def _running(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run `work` in a task while the context lasts."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()


def _announced(server: Server, args: argparse.Namespace) -> AbstractAsyncContextManager[None]:
    """Announce the server on the local network if that is wanted and useful; print the result."""
    here = [args.announce_on] if args.announce_on else lan_addresses()
    bound = server.bound_addresses
    addresses = reached_at(here, bound)
    if args.no_announce or args.tls_cert or not addresses:
        reason = _reason_unannounced(args, bound)
        console.info(f"Not announced on the local network: {reason}.")
        return nullcontext()
    from boxroom_server.ops.announce import announced  # zeroconf takes long to import

    return announced(
        server.port,
        name=f"Boxroom on {socket.gethostname().partition('.')[0]}",
        version=VERSION,
        addresses=addresses,
        interfaces=[args.announce_on] if args.announce_on else None,
        report=console.info,
    )


def _reason_unannounced(args: argparse.Namespace, bound: Sequence[str]) -> str:
    if args.no_announce:
        return "--no-announce is given"
    if args.tls_cert:
        return "with TLS, people join by the name in the certificate"
    if args.announce_on:
        return f"it doesn't listen on {args.announce_on}"
    if not set(bound).isdisjoint(UNSPECIFIED):
        return "this machine has no address there"
    return f"other machines can't reach {args.host}"
