"""Real HAProxy, with the project's own configuration."""

import asyncio
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import pytest

CONFIGURATION = Path(__file__).parents[2] / "deploy" / "haproxy.cfg"

LIMIT_S = 20.0
"""Longest wait until it has found a server that is ready."""


def haproxy() -> str:
    """Return the path of HAProxy; skip the test where it isn't installed."""
    found = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None:
        pytest.skip("missing here: Debian's haproxy")
    return found


class HaProxy:
    """HAProxy in front of servers on three ports; a context manager."""

    def __init__(self, port: int, servers: Sequence[int]) -> None:
        self.port = port
        self._program = haproxy()
        nodes = {f"NODE{number}": f"127.0.0.1:{each}" for number, each in enumerate(servers, 1)}
        self._environment = {**os.environ, **nodes, "BIND": f"127.0.0.1:{port}"}
        self._process: asyncio.subprocess.Process | None = None  # the last one that was started

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.kill()

    async def start(self) -> None:
        """Start it, and wait until it passes requests on."""
        self._process = await asyncio.create_subprocess_exec(
            *(self._program, "-f", str(CONFIGURATION)),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            env=self._environment,
        )
        async with asyncio.timeout(LIMIT_S):
            while not await self._is_ready():
                pass

    async def _is_ready(self) -> bool:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            return False
        writer.write(b"GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        status = await reader.readline()
        writer.close()
        return b" 200 " in status

    async def kill(self) -> None:
        """End it with SIGKILL."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
