"""A WebSocket client that only moves frames, so that a load costs little itself.

It is for loads in benchmarks only: it trusts the server, reads unfragmented frames and
doesn't answer closes.
"""

import asyncio
import os
import struct
from collections.abc import Callable
from typing import cast

OnMessage = Callable[[bytes], None]

TEXT, _PING, _PONG = 0x81, 0x89, 0x8A
_NO_MASK = b"\0\0\0\0"  # a mask of zeros is a mask (RFC 6455, section 5.3)


def frame(kind: int, payload: bytes) -> bytes:
    """Return a client's unfragmented frame with a payload of less than 64 KiB."""
    length = len(payload)
    if length < 126:
        header = struct.pack("!BB", kind, 0x80 | length)
    else:
        header = struct.pack("!BBH", kind, 0x80 | 126, length)
    return header + _NO_MASK + payload


class RawWebSocket(asyncio.Protocol):
    """One connection; `on_message` is called with the payload of each message."""

    def __init__(self, path: str = "/") -> None:
        self._path = path
        self.on_message: OnMessage = lambda _: None
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._buffer = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are no subclass of asyncio's
        self._transport = opened = cast(asyncio.Transport, transport)
        key = os.urandom(16).hex()[:22] + "=="
        opened.write(
            f"GET {self._path} HTTP/1.1\r\n".encode() + b"Host: localhost\r\nUpgrade: websocket\r\n"
            b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            b"Sec-WebSocket-Key: " + key.encode() + b"\r\n\r\n"
        )

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self.opened.done():
            head, found, rest = self._buffer.partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head.partition(b"\r\n")[0]:
                self.opened.set_exception(ConnectionError(head.decode(errors="replace")))
                return
            self._buffer = rest
            self.opened.set_result(None)
        self._read_frames()

    def _read_frames(self) -> None:
        buffer, start = self._buffer, 0
        while len(buffer) - start >= 2:
            length, payload = buffer[start + 1], start + 2
            if length == 126:
                if len(buffer) - start < 4:
                    break
                (length,) = struct.unpack_from("!H", buffer, start + 2)
                payload = start + 4
            elif length == 127:
                if len(buffer) - start < 10:
                    break
                (length,) = struct.unpack_from("!Q", buffer, start + 2)
                payload = start + 10
            if len(buffer) < payload + length:
                break
            if buffer[start] == TEXT:
                self.on_message(buffer[payload : payload + length])
            elif buffer[start] == _PING:
                self.write(frame(_PONG, buffer[payload : payload + length]))
            start = payload + length
        self._buffer = buffer[start:]

    def send(self, message: bytes) -> None:
        """Send a text message of less than 64 KiB."""
        self.write(frame(TEXT, message))

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed.set_result(None)

    def write(self, data: bytes) -> None:
        """Send bytes as they are."""
        assert self._transport is not None
        self._transport.write(data)

    def close(self) -> None:
        """Cut the connection."""
        if self._transport is not None:
            self._transport.abort()


async def connect(port: int, address: str = "127.0.0.1", path: str = "/") -> RawWebSocket:
    """Return an open connection, from `address`, to a server on this machine."""
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(
        lambda: RawWebSocket(path), "127.0.0.1", port, local_addr=(address, 0)
    )
    await socket.opened
    return socket
