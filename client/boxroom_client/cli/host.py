"""`boxroom host`: a server for the people around, and this person's room on it.

The server is `boxroom serve` in a process of its own, so that guests don't notice what happens in
this terminal. It goes on when this person leaves, however that happens. If a server runs on the
port already, the room is made there.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import threading
from collections import deque
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from boxroom_client.cli.arguments.event_loop import run_until_done
from boxroom_client.cli.arguments.settings import add_display_flags, add_flag, settings_from
from boxroom_client.cli.arguments.shells import (
    add_shell_flags,
    front_for,
)
from boxroom_client.profile.config import CA, NAME
from boxroom_client.profile.identity import IdentityError
from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_common.phrases import say
from boxroom_engine.wire.ports import DEFAULT_PORT

if TYPE_CHECKING:  # sockets take long to import
    from boxroom_client.servers.address import Address

_MOST_LINES = 50
_MOST_BYTES = 65_536

_EMPTY_S = 600
"""Time in seconds from the end of the last connection to the end of a server."""

if sys.platform == "win32":
    _APART = subprocess.CREATE_NEW_PROCESS_GROUP  # it has no sessions
else:
    _APART = 0

_STARTED = "Ctrl-C stops the server."
"""The line of `boxroom serve` after which people can join."""

_JOIN = "  boxroom join "
"""Beginning of its lines with addresses."""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = CommandParser(
        prog="boxroom host",
        description="Host a room for the people around, and play in it: `boxroom serve` and "
        "`boxroom join --create` in one. After you leave, the server goes on for the others, until "
        f"Ctrl-C or {_EMPTY_S // 60} minutes after the last of them has left.",
    )
    made.add_argument(
        "--room",
        help="the name of the room, a new one or one of yours that is still there (default: the "
        "one that you haven't left, or one is made up)",
    )
    made.add_argument("--password", help="make the room private; others need this to come in")
    add_flag(made, NAME)
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
    add_shell_flags(made, has_json=False)
    add_display_flags(made)
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
    return run_until_done(_host(args))


async def _host(args: argparse.Namespace) -> Exit:
    from boxroom_client.servers.address import Address
    from boxroom_client.servers.localhost import local_server
    from boxroom_client.shell.frontend import JoinOptions
    from boxroom_client.shell.joining import join

    settings = settings_from(args)
    front = front_for(args, settings)
    address = Address("localhost", args.port)
    join_options = JoinOptions(args.room, args.password, create=True, comes_back=True)
    if await local_server(address) is not None:
        front.say(say("terminal.host.runs_already", port=args.port))
        return await join(address, settings[NAME], join_options, front)
    server = await _Server.started(args)
    front.say(*(line for line in server.printed if line != _STARTED))
    try:
        if await local_server(address) is None:  # it listens elsewhere only, or with TLS
            address = replace(server.address(otherwise=address), ca_file=settings[CA])
        code = await join(address, settings[NAME], join_options, front)
    except (Failure, UsageError, IdentityError):  # there was no party yet
        await server.stop()
        raise
    except BaseException:  # a signal, such as that of a closed window, or a mistake in this program
        with suppress(OSError):  # the terminal may be gone
            front.say(f"{say('terminal.host.goes_on')} {server.remaining}")
        raise
    if not server.is_running:
        return code
    front.say(f"{say('terminal.host.goes_on')} {say('terminal.host.stop')}")
    return await _wait_for_end(server, code)


async def _wait_for_end(server: "_Server", code: Exit) -> Exit:
    """Wait until the server ends, and return `code`; a signal stops it.

    A closed window doesn't: that only ends this command.
    """
    try:
        await server.wait()
    except asyncio.CancelledError as cancelled:
        if cancelled.args != (Exit.HUNG_UP,):
            await server.stop()
        raise
    return code


class _Server:
    """A running `boxroom serve`, whose output is read all the time, so that it never blocks.

    It is no process of asyncio, which would kill it at the end of this command.
    """

    def __init__(self, process: "subprocess.Popen[bytes]", output: asyncio.StreamReader) -> None:
        self._process = process
        self._output = output
        self._has_answered = asyncio.Event()  # set when people can join, or at its end
        self._reading = asyncio.create_task(self._read())
        self.printed: deque[str] = deque(maxlen=_MOST_LINES)
        """The last lines that it has printed."""

    @classmethod
    async def started(cls, args: argparse.Namespace) -> Self:
        """Start one in a session of its own, which neither Ctrl-C nor Ctrl-Z of this one stops.

        Raises:
            Failure: it has ended instead, for the reason that it has printed.
        """
        memory = ["--memory"] if args.memory else []
        process = subprocess.Popen(  # noqa: ASYNC220, S603 -- see above; a shell isn't used
            [
                *(sys.executable, "-m", "boxroom_client", "serve", "--port", str(args.port)),
                *("--download-compiler", "--stop-when-empty", str(_EMPTY_S)),
                *(*memory, *args.serve_options),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            creationflags=_APART,
        )
        server = cls(process, await _output_of(process))
        try:
            await server._wait_until_joinable()
        except BaseException:
            await server.stop()
            raise
        return server

    async def _wait_until_joinable(self) -> None:
        await self._has_answered.wait()
        if _STARTED not in self.printed:
            reason = " ".join(self.printed).removeprefix("boxroom: ")
            raise Failure(reason or say("terminal.host.server_ended"))

    @property
    def is_running(self) -> bool:
        """Whether it goes on."""
        return not self._reading.done()

    def address(self, otherwise: "Address") -> "Address":
        """Return the last address that it has printed for joining, which is the nearest."""
        from boxroom_client.servers.address import Address

        lines = [line for line in self.printed if line.startswith(_JOIN)]
        return Address.parse(lines[-1].removeprefix(_JOIN)) if lines else otherwise

    @property
    def remaining(self) -> str:
        """A sentence for people: how long it goes on without this command."""
        return say("terminal.host.remaining", minutes=_EMPTY_S // 60, pid=self._process.pid)

    async def wait(self) -> None:
        """Wait until it ends."""
        await asyncio.shield(self._reading)
        self._process.wait()

    async def stop(self) -> None:
        """Have it tell its members, and wait until it has ended."""
        self._process.terminate()
        await self.wait()

    async def _read(self) -> None:
        async for line in self._output:
            self.printed.append(line.decode(errors="replace").rstrip())
            if self.printed[-1] == _STARTED:
                self._has_answered.set()
        self._has_answered.set()


async def _output_of(process: "subprocess.Popen[bytes]") -> asyncio.StreamReader:
    """Return a reader of the standard output of `process`."""
    loop, output, pipe = asyncio.get_running_loop(), asyncio.StreamReader(), process.stdout
    assert pipe is not None
    if sys.platform != "win32":
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(output), pipe)
        return output

    def read() -> None:
        with suppress(RuntimeError):  # the loop is closed
            while chunk := os.read(pipe.fileno(), _MOST_BYTES):
                loop.call_soon_threadsafe(output.feed_data, chunk)
            loop.call_soon_threadsafe(output.feed_eof)

    # A daemon: the server may go on when this command has ended.
    threading.Thread(target=read, name="output of the server", daemon=True).start()
    return output
