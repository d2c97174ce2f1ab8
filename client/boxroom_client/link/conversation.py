"""A conversation with a server, from the greeting to its end, and the requests outside of rooms."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Self, TypeVar

from boxroom_client.link.errors import Disconnected, Unreachable
from boxroom_client.link.greeting import greet, greet_as
from boxroom_client.link.pending_commands import TOO_FAST, said_by
from boxroom_client.link.sockets.web_socket import CLIENT, WebSocket, answering_within
from boxroom_client.profile.identity import Identity
from boxroom_client.servers.address import Address
from boxroom_common.phrases import say
from boxroom_engine.phrases import Phrase, phrase
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.wire.codec import encode
from boxroom_engine.wire.messages import (
    ClientMessage,
    GameListed,
    GameRecord,
    Games,
    GetGame,
    ListGames,
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

LIMIT_S = 10.0
"""Time for the connection and all answers outside of rooms."""

_FOR_NOW = (TOO_FAST, "cannot_save")
"""Codes of refusals that may be over at the next attempt."""

AnswerT = TypeVar("AnswerT", Rooms, Games, GameRecord)


def error_for(refused: Refused) -> CommandRefused | Unreachable:
    """Return the error to raise: `Unreachable` if a later attempt may succeed."""
    if refused.code in _FOR_NOW:
        return Unreachable(str(said_by(refused)))
    return CommandRefused(refused.code, said_by(refused))


class Conversation:
    """A connection after hello and welcome; `open` makes one."""

    def __init__(self, web_socket: WebSocket, welcome: Welcome) -> None:
        self._web_socket = web_socket
        self.welcome = welcome

    @classmethod
    async def open(
        cls, address: Address, identity: Identity, client: str, name: str | None = None
    ) -> Self:
        """Connect and say hello, maybe under another name. The caller limits the time.

        Raises:
            Unreachable: there is no Boxroom server at `address`, or it is too busy now.
            CommandRefused: it refuses this client, for example because of the name.
        """
        web_socket = await WebSocket.open(address, client)
        try:
            if name is None:
                return cls(web_socket, await greet(web_socket, address, identity, client))
            return cls(web_socket, await greet_as(web_socket, address, identity, name, client))
        except BaseException:
            await web_socket.close()
            raise

    async def send(self, message: ClientMessage) -> None:
        await self._web_socket.send(message)

    def why_too_long(self, message: ClientMessage) -> Phrase | None:
        """Return why the server would hang up at `message`; None if it takes that length."""
        most, size = self.welcome.message_bytes, len(encode(message))
        if size <= most:
            return None
        return phrase("refusal.too_long.message", n=size, most=most)

    async def receive(self) -> ServerMessage:
        return await self._web_socket.receive()

    async def ask(self, request: ClientMessage, kind: type[AnswerT]) -> AnswerT:
        """Send `request`, outside of rooms, and return its answer; or raise `error_for` it."""
        await self.send(request)
        while True:
            answer = await self.receive()
            if isinstance(answer, kind):
                return answer
            if isinstance(answer, Refused):
                raise error_for(answer)

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
    address: Address, identity: Identity, *, limit_s: float = LIMIT_S
) -> tuple[RoomListed, ...]:
    """Ask the server at `address` for its open rooms, without entering one.

    Raises:
        Unreachable: it doesn't answer, is too busy now, or isn't a Boxroom server.
        CommandRefused: it refuses this client, for example because of the name, or the request.
    """
    async with _conversation(address, identity, limit_s) as conversation:
        return await all_pages(lambda after: conversation.ask(ListRooms(1, after), Rooms))


async def look_at_room(address: Address, identity: Identity, room: str) -> RoomListed:
    """Ask for the entry of `room` in the list of rooms, also if that omits it; see `list_rooms`."""
    async with _conversation(address, identity) as conversation:
        (listed,) = (await conversation.ask(LookAtRoom(1, room), Rooms)).rooms
        return listed


async def list_finished_games(address: Address, identity: Identity, most: int) -> list[GameListed]:
    """Ask for the finished games that `identity` took part in, the newest first, `most` at most.

    See `list_rooms` for the errors.
    """
    games: dict[int, GameListed] = {}
    async with _conversation(address, identity) as conversation:
        after = ""
        while True:
            known = len(games)
            page = await conversation.ask(ListGames(1, after), Games)
            games.update((game.game, game) for game in page.games)
            after = page.next
            if not after or not known < len(games) < most:
                return list(games.values())[:most]


async def get_finished_game(address: Address, identity: Identity, game: int) -> GameRecord:
    """Ask for the record of a finished game; see `list_finished_games`."""
    async with _conversation(address, identity) as conversation:
        return await conversation.ask(GetGame(1, game), GameRecord)


@asynccontextmanager
async def _conversation(
    address: Address, identity: Identity, limit_s: float = LIMIT_S
) -> AsyncIterator[Conversation]:
    async with answering_within(limit_s, address):
        conversation = await Conversation.open(address, identity, CLIENT)
        try:
            yield conversation
        except Disconnected as error:
            raise Unreachable(
                say("terminal.link.no_answer_because", address=str(address), error=str(error))
            ) from error
        finally:
            await conversation.close()
