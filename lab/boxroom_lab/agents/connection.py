"""The connection to an agent, used for one game."""

import asyncio
from contextlib import suppress
from typing import Self

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from boxroom_client.link.errors import Disconnected, Unreachable
from boxroom_client.link.sockets.proxies import by_proxy, open_socket
from boxroom_client.servers.address import Address
from boxroom_lab.agents.messages import GameMessage, encode

OPEN_S = 10.0
"""Time limit for the opening handshake."""

_CLOSE_S = 1.0
_MOST_BYTES = 2**16
_MOST_UNREAD = 1000


class AgentConnection:
    """A connection to an agent; `open` makes one.

    It sends no pings, because an agent that computes doesn't answer them.
    """

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        # Unread messages; None after the last one, when the connection is closed.
        self._received: asyncio.Queue[str | bytes | None] = asyncio.Queue(_MOST_UNREAD)
        # Moves messages from the socket to the queue.
        self._receiving = asyncio.create_task(self._receive_all(), name="agent")

    @classmethod
    async def open(cls, address: Address) -> Self:
        """Connect to the agent at `address`.

        Raises:
            Unreachable: no agent answers there.
        """
        try:
            connection = await open_socket(
                address,
                compression=None,
                max_size=_MOST_BYTES,
                open_timeout=OPEN_S,
                close_timeout=_CLOSE_S,
                ping_interval=None,
            )
        except Unreachable:  # an OSError, too: it is about a proxy
            raise
        except TimeoutError:
            reason = f"no agent answers at {address.url} within {OPEN_S:g} s{by_proxy(address)}"
            raise Unreachable(reason) from None
        except (OSError, EOFError) as error:
            reason = f"no agent answers at {address.url}: is it running there? ({error})"
            raise Unreachable(reason + by_proxy(address)) from error
        except (InvalidHandshake, InvalidURI) as error:
            raise Unreachable(f"what answers at {address.url} is no agent: {error}") from error
        return cls(connection)

    async def send(self, message: GameMessage) -> None:
        """Send `message`, and discard earlier messages of the agent, which can't answer it.

        Raises:
            Disconnected: the agent has closed the connection.
        """
        while not self._received.empty():
            if self._received.get_nowait() is None:
                raise Disconnected(_close_text(self._connection))
        try:
            await self._connection.send(encode(message))
        except ConnectionClosed as error:
            raise Disconnected(_close_text(self._connection)) from error

    async def receive(self, timeout_s: float) -> str | bytes:
        """Return the agent's next message.

        Raises:
            TimeoutError: there is none within `timeout_s`.
            Disconnected: the agent has closed the connection.
        """
        async with asyncio.timeout(timeout_s):
            message = await self._received.get()
        if message is None:
            raise Disconnected(_close_text(self._connection))
        return message

    async def close(self) -> None:
        """Close the connection, unless it is closed."""
        self._receiving.cancel()
        await self._connection.close()

    async def _receive_all(self) -> None:
        with suppress(ConnectionClosed):
            while True:
                await self._received.put(await self._connection.recv())
        await self._received.put(None)


def _close_text(connection: ClientConnection) -> str:
    reason = f" ({connection.close_reason})" if connection.close_reason else ""
    return f"it closed the connection{reason}"
