"""Asks a server for the finished games that one took part in, without entering a room."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

from boxroom_client.link.conversation import Conversation
from boxroom_client.link.errors import Disconnected, Unreachable
from boxroom_client.link.sockets.web_socket import CLIENT, answering_within
from boxroom_client.profile.identity import Identity
from boxroom_client.servers.address import Address
from boxroom_engine.errors import BoxroomError
from boxroom_engine.wire.messages import (
    GameListed,
    GameRecord,
    Games,
    GetGame,
    ListGames,
    Refused,
)

LIMIT_S = 10.0
"""Time for the connection and all answers."""

AnswerT = TypeVar("AnswerT", Games, GameRecord)


class GamesRefused(BoxroomError):
    """The server refuses the request; the reason is a sentence for people."""


async def list_finished_games(address: Address, identity: Identity, most: int) -> list[GameListed]:
    """Return the finished games of `identity` on the server, the newest first, `most` at most.

    Raises:
        Unreachable: it doesn't answer, or isn't a Boxroom server.
        CommandRefused: it refuses this client, for example because of the name.
        GamesRefused: it refuses to list them, perhaps because it is too old to know the request.
    """
    games: dict[int, GameListed] = {}
    async with _conversation(address, identity) as conversation:
        after = ""
        while True:
            known = len(games)
            page = await _ask(conversation, ListGames(1, after), Games)
            games.update((game.game, game) for game in page.games)
            after = page.next
            if not after or not known < len(games) < most:
                return list(games.values())[:most]


async def get_finished_game(address: Address, identity: Identity, game: int) -> GameRecord:
    """Return the record of a finished game; see `list_finished_games`."""
    async with _conversation(address, identity) as conversation:
        return await _ask(conversation, GetGame(1, game), GameRecord)


@asynccontextmanager
async def _conversation(address: Address, identity: Identity) -> AsyncIterator[Conversation]:
    async with answering_within(LIMIT_S, address):
        conversation = await Conversation.open(address, identity, CLIENT)
        try:
            yield conversation
        except Disconnected as error:
            raise Unreachable(f"{address} doesn't list its games: {error}") from error
        finally:
            await conversation.close()


async def _ask(
    conversation: Conversation, request: ListGames | GetGame, kind: type[AnswerT]
) -> AnswerT:
    await conversation.send(request)
    while True:
        answer = await conversation.receive()
        if isinstance(answer, kind):
            return answer
        if isinstance(answer, Refused):
            if answer.code == "bad_message":
                raise GamesRefused("this server is too old to list finished games")
            raise GamesRefused(answer.message)
