"""A small HTTP proxy for CONNECT, which reaches every host on this machine."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class HttpProxy:
    """A proxy that passes bytes on both ways.

    Instead it sends `answer`, if that isn't None; an empty one is none at all.
    """

    def __init__(self, answer: bytes | None = None) -> None:
        self._answer = answer
        self.requests: list[str] = []
        """First lines and header fields of all requests, one string each."""
        self.port = 0
        """Port that it listens on."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection to its end."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.requests.append(head)
        try:
            if self._answer is None:
                await self._carry(head, reader, writer)
            elif self._answer:
                writer.write(self._answer)
            else:
                await reader.read()
        finally:
            writer.close()

    async def _carry(
        self, head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        method, target, _ = head.split(" ", 2)
        assert method == "CONNECT"
        port = int(target.rpartition(":")[2])
        try:
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            writer.write(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
            return
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await asyncio.gather(_pass_on(reader, there_writer), _pass_on(there_reader, writer))


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while some := await reader.read(65_536):
            writer.write(some)
            await writer.drain()
    writer.close()


@asynccontextmanager
async def http_proxy(
    answer: bytes | None = None, tls: ssl.SSLContext | None = None
) -> AsyncIterator[HttpProxy]:
    """Run a proxy on this machine."""
    proxy = HttpProxy(answer)
    async with await asyncio.start_server(proxy.serve, "127.0.0.1", 0, ssl=tls) as server:
        proxy.port = server.sockets[0].getsockname()[1]
        yield proxy
