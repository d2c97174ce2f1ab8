"""Real HAProxy, with the project's own configuration."""

import asyncio
import os
import shutil
import socket
import ssl
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import pytest

CONFIGURATION = Path(__file__).parents[2] / "deploy" / "haproxy.cfg"

SMALL_BUFFERS = Path(__file__).with_name("small_buffers.cfg")
"""Further configuration, for tests of peers that don't read."""

LIMIT_S = 20.0
"""Longest wait until it has found a server that is ready."""


def haproxy() -> str:
    """Return the path of HAProxy; skip the test where it isn't installed."""
    found = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None:
        pytest.skip("missing here: Debian's haproxy")
    return found


def _address(server: int | str) -> str:
    return server if isinstance(server, str) else f"127.0.0.1:{server}"


def _bound(place: int | Path | socket.socket) -> str:
    """Return where HAProxy listens, as it reads that."""
    match place:
        case Path():
            return f"unix@{place}"
        case socket.socket():
            return f"fd@{place.fileno()}"
        case _:
            return _address(place)


class HaProxy:
    """HAProxy in front of three servers; a context manager.

    It listens at a port of this machine, at a socket file, or with a socket that listens already.
    The servers are ports of this machine, or addresses. With a certificate it speaks TLS.
    `per_source` is the number of connections from one address. `more` is a further configuration.
    """

    def __init__(
        self,
        place: int | Path | socket.socket,
        servers: Sequence[int | str],
        *,
        also_at: str = "",
        certificate: Path | None = None,
        per_source: int | None = None,
        more: Path | None = None,
        within: Sequence[str] = (),
    ) -> None:
        self._place = place
        files = (CONFIGURATION, more) if more else (CONFIGURATION,)
        self._command = (haproxy(), *(word for file in files for word in ("-f", str(file))))
        nodes = {f"NODE{number}": _address(each) for number, each in enumerate(servers, 1)}
        tls = {"TLS": f"ssl crt {certificate} alpn http/1.1"} if certificate else {}
        self._tls = ssl._create_unverified_context() if certificate else None
        bind = ",".join(filter(None, (_bound(place), also_at)))
        own = {"PER_SOURCE": str(per_source)} if per_source else {}
        self._environment = {**os.environ, **nodes, **tls, **own, "BIND": bind}
        self._within = within  # command that runs another one on a machine of the test
        self._process: asyncio.subprocess.Process | None = None  # the last one that was started

    @property
    def port(self) -> int:
        """The port that it listens at."""
        if isinstance(self._place, socket.socket):
            port: int = self._place.getsockname()[1]
            return port
        assert isinstance(self._place, int)
        return self._place

    @property
    def path(self) -> Path:
        """The socket file that it listens at."""
        assert isinstance(self._place, Path)
        return self._place

    @property
    def pid(self) -> int:
        """Id of the running process."""
        assert self._process is not None
        return self._process.pid

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.kill()

    async def start(self) -> None:
        """Start it, and wait until it passes requests on."""
        self._process = await asyncio.create_subprocess_exec(
            *(*self._within, *self._command),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            env=self._environment,
            pass_fds=[it.fileno() for it in (self._place,) if isinstance(it, socket.socket)],
        )
        await self.until_ready()

    async def until_ready(self, *, is_ready: bool = True) -> None:
        """Wait until a server is ready; or until none is."""
        async with asyncio.timeout(LIMIT_S):
            while await self._is_ready() != is_ready:  # noqa: ASYNC110
                await asyncio.sleep(0.05)

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if isinstance(self._place, Path):
            return await asyncio.open_unix_connection(self._place)
        return await asyncio.open_connection("127.0.0.1", self.port, ssl=self._tls)

    async def _is_ready(self) -> bool:
        try:
            reader, writer = await self._connect()
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
