"""A real server in a process of its own, and clients that talk with it."""

import asyncio
import re
import signal
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.terminal import LIMIT_S, PROGRAM
from tests.server.talk import Talk, say_hello
from websockets.asyncio.client import connect


class RunningServer:
    """A running server."""

    def __init__(self, process: asyncio.subprocess.Process, port: int, printed: str) -> None:
        self.process = process
        self.port = port
        self.printed = printed
        """The lines that it has printed at its start."""

    async def call(self, name: str) -> Talk:
        """Return a client that was welcomed as `name`."""
        url = f"ws://127.0.0.1:{self.port}"
        talk = Talk(await connect(url, compression=None, max_size=None), name)
        await say_hello(talk)
        welcome = await talk.hear()
        assert welcome["type"] == "welcome", welcome
        return talk


@asynccontextmanager
async def serving(data: Path | None, *arguments: str) -> AsyncIterator[RunningServer]:
    """`boxroom serve` on a free port with that data folder; SIGINT stops it, as Ctrl-C does."""
    where = ("--data", str(data)) if data is not None else ()
    process = await asyncio.create_subprocess_exec(
        *(*PROGRAM, "serve", "--host", "127.0.0.1", "--port", "0"),
        *("--no-announce", *where, *arguments),
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(LIMIT_S):
            printed = (await process.stdout.readline()).decode()
            port = re.search(r"listens on port (\d+)", printed)
            assert port is not None, printed
            while "announced" not in printed:  # the last line that it prints
                printed += (await process.stdout.readline()).decode()
        yield RunningServer(process, int(port[1]), printed)
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGINT)
        async with asyncio.timeout(LIMIT_S):
            await process.communicate()


@dataclass(frozen=True)
class ServerProcess:
    """A running server that tests pause and kill."""

    process: subprocess.Popen[str]
    port: int

    @property
    def address(self) -> str:
        """Address for `boxroom join`."""
        return f"127.0.0.1:{self.port}"


@contextmanager
def server_process(port: int = 0, data: Path | None = None) -> Iterator[ServerProcess]:
    """`boxroom serve` with that data folder, or in memory; it is killed at the end."""
    keeping = ("--memory",) if data is None else ("--data", str(data))
    place = ("--host", "127.0.0.1", "--port", str(port), "--no-announce", "--pace-s", "0")
    command = (*PROGRAM, "serve", *keeping, *place)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"port (\d+)", process.stdout.readline())
            assert found is not None
            yield ServerProcess(process, int(found[1]))
        finally:
            process.kill()


async def boxroom(*arguments: str) -> tuple[int, str, str]:
    """Run the program to its end; return its exit code, standard output and standard error."""
    process = await asyncio.create_subprocess_exec(
        *PROGRAM, *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(LIMIT_S):
        out, err = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()
