"""The connection to an agent, over which one game is played."""

import asyncio
from contextlib import suppress
from typing import Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from boxroom_client.agents.messages import News, encode
from boxroom_client.link.errors import Disconnected, Unreachable
from boxroom_client.servers.address import Address

OPEN_S = 10.0
"""Seconds that an agent has to let us in."""

_CLOSE_S = 1.0
_MOST_BYTES = 2**16
_MOST_UNREAD = 1000


class AgentLink:
    """A connection to an agent; `open` makes one.

    Agents that compute don't answer pings meanwhile, so none are sent.
    """

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._heard: asyncio.Queue[str | bytes | None] = asyncio.Queue(_MOST_UNREAD)
        self._listening = asyncio.create_task(self._listen(), name="agent")

    @classmethod
    async def open(cls, address: Address) -> Self:
        """Connect to the agent at `address`.

        Raises:
            Unreachable: there is none.
        """
        try:
            connection = await connect(
                address.url,
                compression=None,
                max_size=_MOST_BYTES,
                open_timeout=OPEN_S,
                close_timeout=_CLOSE_S,
                ping_interval=None,
                proxy=None,
            )
        except TimeoutError:
            raise Unreachable(f"no agent answers at {address.url} within {OPEN_S:g} s") from None
        except (OSError, EOFError) as error:
            raise Unreachable(
                f"no agent answers at {address.url}: is it running there? ({error})"
            ) from error
        except (InvalidHandshake, InvalidURI) as error:
            raise Unreachable(f"what answers at {address.url} is no agent: {error}") from error
        return cls(connection)

    async def tell(self, news: News) -> None:
        """Send `news`; whatever the agent has said before is no answer to it.

        Raises:
            Disconnected: the agent has closed the connection.
        """
        while not self._heard.empty():
            if self._heard.get_nowait() is None:
                raise Disconnected(_why_closed(self._connection))
        try:
            await self._connection.send(encode(news))
        except ConnectionClosed as error:
            raise Disconnected(_why_closed(self._connection)) from error

    async def answer(self, limit_s: float) -> str | bytes:
        """What the agent says next.

        Raises:
            TimeoutError: nothing, for so many seconds.
            Disconnected: it closes the connection.
        """
        async with asyncio.timeout(limit_s):
            heard = await self._heard.get()
        if heard is None:
            raise Disconnected(_why_closed(self._connection))
        return heard

    async def close(self) -> None:
        """End it; it may have ended already."""
        self._listening.cancel()
        await self._connection.close()

    async def _listen(self) -> None:
        with suppress(ConnectionClosed):
            while True:
                await self._heard.put(await self._connection.recv())
        await self._heard.put(None)


def _why_closed(connection: ClientConnection) -> str:
    reason = f" ({connection.close_reason})" if connection.close_reason else ""
    return f"it closed the connection{reason}"
