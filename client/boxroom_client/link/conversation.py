"""A conversation with a server, from the greeting to its end, and the requests outside of rooms."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Self

from boxroom_client.link.errors import Disconnected, Unreachable
from boxroom_client.link.greeting import greet
from boxroom_client.link.sockets.web_socket import CLIENT, WebSocket, answering_within
from boxroom_client.profile.identity import Identity
from boxroom_client.servers.address import Address
from boxroom_engine.wire.codec import encode
from boxroom_engine.wire.messages import (
    ClientMessage,
    ListRooms,
    LookAtRoom,
    Refused,
    RoomListed,
    Rooms,
    ServerMessage,
    Welcome,
)

MOST_ROOMS = 200
"""Rooms of a server that are asked for: more than fit on any screen."""


class Conversation:
    """A connection after hello and welcome; `open` makes one."""

    def __init__(self, web_socket: WebSocket, welcome: Welcome) -> None:
        self._web_socket = web_socket
        self.welcome = welcome

    @classmethod
    async def open(cls, address: Address, identity: Identity, client: str) -> Self:
        """Connect and say hello. The caller limits the time.

        Raises:
            Unreachable: there is no Boxroom server at `address`, or it is too busy now.
            CommandRefused: it refuses this client, for example because of the name.
        """
        web_socket = await WebSocket.open(address, client)
        try:
            return cls(web_socket, await greet(web_socket, address, identity, client))
        except BaseException:
            await web_socket.close()
            raise

    async def send(self, message: ClientMessage) -> None:
        await self._web_socket.send(message)

    def why_too_long(self, message: ClientMessage) -> str | None:
        """Return why the server would hang up at `message`; None if it takes that length."""
        most, size = self.welcome.message_bytes, len(encode(message))
        if size <= most:
            return None
        return f"that has {size:,} bytes, and the server takes {most:,} at once"

    async def receive(self) -> ServerMessage:
        return await self._web_socket.receive()

    async def ping(self) -> asyncio.Future[None]:
        return await self._web_socket.ping()

    def abort(self) -> None:
        self._web_socket.abort()

    async def close(self) -> None:
        await self._web_socket.close()


async def all_pages(ask: Callable[[str], Awaitable[Rooms]]) -> tuple[RoomListed, ...]:
    """Return the rooms of all pages, at most about `MOST_ROOMS`; `ask` takes the `after` of one."""
    rooms: dict[str, RoomListed] = {}  # by code: a room may move while pages are asked for
    after = ""
    while True:
        known = len(rooms)
        page = await ask(after)
        rooms.update((room.room, room) for room in page.rooms)
        after = page.next
        if not after or not known < len(rooms) < MOST_ROOMS:
            return tuple(rooms.values())


async def list_rooms(
    address: Address, identity: Identity, *, client: str = CLIENT, limit_s: float = 10.0
) -> tuple[RoomListed, ...]:
    """Ask the server at `address` for its open rooms, without entering one.

    Raises:
        Unreachable: it doesn't answer, or isn't a Boxroom server.
        CommandRefused: it refuses this client, for example because of the name.
    """
    async with _asking(address, identity, client, limit_s) as ask:
        return await all_pages(lambda after: ask(ListRooms(1, after)))


async def look_at_room(address: Address, identity: Identity, room: str) -> RoomListed:
    """Ask for the entry of `room` in the list of rooms, also if that omits it; see `list_rooms`."""
    async with _asking(address, identity, CLIENT, limit_s=10.0) as ask:
        (listed,) = (await ask(LookAtRoom(1, room))).rooms
        return listed


@asynccontextmanager
async def _asking(
    address: Address, identity: Identity, client: str, limit_s: float
) -> AsyncIterator[Callable[[ListRooms | LookAtRoom], Awaitable[Rooms]]]:
    async with answering_within(limit_s, address):
        conversation = await Conversation.open(address, identity, client)

        async def ask(request: ListRooms | LookAtRoom) -> Rooms:
            await conversation.send(request)
            while True:
                answer = await conversation.receive()
                if isinstance(answer, Rooms):
                    return answer
                if isinstance(answer, Refused):
                    raise Unreachable(f"{address} doesn't list its rooms: {answer.message}")

        try:
            yield ask
        except Disconnected as error:
            raise Unreachable(f"{address} doesn't list its rooms: {error}") from error
        finally:
            await conversation.close()
