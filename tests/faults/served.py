"""A real `boxroom serve` in a process of its own, that can be killed and started again."""

import asyncio
import os
import socket
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

from tests.faults.unlimited import MANY, UNLIMITED

LIMIT_S = 30.0
"""No test waits longer for a server to start."""

NO_LIMITS = tuple(
    word
    for name, most in {"messages_per_s": MANY, **UNLIMITED}.items()
    for word in (f"--{name.replace('_', '-')}", str(most))
)
"""For clients that talk as fast as they can."""


def free_port() -> int:
    """A port on which nothing listens, and the next server may."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


class Served:
    """One server after another on the same port, with the same flags; a context manager.

    It starts the first one, and leaves none behind.
    """

    def __init__(
        self,
        port: int,
        log: Path,
        *flags: str,
        environment: Mapping[str, str] | None = None,
        within: Sequence[str] = (),
    ) -> None:
        self.port = port
        self._log = log
        self._flags = ("--host", "127.0.0.1", "--port", str(port), "--no-announce", *flags)
        self._environment = {**os.environ, **(environment or {})}
        self._within = within
        """A command that runs another one, somewhere else."""
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._process is not None
        if self._process.returncode is None:
            await self.kill()

    @property
    def pid(self) -> int:
        """Of the server that runs."""
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Start a server, and wait until it listens."""
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(*self._within, sys.executable, "-m", "boxroom_client", "serve", *self._flags),
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                env=self._environment,
            )
        assert self._process.stdout is not None
        async with asyncio.timeout(LIMIT_S):
            while b"listens" not in (line := await self._process.stdout.readline()):
                assert line, f"it ended: {self.complaints()}"

    async def kill(self) -> None:
        """End it with SIGKILL, in whatever it does."""
        assert self._process is not None
        self._process.kill()
        await self._process.communicate()

    async def stop(self) -> int:
        """End it politely: its exit code."""
        assert self._process is not None
        self._process.terminate()
        async with asyncio.timeout(LIMIT_S):
            await self._process.communicate()
        assert self._process.returncode is not None
        return self._process.returncode

    def complaints(self) -> str:
        """What the servers have written to standard error."""
        return self._log.read_text()
