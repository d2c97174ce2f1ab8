"""A Boxroom server: `serve` starts one, and ends it when its context does."""

import http
import logging
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any, cast

from websockets.asyncio.server import Server as WebSocketServer
from websockets.asyncio.server import ServerConnection
from websockets.asyncio.server import serve as serve_websockets
from websockets.frames import CloseCode
from websockets.http11 import Request, Response

from boxroom_engine.room.room import Phase
from boxroom_engine.wire.messages import Notice
from boxroom_server.admin.commands import AdminCommands
from boxroom_server.bots.pool import BotPool
from boxroom_server.clock import Clock, SystemClock
from boxroom_server.net.admission import Turned
from boxroom_server.net.close_codes import ORDINARY, close_code, label
from boxroom_server.net.connections import AdmittedConnection, Connections
from boxroom_server.net.outbox import Outbox, Outgoing
from boxroom_server.net.rate_limits import Allowances
from boxroom_server.net.tick_batch import TickBatch
from boxroom_server.net.tls import Certificate
from boxroom_server.ops.endpoints import Endpoints
from boxroom_server.ops.logs import fields, without_frames
from boxroom_server.ops.loop_lag import LagMeter
from boxroom_server.ops.metrics import Metrics, Standing
from boxroom_server.ops.metrics_server import MetricsServer
from boxroom_server.ops.readiness import Readiness
from boxroom_server.options import Options
from boxroom_server.people.bans import Bans
from boxroom_server.people.names import Names
from boxroom_server.rooms.directory import Directory
from boxroom_server.session import Session
from boxroom_server.sessions import SessionHandle, Sessions
from boxroom_server.storage.ledger import delete_old_games_forever
from boxroom_server.storage.memory.storage import memory_storage
from boxroom_server.storage.storage import Storage
from boxroom_server.tasks import Tasks

logger = logging.getLogger(__name__)

VERSION = version("boxroom")

BACK_MS = 500
"""After how long those who were here when the server stopped are asked to come back, at least."""

BACK_EACH_MS = 2
"""For each of them, the time over which their coming back is spread: it takes a tenth of that."""


