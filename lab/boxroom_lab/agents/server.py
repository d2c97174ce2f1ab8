"""A server that offers a bot or robot as an agent.

Every connection has a process of its own while it lasts. One more process is kept ready, because
starting one takes longer than many servers wait for a move.
"""

import asyncio
import http
import socket
from collections.abc import Collection
from contextlib import suppress
from typing import Self, assert_never

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.http11 import Request, Response

from boxroom_client.linemode.printer import Printer
from boxroom_client.shell.output.wording import sentence
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.registry import DEFAULT
from boxroom_engine.room.text import clean
from boxroom_engine.wire.origins import LOCAL_NAMES, is_trusted_host
from boxroom_lab.agents.messages import (
    ActionMessage,
    AnswerMessage,
    EndMessage,
    GameName,
    InvalidMessage,
    StartMessage,
    decode_game_message,
    encode,
)
from boxroom_lab.agents.received_game import ReceivedGame
from boxroom_lab.robots.file import RobotLoadError
from boxroom_lab.robots.process import RobotFailed, RobotProcess

MOST_CONNECTIONS = 16
"""Largest number of connections at once, each with a process of its own."""

_THINKING_PART = 0.8
"""The part of a time limit in which a bot thinks; the rest is for the network."""

_AS_NUMBERS = socket.NI_NUMERICHOST | socket.NI_NUMERICSERV
_MOST_BYTES = 2**16
_MOST_GAMES = 4
_MOST_SHOWN = 40
_MOST_REPORTED = 10


class AgentServer:
    """A server for `player`, a bot or robot, on `host` and `port`; 0 is any free port.

    It listens while its context lasts, for at most `most` connections at once, and reports events
    on `page`. Of web pages, those of `origins` may connect.
    """

    def __init__(
        self,
        player: str,
        host: str,
        port: int,
        page: Printer,
        *,
        origins: Collection[str] = (),
        most: int = MOST_CONNECTIONS,
    ) -> None:
        self._processes = _Processes(player)
        self._host = host
        self._port = port
        self._page = page
        self._origins = origins
        self._most = most
        # Origins and hosts that were refused and reported.
        self._reported: set[str] = set()
        # None until the context is entered.
        self._server: Server | None = None

    async def __aenter__(self) -> Self:
        """Load the player, and start to listen.

        Raises:
            RobotLoadError: there is no such player, or it doesn't play Dots and Boxes.
            OSError: the address can't be bound.
        """
        await self._processes.prepare()
        try:
            self._server = await serve(
                self._handle_connection,
                self._host,
                self._port,
                compression=None,
                max_size=_MOST_BYTES,
                process_request=self._refuse,
            )
        except BaseException:
            await self._processes.end()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close every connection, and end every process."""
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()
        await self._processes.end()

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return self._bound_to[1]

    @property
    def host(self) -> str:
        """IP address by which this machine reaches it."""
        host = self._bound_to[0]
        return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)

    @property
    def _bound_to(self) -> tuple[str, int]:
        """Address and port of its first socket."""
        assert self._server is not None
        first = next(iter(self._server.sockets))
        host, port = socket.getnameinfo(first.getsockname(), _AS_NUMBERS)
        return host, int(port)

    def _refuse(self, connection: ServerConnection, request: Request) -> Response | None:
        """Return the response to a request that mustn't open a connection, else None.

        A browser lets any page open a WebSocket to any address, and names the page's origin. The
        host is one that a page's author can't let point to this machine (DNS rebinding).
        """
        for origin in request.headers.get_all("Origin"):
            if origin.lower() not in self._origins:
                text = f"pages of {origin} may not connect: --origins lists those that may"
                return self._refusal(connection, origin, text)
        own_names = {self._host.lower(), socket.gethostname().lower(), LOCAL_NAMES}
        for host in request.headers.get_all("Host"):
            if not is_trusted_host(host, own_names):
                text = f"{host} may not be the name of this agent: connect to its IP address"
                return self._refusal(connection, host, text)
        return None

    def _refusal(self, connection: ServerConnection, sent: str, text: str) -> Response:
        """Return a refusal, and report it, but not whatever a page sends again and again."""
        if sent not in self._reported and len(self._reported) < _MOST_REPORTED:
            self._reported.add(sent)
            self._page.say([f"A connection was refused: {clean(text)[:200]}."])
        return connection.respond(http.HTTPStatus.FORBIDDEN, f"{text}\n")

    async def _handle_connection(self, connection: ServerConnection) -> None:
        assert self._server is not None
        if len(self._server.connections) > self._most:
            await connection.close(CloseCode.TRY_AGAIN_LATER, "too many games at once")
            return
        process = await self._processes.take()
        handler = ConnectionHandler(process, self._page)
        try:
            async for text in connection:
                answer = await handler.handle(text)
                if answer is not None:
                    await connection.send(encode(answer))
        except ConnectionClosed:
            pass  # the client has gone
        finally:
            self._processes.give_back(process)


class ConnectionHandler:
    """The protocol's state on one connection: its games, usually one."""

    def __init__(self, process: RobotProcess, page: Printer) -> None:
        self._process = process
        self._page = page
        # Unfinished games, the oldest first.
        self._games: dict[GameName, ReceivedGame] = {}

    async def handle(self, text: str | bytes) -> AnswerMessage | None:
        """Return the answer to `text`, if any; an invalid message is reported and ignored."""
        try:
            message = decode_game_message(text)
        except InvalidMessage as error:
            self._page.say([f"This is no message of an agents' server: {clean(str(error))}."])
            return None
        name = _name_text(message.game)
        match message:
            case StartMessage(player=player):
                if not self._begin(message):
                    return None
                self._page.say([f"Game {name} begins, as player {player}."])
                return await self._answer(message.game, 1) if player == 1 else None
            case ActionMessage(nextplayer=next_player):
                if message.game not in self._games:
                    self._page.say([f"Game {name} hasn't begun here, and gets no answer."])
                    return None
                self._games[message.game].apply(message)
                return await self._answer(message.game, next_player)
            case EndMessage(winner=winner):
                self._games.pop(message.game, None)
                self._page.say([f"Game {name} is over: {_result_text(winner)}."])
                return None
            case _:
                assert_never(message)

    def _begin(self, start: StartMessage) -> bool:
        """Begin a game, or add a player to it; whether the player can play it."""
        if start.game in self._games:
            self._games[start.game].add_player(start)
            return True
        try:
            self._games[start.game] = ReceivedGame(start)
        except OptionError as error:
            self._page.say([f"Game {_name_text(start.game)} can't be played: {error}."])
            return False
        if len(self._games) > _MOST_GAMES:
            del self._games[next(iter(self._games))]  # the oldest, whose end never came
        return True

    async def _answer(self, name: GameName, next_player: int | None) -> AnswerMessage | None:
        """Return the player's line if it is asked for one; None if it isn't, or fails."""
        game = self._games[name]
        if not game.is_asked(next_player):
            return None
        limit_s = game.limit_s * _THINKING_PART
        try:
            move = await asyncio.to_thread(self._process.choose, game.position, limit_s)
        except RobotFailed as failed:
            self._page.say(
                [sentence(str(failed)), f"Game {_name_text(name)} gets no answer to that."]
            )
            return None
        return game.answer(move)


