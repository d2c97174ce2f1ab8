"""A misbehaving client: a bare socket that reads only when the test says so."""

import asyncio
import json
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.server.talk import LIMIT_S, Message, secret_of
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

RECEIVE_BYTES = 4096
"""Receive buffer of its socket; more than that has to wait in the server."""


class BadPeer:
    """One connection, from the TCP handshake on."""

    def __init__(self, connected: socket.socket, port: int) -> None:
        self._socket = connected
        self._protocol = ClientProtocol(parse_uri(f"ws://127.0.0.1:{port}"), max_size=None)
        self._loop = asyncio.get_running_loop()

    async def open(self, name: str) -> None:
        """Shake hands, and greet as `name`."""
        self._protocol.send_request(self._protocol.connect())
        await self._flush()
        hello = {"type": "hello", "protocol": 1, "name": name, "secret": secret_of(name)}
        while self._protocol.handshake_exc is None and self._protocol.state.name != "OPEN":
            await self._receive()
        await self.say(**hello)
        await self.hear("welcome")

    async def say(self, **message: Any) -> None:
        """Send a message."""
        self._protocol.send_text(json.dumps(message).encode())
        await self._flush()

    async def send_raw(self, data: bytes) -> None:
        """Send any bytes."""
        async with asyncio.timeout(LIMIT_S):
            await self._loop.sock_sendall(self._socket, data)

    async def hear(self, kind: str) -> Message:
        """Read until a message of that type, and return it."""
        while True:
            for message in await self._messages():
                if message["type"] == kind:
                    return message
            await self._receive()

    async def hear_something(self) -> None:
        """Read once; `close_code` may be set then."""
        assert await self._receive(), "the connection was closed"

    async def hear_line(self) -> str:
        """Read an HTTP response and return its first line."""
        heard = b""
        while b"\r\n" not in heard:
            async with asyncio.timeout(LIMIT_S):
                data = await self._loop.sock_recv(self._socket, 65_536)
            assert data, "the connection was closed"
            heard += data
        return heard.partition(b"\r\n")[0].decode()

    async def hear_head(self) -> str:
        """Read an HTTP response without a body, and return its first line."""
        heard = b""
        while not heard.endswith(b"\r\n\r\n"):
            async with asyncio.timeout(LIMIT_S):
                data = await self._loop.sock_recv(self._socket, 65_536)
            assert data, "the connection was closed"
            heard += data
        return heard.partition(b"\r\n")[0].decode()

    async def hear_bytes(self) -> bytes:
        """Read until the connection is closed, and return all that came."""
        heard = b""
        async with asyncio.timeout(LIMIT_S):
            while data := await self._loop.sock_recv(self._socket, 65_536):
                heard += data
        return heard

    async def hear_all(self) -> list[Message]:
        """Read until the connection is closed or lost, and return all messages."""
        heard: list[Message] = []
        try:
            while await self._receive():
                heard += await self._messages()
        except ConnectionError:
            pass
        return heard

    @property
    def close_code(self) -> int | None:
        """Close code that was received, if any."""
        return None if self._protocol.close_rcvd is None else self._protocol.close_rcvd.code

    def reset(self) -> None:
        """Abort the connection with a TCP reset."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._socket.close()

    async def _messages(self) -> list[Message]:
        events = self._protocol.events_received()
        await self._flush()
        return [
            json.loads(bytes(event.data))
            for event in events
            if isinstance(event, Frame) and event.opcode is Opcode.TEXT
        ]

    async def _receive(self) -> bool:
        async with asyncio.timeout(LIMIT_S):
            data = await self._loop.sock_recv(self._socket, 65_536)
        if data:
            self._protocol.receive_data(data)
        return bool(data)

    async def _flush(self) -> None:
        for data in self._protocol.data_to_send():
            if data:
                await self.send_raw(data)


@asynccontextmanager
async def bad_peer(port: int) -> AsyncIterator[BadPeer]:
    """Connect and send nothing yet."""
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BYTES)
        one.setblocking(False)
        await asyncio.get_running_loop().sock_connect(one, ("127.0.0.1", port))
        yield BadPeer(one, port)
