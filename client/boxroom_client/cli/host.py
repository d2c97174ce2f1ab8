"""`boxroom host`: a server for the people around, and this person's room on it.

The server is `boxroom serve` in a process of its own, so that guests don't notice what happens in
this terminal. If a server runs on the port already, the room is made there.
"""

import argparse
import asyncio
import sys
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from boxroom_client.cli.arguments.settings import add_display_flags, add_theme_flag, settings_from
from boxroom_client.cli.arguments.shells import has_screen, line_front, screen_front
from boxroom_client.profile.config import CA, NAME
from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_engine.wire.ports import DEFAULT_PORT

if TYPE_CHECKING:  # sockets take long to import
    from boxroom_client.servers.address import Address

_MOST_LINES = 50
_STARTED = "Ctrl-C stops the server."
"""The line of `boxroom serve` after which people can join."""

_JOIN = "  boxroom join "
"""Beginning of its lines with addresses."""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = CommandParser(
        prog="boxroom host",
        description="Host a room for the people around, and play in it: `boxroom serve` and "
        "`boxroom join --create` in one. After you leave, the server goes on until Ctrl-C.",
    )
    made.add_argument("--room", help="the name of the room (default: one is made up)")
    made.add_argument("--password", help="make the room private; others need this to come in")
    made.add_argument("--name", help="your name there (default: your login name)")
    made.add_argument(
        "--port", type=int, default=DEFAULT_PORT, metavar="N", help="port (default: %(default)s)"
    )
    made.add_argument(
        "--memory", action="store_true", help="save nothing: all is lost when the server stops"
    )
    made.add_argument(
        "serve_options",
        nargs="*",
        metavar="OPTION",
        help="after --, options of `boxroom serve`, such as -- --no-announce",
    )
    made.add_argument(
        "--plain", action="store_true", help="one line after the other, also in a terminal"
    )
    add_display_flags(made)
    add_theme_flag(made)
    return made


def run(args: argparse.Namespace) -> int:
    """Host and play until the person leaves and the server is stopped.

    Raises:
        UsageError: the port isn't one, or the server would print JSON instead of lines to read.
    """
    if "--log-json" in args.serve_options:
        raise UsageError("--log-json is for programs: leave it out, or run boxroom serve")
    if not 1 <= args.port <= 65535:  # 0 would let the server choose, unknown to `join`
        raise UsageError(f"--port is 1 to 65535, not {args.port}")
    from boxroom_client.cli.arguments.event_loop import run_until_done

    return run_until_done(_host(args))


async def _host(args: argparse.Namespace) -> Exit:
    from boxroom_client.servers.address import Address
    from boxroom_client.servers.localhost import local_server
    from boxroom_client.shell.frontend import JoinOptions
    from boxroom_client.shell.joining import join

    settings = settings_from(args)
    front = screen_front(settings) if has_screen(args) else line_front(settings)
    address = Address("localhost", args.port)
    join_options = JoinOptions(args.room, args.password, create=True, watch=False)
    if await local_server(address) is not None:
        front.say(f"A server runs on port {args.port} already: the room is there.")
        return await join(address, settings[NAME], join_options, front)
    async with _served(args) as server:
        front.say(*(line for line in server.printed if line != _STARTED))
        if await local_server(address) is None:  # it listens elsewhere only, or with TLS
            address = replace(server.address(otherwise=address), ca_file=settings[CA])
        code = await join(address, settings[NAME], join_options, front)
        if code is Exit.DONE and server.is_running:
            front.say(f"The server goes on for the others. {_STARTED}")
            await server.wait()
    return code


class _Server:
    """A running `boxroom serve`, whose output is read all the time, so that it never blocks."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._has_answered = asyncio.Event()  # set when people can join, or at its end
        self._reading = asyncio.create_task(self._read())
        self.printed: deque[str] = deque(maxlen=_MOST_LINES)
        """The last lines that it has printed."""

    @property
    def is_running(self) -> bool:
        """Whether it goes on."""
        return not self._reading.done()

    def address(self, otherwise: "Address") -> "Address":
        """Return the last address that it has printed for joining, which is the nearest."""
        from boxroom_client.servers.address import Address

        lines = [line for line in self.printed if line.startswith(_JOIN)]
        return Address.parse(lines[-1].removeprefix(_JOIN)) if lines else otherwise

    async def start(self) -> None:
        """Wait until people can join.

        Raises:
            Failure: it has ended instead, for the reason that it has printed.
        """
        await self._has_answered.wait()
        if _STARTED not in self.printed:
            await self._process.wait()
            reason = " ".join(self.printed).removeprefix("boxroom: ")
            raise Failure(reason or "the server has ended")

    async def wait(self) -> None:
        """Wait until it ends."""
        await asyncio.shield(self._reading)
        await self._process.wait()

    async def stop(self) -> None:
        """Have it tell its members, and wait until it has ended."""
        with suppress(ProcessLookupError):
            self._process.terminate()
        await self.wait()

    async def _read(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            self.printed.append(line.decode(errors="replace").rstrip())
            if self.printed[-1] == _STARTED:
                self._has_answered.set()
        self._has_answered.set()


@asynccontextmanager
async def _served(args: argparse.Namespace) -> AsyncIterator[_Server]:
    """Run a server in a session of its own, which neither Ctrl-C nor Ctrl-Z of this one stops."""
    memory = ["--memory"] if args.memory else []
    flags = ["--port", str(args.port), "--download-compiler", *memory, *args.serve_options]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "boxroom_client", "serve", *flags),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
    )
    server = _Server(process)
    try:
        await server.start()
        yield server
    finally:
        await server.stop()
