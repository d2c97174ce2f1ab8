"""A Boxroom server, with all its parts: `serve` runs one while its context lasts."""

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
from boxroom_server.net.admission import Rejection
from boxroom_server.net.close_codes import ORDINARY, close_code, label
from boxroom_server.net.connections import AdmittedConnection, Connections
from boxroom_server.net.outbox import Outbox, Outgoing
from boxroom_server.net.rate_limits import KeyedRateLimiter
from boxroom_server.net.tick_batch import TickBatch
from boxroom_server.net.tls import Certificate
from boxroom_server.ops.endpoints import Endpoints
from boxroom_server.ops.logs import fields, without_frames
from boxroom_server.ops.loop_lag import LagMeter
from boxroom_server.ops.metrics import Metrics, ServerStatus
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

RETRY_MS = 500
"""Least delay after which clients of a stopping server are asked to reconnect."""

RETRY_SPREAD_MS = 2
"""Time that each client adds to the spread of reconnections; accepting one takes a tenth of it."""


class Server:
    """A server; `serve` makes and starts it."""

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
        self._started_ms = clock.now_ms()  # for metrics
        self._lag_meter = LagMeter(clock, metrics.now_s, metrics.lag)
        self._endpoints = Endpoints(
            readiness, self._metrics_text, has_metrics_server=options.has_metrics_server
        )
        # Started only if the options give metrics an address of their own.
        self._metrics_server = MetricsServer(options, self._endpoints)
        self._bots = BotPool(options.bot_workers, options.bot_s, rng, metrics=metrics)
        self._directory = Directory(options, storage, clock, self._bots, rng, metrics=metrics)
        self._names = Names(
            options.names, options.name_days, storage.ledger, clock, self._directory.is_in_a_room
        )
        self._bans = Bans(storage.ledger, clock)
        self._sessions = Sessions()  # open connections after their handshake
        self.admin_commands = AdminCommands(
            self._directory, self._names, self._bans, self._sessions, clock
        )
        """Performs the commands of `boxroom admin`."""
        # By client (see `counted_as`).
        self._new_name_limiter = self._limiter(options.new_names_per_s, options.new_names)
        # By folded name of the person.
        self._chat_limiter = self._limiter(options.chat_per_s, options.chat_burst)
        self._tasks = Tasks()  # TLS handshakes, closing of connections, deletion of old games
        # Outboxes with messages of this tick.
        self._outbox_batch: TickBatch[Outbox] = TickBatch(Outbox.flush)
        # None without TLS.
        self._certificate = (
            Certificate(options.tls_cert, options.tls_key) if options.tls_cert else None
        )
        # All sockets of clients, from accept to close.
        self._connections = Connections(options, clock, self._tasks, self._certificate)
        self._sockets: WebSocketServer | None = None  # None before `start`
        self._port: int | None = None  # None before `start`

    def _limiter(self, per_s: float, burst: int) -> KeyedRateLimiter:
        return KeyedRateLimiter(per_s, burst, lambda: self._clock.now_ms() / 1000)

    @property
    def port(self) -> int:
        """Port that it listens on."""
        assert self._port is not None, "start it first"
        return self._port

    @property
    def bound_addresses(self) -> list[str]:
        """IP addresses that it listens on; `0.0.0.0` and `::` stand for all of their version."""
        assert self._sockets is not None, "start it first"
        return [socket.getsockname()[0] for socket in self._sockets.sockets]

    async def start(self) -> None:
        """Listen, wake all rooms, and start background work.

        Raises:
            OSError: an address can't be bound.
        """
        if self._options.has_metrics_server:
            await self._metrics_server.start()
        sockets = await self._listen(self._options.port)
        ports = [socket.getsockname()[1] for socket in sockets.sockets]
        if len(set(ports)) > 1:  # port 0 chose different ports for IPv4 and IPv6
            sockets.close()
            await sockets.wait_closed()
            sockets = await self._listen(ports[0])
        self._sockets, self._port = sockets, ports[0]
        self._storage.on_failure_change(self._report_storage_state)
        if self._storage.failure() is not None:
            self._report_storage_state()
        self._directory.wake_all()
        if self._options.keep_games > 0:
            self._tasks.start(
                delete_old_games_forever(
                    self._storage.ledger, self._options.keep_games, self._clock
                )
            )
        self._readiness.clear("listening")
        self._lag_meter.start()
        logger.info(
            "started",
            extra=fields(
                version=VERSION,
                addresses=" ".join(self.bound_addresses),
                port=self.port,
                options=self._options.changed(),
            ),
        )

    async def _listen(self, port: int) -> WebSocketServer:
        options = self._options
        return await serve_websockets(
            self._run_session,
            options.host or None,
            port,
            compression=None,
            process_request=self._process_request,
            max_size=options.message_bytes,
            open_timeout=options.handshake_s,
            close_timeout=options.drain_s,
            # Above this limit websockets would wait for the reader, without a time limit.
            write_limit=options.unread_bytes,
            server_header=f"boxroom/{VERSION}",
            create_connection=cast(Any, self._connections.accept),  # the type is too narrow
            logger=without_frames("websockets.server"),
        )

    def reload_certificate(self) -> None:
        """Reload the certificate and its key, for new connections.

        Raises:
            CertificateError: they can't be used; the old ones stay.
        """
        if self._certificate is not None:
            self._certificate.reload()

    def warm_up(self) -> None:
        """Start the processes of bots, so that the first bot doesn't have to wait for them."""
        self._bots.warm_up()

    def _report_storage_state(self) -> None:
        """Send a notice to all sessions whether moves can be saved, and set readiness."""
        trouble = self._storage.failure()
        if trouble is None:
            self._readiness.clear("saving")
            notice = Notice("saving_again", "moves are saved again: go on")
        else:
            self._readiness.set("saving", trouble)
            notice = Notice("cannot_save", f"no moves can be made now: {trouble}")
        outgoing = Outgoing.of(notice)
        for session in self._sessions:
            session.outbox.send(outgoing)

    async def stop(self) -> None:
        """Put all rooms to sleep, send every client a time to reconnect, and stop.

        Every connection is closed as 1012. A command without an answer by then wasn't performed;
        clients that reconnect send it again.
        """
        self._readiness.set("stopping", "the server is stopping")
        self._lag_meter.stop()
        await self._directory.sleep()
        for session in self._sessions:
            session.outbox.send(Outgoing.of(self._stopping_notice()))
        self._outbox_batch.run()
        if self._sockets is not None:
            self._sockets.close(code=CloseCode.SERVICE_RESTART, reason="the server is stopping")
            self._connections.abort_all()
            await self._sockets.wait_closed()
        await self._tasks.cancel()
        await self._bots.stop()
        await self._metrics_server.stop()
        logger.info("stopped")

    def _stopping_notice(self) -> Notice:
        """Return the notice for one client, with a random delay: not all should come at once."""
        most_ms = RETRY_MS + len(self._sessions) * RETRY_SPREAD_MS
        retry_ms = round(self._rng.uniform(RETRY_MS, most_ms))
        return Notice("stopping", "the server is stopping", retry_ms)

    def _process_request(self, connection: ServerConnection, request: Request) -> Response | None:
        """Return the response to plain HTTP or a rejected connection; None opens a WebSocket."""
        response = self._endpoints.respond_on_game_address(connection, request)
        if response is not None:
            return response
        rejection = self._rejection(connection, request)
        if rejection is None:
            return None
        self._metrics.rejections[rejection.status] += 1
        return connection.respond(rejection.status, f"{rejection.sentence}\n")

    def _rejection(self, connection: ServerConnection, request: Request) -> Rejection | None:
        rejection = self._connections.rejection(connection, request)
        if rejection is not None:
            return rejection
        assert isinstance(connection, AdmittedConnection)  # see `create_connection`
        if self._bans.of_address(connection.slot.address) is not None:
            return Rejection(http.HTTPStatus.FORBIDDEN, "your address is banned from this server")
        return None

    async def _run_session(self, connection: ServerConnection) -> None:
        assert isinstance(connection, AdmittedConnection)  # see `create_connection`
        connection.discard_headers()
        address = connection.slot.address
        options = self._options
        outbox = Outbox(
            connection,
            self._clock,
            self._tasks,
            self._outbox_batch,
            unread_bytes=options.unread_bytes,
            drain_s=options.drain_s,
        )
        handle = SessionHandle(outbox, address, self._clock.now_ms())
        session = Session(
            connection,
            handle,
            directory=self._directory,
            names=self._names,
            bans=self._bans,
            new_name_limiter=self._new_name_limiter,
            chat_limiter=self._chat_limiter,
            options=options,
            version=f"boxroom {VERSION}",
            metrics=self._metrics,
        )
        self._metrics.opened += 1
        began_s = self._metrics.now_s()
        logger.debug("connection opened", extra=fields(address=address))
        self._sessions.add(handle)
        try:
            await session.run()
        finally:
            self._sessions.remove(handle)
            code = close_code(connection.protocol)
            self._metrics.closes[label(code)] += 1
            logger.log(
                logging.DEBUG if code in ORDINARY else logging.INFO,
                "connection closed",
                extra=fields(address=address, code=code, seconds=self._metrics.now_s() - began_s),
            )

    # Metrics

    @property
    def metrics_address(self) -> tuple[str, int] | None:
        """IP address and port of the metrics server; None if there is none."""
        if not self._options.has_metrics_server:
            return None
        return self._metrics_server.host_and_port

    def status(self) -> ServerStatus:
        """Return the current state, for metrics."""
        rooms = list(self._directory.rooms())
        return ServerStatus(
            version=VERSION,
            started_ms=self._started_ms,
            is_ready=self._readiness.is_ready,
            connections=len(self._sessions),
            unread_bytes=sum(session.outbox.waiting_bytes for session in self._sessions),
            rooms=len(rooms),
            rooms_playing=sum(room.phase is Phase.PLAYING for room in rooms),
            members=sum(len(room.members) for room in rooms),
            moves_waiting=self._bots.moves_waiting,
        )

    def _metrics_text(self) -> bytes:
        from boxroom_server.ops.prometheus import metrics_text  # see there

        return metrics_text(self._metrics, self.status())


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

    A `storage` that counts its commits must have been given the same `metrics`.

    Raises:
        OSError: an address can't be bound.
        CertificateError: the certificate and key that `options` name can't be used.
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