class _Processes:
    """The processes of one player; one more than is in use is ready or being loaded."""

    def __init__(self, player: str) -> None:
        self._player = player
        # Loaded processes that no connection uses.
        self._idle: list[RobotProcess] = []
        # The process that is ready or being loaded; None until `prepare`.
        self._next: asyncio.Task[RobotProcess] | None = None

    async def prepare(self) -> None:
        """Load the first process.

        Raises:
            RobotLoadError: there is no such player, or it doesn't play Dots and Boxes.
        """
        self._next = asyncio.create_task(self._loaded())
        await self._next

    async def take(self) -> RobotProcess:
        """Return a loaded process for one connection."""
        if self._idle:
            return self._idle.pop()
        taken, self._next = self._next, asyncio.create_task(self._loaded())
        assert taken is not None
        return await taken

    def give_back(self, process: RobotProcess) -> None:
        """Return a process that was taken."""
        self._idle.append(process)

    async def end(self) -> None:
        """End all processes that aren't in use."""
        for process in self._idle:
            process.end()
        if self._next is not None:
            with suppress(RobotLoadError):
                (await self._next).end()

    async def _loaded(self) -> RobotProcess:
        process = RobotProcess(self._player, DEFAULT.make({}, 2))
        await asyncio.to_thread(process.load)
        return process


def _name_text(name: GameName) -> str:
    return clean(str(name))[:_MOST_SHOWN]


def _result_text(winner: int | None) -> str:
    match winner:
        case None:
            return "the server names no winner"
        case 0:
            return "a draw"
        case _:
            return f"player {winner} has won"
