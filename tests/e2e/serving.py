"""A real server in a process of its own, and clients that talk with it."""

import asyncio
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
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


async def boxroom(*arguments: str) -> tuple[int, str, str]:
    """Run the program to its end; return its exit code, standard output and standard error."""
    process = await asyncio.create_subprocess_exec(
        *PROGRAM, *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(LIMIT_S):
        out, err = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()
