"""A real `boxroom serve` in a process of its own, which can be killed and started again."""

import asyncio
import os
import random
import socket
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

from tests.faults.parameters import MANY, UNLIMITED

LIMIT_S = 30.0
"""Longest wait for a server to start or to stop."""

NO_LIMITS = tuple(
    word
    for name, most in {"messages_per_s": MANY, **UNLIMITED}.items()
    for word in (f"--{name.replace('_', '-')}", str(most))
)
"""Flags that lift the limits, for clients that send as fast as they can."""


PORTS = range(20_000, 32_000)
"""Numbers below the ports that Linux gives to outgoing connections, and to listeners on port 0.

Another program could be given one of the latter before the server listens on it.
"""


def free_port() -> int:
    """Return a port on which nothing listens, so that the next server may."""
    chance = random.SystemRandom()  # a seeded one would give all worker processes the same ports
    while True:
        port = chance.choice(PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return port


class Ended(Exception):
    """A process ended before it had done what it should."""


class ServerProcess:
    """A server that is started again on the same port, with the same flags; a context manager.

    Entering it starts the first process, and leaving it ends the last one.
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
        """Command that runs another one in other namespaces; empty for none."""
        self._process: asyncio.subprocess.Process | None = None  # the last one that was started

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.end()

    async def end(self) -> None:
        """Kill the last process, if there is one that runs, and close its pipe."""
        if self._process is not None:
            await self.kill()

    @property
    def pid(self) -> int:
        """Id of the running process."""
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Start a server, and wait until it listens.

        Raises:
            Ended: it doesn't.
        """
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(*self._within, sys.executable, "-m", "boxroom_client", "serve", *self._flags),
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                env=self._environment,
            )
        assert self._process.stdout is not None
        async with asyncio.timeout(LIMIT_S):
            while b"listen" not in (line := await self._process.stdout.readline()):
                if not line:
                    raise Ended(self.logged_errors())

    async def kill(self) -> None:
        """End it with SIGKILL, unless it has ended, and close its pipe."""
        assert self._process is not None
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.communicate()

    async def stop(self) -> int:
        """End it with SIGTERM; return its exit code."""
        assert self._process is not None
        self._process.terminate()
        async with asyncio.timeout(LIMIT_S):
            await self._process.communicate()
        assert self._process.returncode is not None
        return self._process.returncode

    def logged_errors(self) -> str:
        """Return what all processes so far have written to standard error."""
        return self._log.read_text()