class Server:
    """A running server; made by `serve`."""

    def __init__(
        self,
        options: Options,
        storage: Storage,
        clock: Clock,
        rng: random.Random,
        *,
        metrics: Metrics,
        readiness: Readiness,
    ) -> None:
        self._options = options
        self._clock = clock
        self._rng = rng
        self._storage = storage
        self._metrics = metrics
        self._readiness = readiness
        self._readiness.set("listening", "the server is starting")
        self._started_ms = clock.now_ms()
        self._lag = LagMeter(clock, metrics.now_s, metrics.lag)
        self._endpoints = Endpoints(
            readiness, self._exposition, metrics_apart=options.metrics_apart
        )
        self._watch = MetricsServer(options, self._endpoints)
        self._bots = BotPool(options.bot_workers, options.bot_s, rng, metrics=metrics)
        self._directory = Directory(options, storage, clock, self._bots, rng, metrics=metrics)
        self._names = Names(
            options.names, options.name_days, storage.ledger, clock, self._directory.is_in_a_room
        )
        self._bans = Bans(storage.ledger, clock)
        self._visitors = Sessions()
        self.admin_commands = AdminCommands(
            self._directory, self._names, self._bans, self._visitors, clock
        )
        self._newcomers = self._allowances(options.new_names_per_s, options.new_names)
        self._talkers = self._allowances(options.chat_per_s, options.chat_burst)
        self._tasks = Tasks()
        self._sending: TickBatch[Outbox] = TickBatch(Outbox.flush)
        self._certificate = (
            Certificate(options.tls_cert, options.tls_key) if options.tls_cert else None
        )
        self._connections = Connections(options, clock, self._tasks, self._certificate)
        self._sockets: WebSocketServer | None = None
        self._port: int | None = None

    def _allowances(self, per_s: float, burst: int) -> Allowances:
        return Allowances(per_s, burst, lambda: self._clock.now_ms() / 1000)

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
            OSError: an address can't be bound.
        """
        if self._options.metrics_apart:
            await self._watch.start()
        sockets = await self._listen(self._options.port)
        ports = [socket.getsockname()[1] for socket in sockets.sockets]
        if len(set(ports)) > 1:  # port 0 is a free one for IPv4 and another one for IPv6
            sockets.close()
            await sockets.wait_closed()
            sockets = await self._listen(ports[0])
        self._sockets, self._port = sockets, ports[0]
        self._storage.on_failure_change(self._tell_of_trouble)
        if self._storage.failure() is not None:
            self._tell_of_trouble()
        self._directory.wake_all()
        if self._options.keep_games > 0:
            self._tasks.start(
                delete_old_games_forever(
                    self._storage.ledger, self._options.keep_games, self._clock
                )
            )
        self._readiness.clear("listening")
        self._lag.start()
        logger.info(
            "started",
            extra=fields(
                version=VERSION,
                addresses=" ".join(self.bound),
                port=self.port,
                options=self._options.changed(),
            ),
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
            open_timeout=options.handshake_s,
            close_timeout=options.drain_s,
            # Below it nothing waits for a reader without a time limit, as draining does.
            write_limit=options.unread_bytes,
            server_header=f"boxroom/{VERSION}",
            create_connection=cast(Any, self._connections.accept),  # the type is too narrow
            logger=without_frames("websockets.server"),
        )

    def reload_certificate(self) -> None:
        """Read the certificate and its key again, for the connections to come.

        Raises:
            CertificateError: they can't be used; the old ones stay.
        """
        if self._certificate is not None:
            self._certificate.reload()

    def warm_up(self) -> None:
        """Get ready for bots, which otherwise the first one has to wait for."""
        self._bots.warm_up()

    def _tell_of_trouble(self) -> None:
        """Let everybody know whether moves can be saved, and so be made."""
        trouble = self._storage.failure()
        if trouble is None:
            self._readiness.clear("saving")
            notice = Notice("saving_again", "moves are saved again: go on")
        else:
            self._readiness.set("saving", trouble)
            notice = Notice("cannot_save", f"no moves can be made now: {trouble}")
        outgoing = Outgoing.of(notice)
        for visitor in self._visitors:
            visitor.outbox.send(outgoing)

    async def stop(self) -> None:
        """Let rooms rest as they are, tell everybody when to come back, and end.

        Every connection is closed as 1012. What was asked and isn't answered by then wasn't
        done; it is asked again by those who come back.
        """
        self._readiness.set("stopping", "the server is stopping")
        self._lag.stop()
        await self._directory.sleep()
        for visitor in self._visitors:
            visitor.outbox.send(Outgoing.of(self._stopping()))
        self._sending.go()
        if self._sockets is not None:
            self._sockets.close(code=CloseCode.SERVICE_RESTART, reason="the server is stopping")
            self._connections.cut()
            await self._sockets.wait_closed()
        await self._tasks.cancel()
        await self._bots.stop()
        await self._watch.stop()
        logger.info("stopped")

    def _stopping(self) -> Notice:
        """What one member is told; they aren't to come back all at once."""
        spread_ms = BACK_MS + len(self._visitors) * BACK_EACH_MS
        retry_ms = round(self._rng.uniform(BACK_MS, spread_ms))
        return Notice("stopping", "the server is stopping", retry_ms)

    def _answer_http(self, connection: ServerConnection, request: Request) -> Response | None:
        """Plain HTTP: who watches the server, and why somebody gets no WebSocket."""
        answer = self._endpoints.answer_among_players(connection, request)
        if answer is not None:
            return answer
        turned = self._turned_away(connection, request)
        if turned is None:
            return None
        self._metrics.turned[turned.status] += 1
        return connection.respond(turned.status, f"{turned.sentence}\n")

    def _turned_away(self, connection: ServerConnection, request: Request) -> Turned | None:
        turned = self._connections.turned_away(connection, request)
        if turned is not None:
            return turned
        assert isinstance(connection, AdmittedConnection)  # see `create_connection`
        if self._bans.of_address(connection.ticket.address) is not None:
            return Turned(http.HTTPStatus.FORBIDDEN, "your address is banned from this server")
        return None

    async def _converse(self, connection: ServerConnection) -> None:
        assert isinstance(connection, AdmittedConnection)  # see `create_connection`
        connection.forget_handshake()
        address = connection.ticket.address
        options = self._options
        outbox = Outbox(
            connection,
            self._clock,
            self._tasks,
            self._sending,
            unread_bytes=options.unread_bytes,
            drain_s=options.drain_s,
        )
        visitor = SessionHandle(outbox, address, self._clock.now_ms())
        session = Session(
            connection,
            visitor,
            directory=self._directory,
            names=self._names,
            bans=self._bans,
            new_name_allowances=self._newcomers,
            chat_allowances=self._talkers,
            options=options,
            version=f"boxroom {VERSION}",
            metrics=self._metrics,
        )
        self._metrics.opened += 1
        began_s = self._metrics.now_s()
        logger.debug("connection opened", extra=fields(address=address))
        self._visitors.add(visitor)
        try:
            await session.run()
        finally:
            self._visitors.remove(visitor)
            code = close_code(connection.protocol)
            self._metrics.closes[label(code)] += 1
            logger.log(
                logging.DEBUG if code in ORDINARY else logging.INFO,
                "connection closed",
                extra=fields(address=address, code=code, seconds=self._metrics.now_s() - began_s),
            )

    # What is seen from outside

    @property
    def watched_at(self) -> tuple[str, int] | None:
        """The IP address and the port of metrics, if they have one of their own."""
        return self._watch.host_and_port if self._options.metrics_apart else None

    def standing(self) -> Standing:
        """How it stands now."""
        rooms = list(self._directory.rooms())
        return Standing(
            version=VERSION,
            started_ms=self._started_ms,
            is_ready=self._readiness.is_ready,
            connections=len(self._visitors),
            unread_bytes=sum(visitor.outbox.waiting_bytes for visitor in self._visitors),
            rooms=len(rooms),
            rooms_playing=sum(room.phase is Phase.PLAYING for room in rooms),
            members=sum(len(room.members) for room in rooms),
            moves_waiting=self._bots.moves_waiting,
        )

    def _exposition(self) -> bytes:
        from boxroom_server.ops.prometheus import exposition  # see there

        return exposition(self._metrics, self.standing())


@asynccontextmanager
async def serve(
    options: Options,
    *,
    storage: Storage | None = None,
    clock: Clock | None = None,
    rng: random.Random | None = None,
    metrics: Metrics | None = None,
    readiness: Readiness | None = None,
) -> AsyncIterator[Server]:
    """Run a server while the context lasts.

    A log that counts its commits, or can be unable to save, was given the same `metrics` and
    `readiness`.

    Raises:
        OSError: an address can't be bound.
        CertificateError: there is no certificate, or not with its key, where `options` say.
    """
    server = Server(
        options,
        storage or memory_storage(),
        clock or SystemClock(),
        rng or random.SystemRandom(),
        metrics=metrics or Metrics(),
        readiness=readiness or Readiness(),
    )
    try:
        await server.start()
        yield server
    finally:
        await server.stop()
