"""A bot or robot that listens for games as an agent does.

Every connection has a process to itself while it lasts, and one more is kept ready, because to
start one takes longer than many servers wait for a move.
"""

import asyncio
from contextlib import suppress
from types import TracebackType
from typing import Self, assert_never

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from boxroom_client.agents.heard import HeardGame
from boxroom_client.agents.messages import (
    Action,
    Answer,
    End,
    GameName,
    NoMessage,
    Start,
    decode_news,
    encode,
)
from boxroom_client.linemode.printer import Printer
from boxroom_client.robots.file import CantLoad
from boxroom_client.robots.process import RobotFailed, RobotProcess
from boxroom_client.shell.output.wording import sentence
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.registry import DEFAULT
from boxroom_engine.room.text import clean

MOST_CONNECTIONS = 16
"""So many at once, each with a process of its own."""

_THINKING = 0.8
"""The part of a time limit in which a bot thinks; the rest is for the way there and back."""

_MOST_BYTES = 2**16
_MOST_GAMES = 4
_MOST_SHOWN = 40


class AgentServer:
    """Offers the bot or robot `player` as an agent on `host` and `port`; 0 is any free port.

    A context, in which it listens, for so many connections at once. `page` says what happens.
    """

    def __init__(
        self, player: str, host: str, port: int, page: Printer, most: int = MOST_CONNECTIONS
    ) -> None:
        self._processes = _Processes(player)
        self._host = host
        self._port = port
        self._page = page
        self._most = most
        self._server: Server | None = None

    async def __aenter__(self) -> Self:
        """Listen.

        Raises:
            CantLoad: there is no such player, or it doesn't play Dots and Boxes.
            OSError: nobody can listen there.
        """
        await self._processes.prepare()
        try:
            self._server = await serve(
                self._talk, self._host, self._port, compression=None, max_size=_MOST_BYTES
            )
        except BaseException:
            await self._processes.end()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close every connection, and end every process."""
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()
        await self._processes.end()

    @property
    def port(self) -> int:
        """The port on which it listens."""
        assert self._server is not None
        port: int = next(iter(self._server.sockets)).getsockname()[1]
        return port

    async def _talk(self, connection: ServerConnection) -> None:
        assert self._server is not None
        if len(self._server.connections) > self._most:
            await connection.close(CloseCode.TRY_AGAIN_LATER, "too many games at once")
            return
        process = await self._processes.take()
        talk = Talk(process, self._page)
        try:
            async for text in connection:
                answer = await talk.hear(text)
                if answer is not None:
                    await connection.send(encode(answer))
        except ConnectionClosed:
            pass  # whoever is away has no more to say
        finally:
            self._processes.give_back(process)


class Talk:
    """What is said over one connection, mostly about one game."""

    def __init__(self, process: RobotProcess, page: Printer) -> None:
        self._process = process
        self._page = page
        self._games: dict[GameName, HeardGame] = {}

    async def hear(self, text: str | bytes) -> Answer | None:
        """What is to be answered to `text`, if anything; what is no message is let pass."""
        try:
            news = decode_news(text)
        except NoMessage as error:
            self._page.say([f"This is no message of an agents' server: {clean(str(error))}."])
            return None
        name = _shown(news.game)
        match news:
            case Start(player=player):
                if not self._begin(news):
                    return None
                self._page.say([f"Game {name} begins, as player {player}."])
                return await self._asked(news.game, 1) if player == 1 else None
            case Action(nextplayer=next_player):
                if news.game not in self._games:
                    self._page.say([f"Game {name} hasn't begun here, and gets no answer."])
                    return None
                self._games[news.game].hear(news)
                return await self._asked(news.game, next_player)
            case End(winner=winner):
                self._games.pop(news.game, None)
                self._page.say([f"Game {name} is over: {_ending(winner)}."])
                return None
            case _:
                assert_never(news)

    def _begin(self, start: Start) -> bool:
        """Whether we play in the game that begins."""
        if start.game in self._games:
            self._games[start.game].also_plays(start)
            return True
        try:
            self._games[start.game] = HeardGame(start)
        except OptionError as error:
            self._page.say([f"Game {_shown(start.game)} can't be played: {error}."])
            return False
        if len(self._games) > _MOST_GAMES:
            del self._games[next(iter(self._games))]  # the oldest, of which no end has been told
        return True

    async def _asked(self, name: GameName, next_player: int | None) -> Answer | None:
        """Our line, if it is our turn and there is one."""
        game = self._games[name]
        if not game.is_asked(next_player):
            return None
        limit_s = game.limit_s * _THINKING
        try:
            move = await asyncio.to_thread(self._process.choose, game.position, limit_s)
        except RobotFailed as failed:
            self._page.say([sentence(str(failed)), f"Game {_shown(name)} gets no answer to that."])
            return None
        return game.answer(move)


class _Processes:
    """Processes of one player, of which one more than is in use is ready or about to be."""

    def __init__(self, player: str) -> None:
        self._player = player
        self._idle: list[RobotProcess] = []
        self._next: asyncio.Task[RobotProcess] | None = None

    async def prepare(self) -> None:
        """Have the first one ready.

        Raises:
            CantLoad: there is no such player, or it doesn't play Dots and Boxes.
        """
        self._next = asyncio.create_task(self._loaded())
        await self._next

    async def take(self) -> RobotProcess:
        """One that is ready."""
        if self._idle:
            return self._idle.pop()
        taken, self._next = self._next, asyncio.create_task(self._loaded())
        assert taken is not None
        return await taken

    def give_back(self, process: RobotProcess) -> None:
        """Let others have one that was taken."""
        self._idle.append(process)

    async def end(self) -> None:
        """End all that are ready."""
        for process in self._idle:
            process.end()
        if self._next is not None:
            with suppress(CantLoad):
                (await self._next).end()

    async def _loaded(self) -> RobotProcess:
        process = RobotProcess(self._player, DEFAULT.make({}, 2))
        await asyncio.to_thread(process.load)
        return process


def _shown(name: GameName) -> str:
    return clean(str(name))[:_MOST_SHOWN]


def _ending(winner: int | None) -> str:
    match winner:
        case None:
            return "nobody says who won"
        case 0:
            return "a draw"
        case _:
            return f"player {winner} has won"
