"""A Boxroom server: `serve` starts one, and ends it when its context does."""

import http
import logging
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from websockets.asyncio.server import Server as WebSocketServer
from websockets.asyncio.server import ServerConnection
from websockets.asyncio.server import serve as serve_websockets
from websockets.frames import CloseCode
from websockets.http11 import Request, Response

from boxroom_engine.wire.messages import Notice
from boxroom_server.admin.caretaker import Caretaker
from boxroom_server.bans import Bans
from boxroom_server.bot_workers import BotWorkers
from boxroom_server.clock import Clock, SystemClock
from boxroom_server.connections import Connections
from boxroom_server.directory import Directory
from boxroom_server.names import Names
from boxroom_server.old_games import forget_old_games
from boxroom_server.options import Options
from boxroom_server.outbox import Outbox, Outgoing
from boxroom_server.reading import ReadingConnection
from boxroom_server.session import Session
from boxroom_server.storage import Storage
from boxroom_server.tasks import Tasks
from boxroom_server.visitors import Visitor, Visitors

logger = logging.getLogger(__name__)

VERSION = version("boxroom")

BACK_MS = 500
"""After how long those who were here when the server stopped are asked to come back, at least."""

BACK_EACH_MS = 2
"""For each of them, the time over which their coming back is spread: it takes a tenth of that."""


class Server:
    """A running server; made by `serve`."""

    def __init__(
        self, options: Options, storage: Storage, clock: Clock, rng: random.Random
    ) -> None:
        self._options = options
        self._clock = clock
        self._bots = BotWorkers(options.bot_workers, options.bot_s, rng)
        self._rng = rng
        self._storage = storage
        self._directory = Directory(options, storage, clock, self._bots, rng)
        self._names = Names(
            options.names, options.name_days, storage.ledger, clock, self._directory.is_in_a_room
        )
        self._bans = Bans(storage.ledger, clock)
        self._visitors = Visitors()
        self._connections = Connections(clock, options.unread_bytes, options.drain_s)
        self.caretaker = Caretaker(self._directory, self._names, self._bans, self._visitors, clock)
        self._tasks = Tasks()
        self._connections_from: Counter[str] = Counter()
        self._sockets: WebSocketServer | None = None
        self._port: int | None = None

    @property
    def port(self) -> int:
        """The port that it listens on."""
        assert self._port is not None, "start it first"
        return self._port

    @property
    def bound(self) -> list[str]:
        """The IP addresses that it listens on; `0.0.0.0` and `::` are all of their kind."""
        assert self._sockets is not None, "start it first"
        return [socket.getsockname()[0] for socket in self._sockets.sockets]

    async def start(self) -> None:
        """Listen.

        Raises:
            OSError: the address can't be bound.
        """
        sockets = await self._listen(self._options.port)
        ports = [socket.getsockname()[1] for socket in sockets.sockets]
        if len(set(ports)) > 1:  # port 0 is a free one for IPv4 and another one for IPv6
            sockets.close()
            await sockets.wait_closed()
            sockets = await self._listen(ports[0])
        self._sockets, self._port = sockets, ports[0]
        self._storage.on_trouble(self._tell_of_trouble)
        self._directory.wake_all()
        if self._options.keep_games > 0:
            self._tasks.start(
                forget_old_games(self._storage.ledger, self._options.keep_games, self._clock)
            )

    async def _listen(self, port: int) -> WebSocketServer:
        options = self._options
        return await serve_websockets(
            self._converse,
            options.host or None,
            port,
            compression=None,
            process_request=self._answer_http,
            max_size=options.message_bytes,
            open_timeout=options.hello_s,
            close_timeout=options.drain_s,
            # Below it nothing waits for a reader without a time limit, as draining does.
            write_limit=options.unread_bytes,
            server_header=f"boxroom/{VERSION}",
            create_connection=self._connections.connection_type(),
        )

    def warm_up(self) -> None:
        """Get ready for bots, which otherwise the first one has to wait for."""
        self._bots.warm_up()

    def _tell_of_trouble(self) -> None:
        """Let everybody know whether moves can be saved, and so be made."""
        trouble = self._storage.trouble()
        if trouble is None:
            notice = Notice("saving_again", "moves are saved again: go on")
        else:
            notice = Notice("cannot_save", f"no moves can be made now: {trouble}")
        outgoing = Outgoing(notice)
        for visitor in self._visitors:
            visitor.outbox.send(outgoing)

    async def stop(self) -> None:
        """Let rooms rest as they are, tell everybody when to come back, and end.

        Every connection is closed as 1012. What was asked and isn't answered by then wasn't
        done; it is asked again by those who come back.
        """
        await self._directory.sleep()
        for visitor in self._visitors:
            visitor.outbox.send(Outgoing(self._stopping()))
        if self._sockets is not None:
            self._sockets.close(code=CloseCode.SERVICE_RESTART, reason="the server is stopping")
            self._connections.cut()
            await self._sockets.wait_closed()
        await self._tasks.cancel()
        await self._bots.stop()

    def _stopping(self) -> Notice:
        """What one member is told; they aren't to come back all at once."""
        spread_ms = BACK_MS + len(self._visitors) * BACK_EACH_MS
        retry_ms = round(self._rng.uniform(BACK_MS, spread_ms))
        return Notice("stopping", "the server is stopping", retry_ms)

    def _answer_http(self, connection: ServerConnection, request: Request) -> Response | None:
        """Plain HTTP: the health check, and too many connections from one address."""
        if request.path.partition("?")[0] == "/healthz":
            return connection.respond(http.HTTPStatus.OK, "ok\n")
        if self._bans.of_address(_address(connection)) is not None:
            text = "your address is banned from this server\n"
            return connection.respond(http.HTTPStatus.FORBIDDEN, text)
        most = self._options.connections_per_address
        if self._connections_from[_address(connection)] >= most:
            text = f"at most {most} connections from one address\n"
            return connection.respond(http.HTTPStatus.TOO_MANY_REQUESTS, text)
        return None

    async def _converse(self, connection: ServerConnection) -> None:
        assert isinstance(connection, ReadingConnection)  # see `create_connection`
        address = _address(connection)
        options = self._options
        outbox = Outbox(connection, self._clock, self._tasks, options.unread_bytes, options.drain_s)
        visitor = Visitor(outbox, address, self._clock.now_ms())
        session = Session(
            connection,
            visitor,
            directory=self._directory,
            names=self._names,
            bans=self._bans,
            options=options,
            version=f"boxroom {VERSION}",
        )
        self._connections_from[address] += 1
        self._visitors.add(visitor)
        try:
            await session.run()
        finally:
            self._visitors.remove(visitor)
            self._connections_from[address] -= 1
            if not self._connections_from[address]:
                del self._connections_from[address]


def _address(connection: ServerConnection) -> str:
    remote = connection.remote_address
    return str(remote[0]) if remote else ""


@asynccontextmanager
async def serve(
    options: Options,
    *,
    storage: Storage | None = None,
    clock: Clock | None = None,
    rng: random.Random | None = None,
) -> AsyncIterator[Server]:
    """Run a server while the context lasts.

    Raises:
        OSError: the address can't be bound.
    """
    server = Server(
        options, storage or Storage(), clock or SystemClock(), rng or random.SystemRandom()
    )
    await server.start()
    try:
        yield server
    finally:
        await server.stop()
