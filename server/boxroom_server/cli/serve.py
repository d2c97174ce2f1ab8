"""`boxroom serve`: host rooms for everybody who can reach this machine."""

import argparse
import asyncio
import logging
import signal
import sys
from dataclasses import fields
from typing import Any

from boxroom_server import runtime
from boxroom_server.addresses import as_host, lan_addresses
from boxroom_server.options import DEFAULT_PORT, Options
from boxroom_server.server import Server, serve

FAILED = 1
USAGE = 2


def parser() -> argparse.ArgumentParser:
    """The command line: a flag for each field of `Options`."""
    made = argparse.ArgumentParser(
        prog="boxroom serve",
        description="Host rooms. People join with `boxroom join HOST`; Ctrl-C stops the server.",
    )
    made.add_argument("--verbose", action="store_true", help="log what happens")
    for option in fields(Options):
        made.add_argument(
            f"--{option.name.replace('_', '-')}",
            type=type(option.default),
            default=option.default,
            metavar=option.name.upper(),
            help=_help(option.metadata["help"], option.default),
        )
    return made


def _help(text: str, default: Any) -> str:
    return text if default == "" or "default" in text else f"{text} (default: {default})"


def run(args: argparse.Namespace) -> int:
    """Serve until told to stop; 0 then, 1 if the address can't be bound, 2 for odd options."""
    logging.basicConfig(
        level=logging.INFO if args.verbose else logging.WARNING,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    try:
        options = Options(**{option.name: getattr(args, option.name) for option in fields(Options)})
    except ValueError as error:
        print(f"boxroom: {error}", file=sys.stderr)
        return USAGE
    try:
        runtime.run(_serve(options))
    except OSError as error:
        print(f"boxroom: can't listen on port {options.port}: {error}", file=sys.stderr)
        return FAILED
    return 0


async def _serve(options: Options) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with serve(options) as server:
        print("\n".join(how_to_join(server, options.host)), flush=True)
        await stop.wait()
        print("Stopping: members are told.", flush=True)


def how_to_join(server: Server, host: str) -> list[str]:
    """Lines that say where the server listens, and the exact command for each address."""
    everywhere = host in ("", "0.0.0.0", "::")
    addresses = [*lan_addresses(), "localhost"] if everywhere else [host]
    port = "" if server.port == DEFAULT_PORT else f":{server.port}"
    lines = [f"Boxroom listens on port {server.port}. Others join with:"]
    lines += [f"  boxroom join {as_host(address)}{port}" for address in addresses]
    lines.append("Ctrl-C stops the server.")
    return lines
