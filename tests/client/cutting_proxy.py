"""A TCP proxy between client and server that can cut, stall and mute connections."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Literal, NamedTuple

from boxroom_client.servers.address import Address

Way = Literal["up", "down"]
"""Direction: to the server, or to the client."""


class Allowance(NamedTuple):
    """Bytes that a connection carries each way before it is cut; None for no limit."""

    up: int | None = None
    down: int | None = None


class CuttingProxy:
    """A proxy that passes bytes on both ways, until a method changes that.

    The first connections are cut when they have used up their `allowances`, one each.
    `late_s` returns the delay of each block of bytes.
    """

    def __init__(
        self,
        server: int | Path,
        allowances: Iterable[Allowance] = (),
        late_s: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._place = server  # a port of this machine, or a socket file
        self._allowances = iter(allowances)
        self._late_s = late_s
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self._is_open = True
        self._is_mute = False
        self._is_next_swallowed = False
        self.connections = 0
        """Connections accepted so far."""
        self.used_up = 0
        """Connections that were cut because their allowance was used up."""
        self.carried: Counter[Way] = Counter()
        """Bytes passed on so far to the server (`up`) and to the client (`down`)."""

    @property
    def address(self) -> Address:
        """Address that clients connect to."""
        assert self._server is not None
        return Address("127.0.0.1", self._server.sockets[0].getsockname()[1])

    async def start(self) -> None:
        """Start to listen."""
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0)

    async def stop(self) -> None:
        """Cut all connections and stop listening."""
        assert self._server is not None
        self._server.close()
        self.cut()
        await self._server.wait_closed()

    def cut(self) -> None:
        """Abort every connection, without a closing handshake."""
        for writer in self._writers:
            writer.transport.abort()

    def close(self) -> None:
        """Cut all connections, and abort new ones until `open`."""
        self._is_open = False
        self.cut()

    def open(self) -> None:
        """Accept connections again."""
        self._is_open = True
        self._is_mute = False

    def allow(self, allowances: Iterable[Allowance]) -> None:
        """Cut the next connections when they have used up these, one each, and none after them."""
        self._allowances = iter(allowances)

    def hold(self) -> None:
        """Cut no later connections."""
        self.allow(())

    def stall(self) -> None:
        """Stop reading from both sides, without closing."""
        for writer in self._writers:
            writer.transport.pause_reading()  # type: ignore[attr-defined]

    def go_on(self) -> None:
        """Read again from both sides."""
        for writer in self._writers:
            writer.transport.resume_reading()  # type: ignore[attr-defined]

    def mute(self) -> None:
        """Discard the server's bytes from now on, also on later connections."""
        self._is_mute = True

    def swallow_next(self) -> None:
        """Accept one connection without passing anything on."""
        self._is_next_swallowed = True

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._is_open:
            writer.transport.abort()
            return
        self.connections += 1
        if self._is_next_swallowed:
            self._is_next_swallowed = False
            await reader.read()
            writer.transport.abort()
            return
        allowance = next(self._allowances, Allowance())
        try:
            there_reader, there_writer = await self._connect()
        except ConnectionError:  # the server is down
            writer.transport.abort()
            return
        self._writers |= {writer, there_writer}
        try:
            # The side that ends first ends the other.
            async with asyncio.TaskGroup() as both:
                both.create_task(self._pass_on(reader, there_writer, "up", allowance.up))
                both.create_task(self._pass_on(there_reader, writer, "down", allowance.down))
        finally:
            self._writers -= {writer, there_writer}
            for end in (writer, there_writer):
                end.transport.abort()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if isinstance(self._place, Path):
            return await asyncio.open_unix_connection(self._place)
        return await asyncio.open_connection("127.0.0.1", self._place)

    async def _pass_on(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        way: Way,
        left: int | None,
    ) -> None:
        with suppress(ConnectionError):
            while left != 0 and (some := await reader.read(65_536)):
                if way == "down" and self._is_mute:
                    continue
                await asyncio.sleep(self._late_s())
                passed = some[:left]
                writer.write(passed)
                await writer.drain()
                self.carried[way] += len(passed)
                left = None if left is None else left - len(passed)
        self.used_up += left == 0
        writer.transport.abort()


@asynccontextmanager
async def cutting_proxy(
    server: int | Path,
    allowances: Iterable[Allowance] = (),
    late_s: Callable[[], float] = lambda: 0.0,
) -> AsyncIterator[CuttingProxy]:
    """Run a proxy to a port of this machine, or a socket file."""
    proxy = CuttingProxy(server, allowances, late_s)
    await proxy.start()
    try:
        yield proxy
    finally:
        await proxy.stop()
