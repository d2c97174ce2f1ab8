"""A TCP proxy before a server, as if that were far away: it delays, and counts handshakes.

A round trip passes before a client's first bytes count as sent, for the handshake of TCP, and half
of one before bytes arrive, either way. There is no loss, no limit of bandwidth and no slow start:
what passes in one direction arrives in order, and all of it as late.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

Late = asyncio.Queue[tuple[float, bytes]]
"""Bytes on their way, each with the time of its arrival by the event loop; b"" is their end."""


class FarServer:
    """The proxy, at `port`, of a server at another port of this machine."""

    def __init__(self, server_port: int, round_trip_s: float) -> None:
        self._server_port = server_port
        self.round_trip_s = round_trip_s
        """Time of a round trip, of connections that are opened from then on."""
        self.handshakes = 0
        """TCP handshakes so far."""
        self.port = 0
        """Port that clients connect to."""
        self._carrying: set[asyncio.Task[None]] = set()

    def accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection to its end."""
        self.handshakes += 1
        task = asyncio.create_task(self._carry(reader, writer))
        self._carrying.add(task)
        task.add_done_callback(self._carrying.discard)

    async def stop(self) -> None:
        """Cut all connections."""
        for task in self._carrying:
            task.cancel()
        await asyncio.gather(*self._carrying, return_exceptions=True)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        open_s = asyncio.get_running_loop().time() + self.round_trip_s
        half_s = self.round_trip_s / 2
        ends = [writer]
        try:
            there, there_writer = await asyncio.open_connection("127.0.0.1", self._server_port)
            ends.append(there_writer)
            async with asyncio.TaskGroup() as ways:
                ways.create_task(carry(reader, there_writer, half_s, open_s))
                ways.create_task(carry(there, writer, half_s, 0.0))
        except OSError:  # the server has gone
            pass
        finally:
            for end in ends:
                end.transport.abort()


async def carry(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, late_s: float, open_s: float
) -> None:
    """Pass on what one side sends, `late_s` after it came and after the time `open_s`."""
    on_the_way: Late = asyncio.Queue()
    async with asyncio.TaskGroup() as both:
        both.create_task(_receive(reader, on_the_way, late_s, open_s))
        both.create_task(_deliver(on_the_way, writer))


async def _receive(
    reader: asyncio.StreamReader, on_the_way: Late, late_s: float, open_s: float
) -> None:
    some = b"the first"
    while some:
        try:
            some = await reader.read(65_536)
        except OSError:
            some = b""
        now_s = asyncio.get_running_loop().time()
        on_the_way.put_nowait((max(now_s, open_s) + late_s, some))


async def _deliver(on_the_way: Late, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):  # one side has gone
        while True:
            due_s, some = await on_the_way.get()
            await asyncio.sleep(due_s - asyncio.get_running_loop().time())
            if not some:
                writer.write_eof()
                return
            writer.write(some)
            await writer.drain()


@asynccontextmanager
async def far_server(server_port: int, round_trip_s: float) -> AsyncIterator[FarServer]:
    """Run a proxy before the server at `server_port`."""
    far = FarServer(server_port, round_trip_s)
    listening = await asyncio.start_server(far.accepted, "127.0.0.1", 0)
    far.port = listening.sockets[0].getsockname()[1]
    try:
        yield far
    finally:
        listening.close()
        await far.stop()
