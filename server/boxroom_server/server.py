"""A Boxroom server, with all its parts: `serve` runs one while its context lasts."""

import asyncio
import http
import logging
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from msgspec.structs import replace
from websockets.frames import CloseCode
from websockets.http11 import Request, Response

from boxroom_common.version import VERSION
from boxroom_engine.room.room import Phase
from boxroom_engine.wire.messages import Notice
from boxroom_server.admin.commands import AdminCommands
from boxroom_server.bots.pool import BotPool
from boxroom_server.clock import Clock, SystemClock
from boxroom_server.hello import HelloCheck
from boxroom_server.net.addresses import bound_addresses, listen
from boxroom_server.net.admission import Admission, ConnectionSlot, Rejection
from boxroom_server.net.clients import WORK_PER_BYTE
from boxroom_server.net.close_codes import ORDINARY
from boxroom_server.net.connection import Connection, Connections
from boxroom_server.net.frames import encode_outgoing
from boxroom_server.net.handshake import Handshake, Handshakes, text_response
from boxroom_server.net.rate_limits import KeyedRateLimiter, TokenBucket
from boxroom_server.net.tls import Certificate
from boxroom_server.ops.endpoints import Endpoints
from boxroom_server.ops.logs import fields
from boxroom_server.ops.loop_lag import LagMeter
from boxroom_server.ops.metrics import Metrics, ServerStatus
from boxroom_server.ops.metrics_server import MetricsServer
from boxroom_server.ops.readiness import LEAVING, SAVING, Readiness
from boxroom_server.options import Options
from boxroom_server.people.bans import Bans
from boxroom_server.people.finished_games import FinishedGames
from boxroom_server.people.identity_offers import IdentityOffers
from boxroom_server.people.names import Names
from boxroom_server.reviews import Reviews
from boxroom_server.rooms.activities.gathering import is_split
from boxroom_server.rooms.directory import Directory
from boxroom_server.sentences import notice
from boxroom_server.session import Session
from boxroom_server.sessions import Sessions
from boxroom_server.storage.ledger import delete_old_games_forever
from boxroom_server.storage.memory.storage import memory_storage
from boxroom_server.storage.storage import Storage
from boxroom_server.tasks import Tasks
from boxroom_server.web.assets import page_assets
from boxroom_server.web.responses import PageResponses

logger = logging.getLogger(__name__)

SERVER_HEADER = f"boxroom/{VERSION}"
"""Value of the header `Server` of HTTP responses."""

RETRY_MS = 500
"""Least delay after which clients of a stopping server are asked to reconnect."""

RETRY_SPREAD_MS = 2
"""Time that each client adds to the spread of reconnections; accepting one takes a tenth of it."""

NAME_WAIT_S = 1.0
"""How long a server of a cluster waits for the report of a name that a client comes with.

The client has been at another server just now, or the name is free again since its last visit.
"""

IDENTITY_TAKEN = encode_outgoing(notice("identity_taken"))


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
            readiness, clock, self._metrics_text, metrics_names=options.allowed_metrics_names()
        )
        # None with `--no-web`.
        self._page = (
            None if options.no_web else PageResponses(page_assets(), is_secure=options.has_https)
        )
        # Started only if the options give metrics an address.
        self._metrics_server = MetricsServer(
            options, clock, self._endpoints, server_header=SERVER_HEADER
        )
        self._bots = BotPool(options.bot_workers, options.bot_s, rng, metrics=metrics)
        self._directory = Directory(options, storage, clock, self._bots, rng, metrics=metrics)
        self._finished_games = FinishedGames(
            storage.ledger, self._directory.computing_thread, has_links=not options.no_web
        )
        self._reviews = Reviews(self._bots, self._finished_games, self._directory.computing_thread)
        self._names = Names(
            options.names, options.name_days, storage.ledger, clock, self._directory.is_in_a_room
        )
        self._bans = Bans(storage.ledger, clock)
        self._sessions = Sessions()
        self.admin_commands = AdminCommands(
            self._directory, self._names, self._bans, self._sessions, clock
        )
        """Performs the commands of `boxroom admin`."""
        self._hello_check = HelloCheck(
            self._names,
            self._bans,
            self._limiter(options.new_names_per_s, options.new_names),
            name_chars=options.name_chars,
            message_bytes=options.message_bytes,
            server_version=f"boxroom {VERSION}",
            server_id=storage.server_id,
            page=options.page_link(),
            clock=clock,
            name_wait_s=NAME_WAIT_S if storage.peers.node else 0.0,
        )
        self._identity_offers = IdentityOffers(
            storage.offers,
            self._limiter(options.wrong_passwords_per_s, options.wrong_passwords),
            clock,
        )
        storage.offers.on_taken.append(self._report_taken_identity)
        # By folded name of the person.
        self._chat_limiter = self._limiter(options.chat_per_s, options.chat_burst)
        self._tasks = Tasks()  # TLS handshakes, requests of sessions, deletion of old games
        # None without TLS.
        self._certificate = (
            Certificate(options.tls_cert, options.tls_key) if options.tls_cert else None
        )
        # All sockets of clients, from accept to close: counted, in the handshake, and after it.
        self._admission = Admission(
            options.connections, options.connections_per_address, asyncio.get_running_loop()
        )
        self._handshakes = Handshakes(
            options,
            clock,
            self._tasks,
            self._certificate,
            self._admission,
            server_header=SERVER_HEADER,
            server_id=storage.server_id,
            respond=self._respond,
            open_connection=self._open_connection,
        )
        self._connections = Connections(options, clock, self._admission, self._connection_lost)
        self._listener: asyncio.Server | None = None  # None before `start`
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
        assert self._listener is not None, "start it first"
        return bound_addresses(self._listener.sockets)

    def is_certified_for(self, host: str) -> bool:
        """Whether clients that connect to `host` accept the certificate; True without TLS."""
        return self._certificate is None or self._certificate.is_for(host)

    async def start(self) -> None:
        """Listen, wake all rooms, and start background work.

        Raises:
            CannotListen: an address can't be bound.
        """
        if not self._storage.peers.node:  # a cluster has one time: docs/how-to/cluster.md
            self._clock.start()
        if self._options.has_metrics_server:
            await self._metrics_server.start()
        self._listener = await listen(
            lambda: Handshake(self._handshakes),
            self._options.bind_host,
            self._options.port,
            port_flag="--port",
        )
        self._port = self._listener.sockets[0].getsockname()[1]
        self._connections.start()
        self._storage.saving.on_failure_change.append(self._report_storage_state)
        if self._storage.saving.failure is not None:
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

    def reload_certificate(self) -> None:
        """Reload the certificate and its key, for new connections.

        Raises:
            CertificateError: they can't be used; the old ones stay.
        """
        if self._certificate is not None:
            self._certificate.reload()

    def _report_storage_state(self) -> None:
        """Send a notice to all sessions whether moves can be saved, and set readiness."""
        trouble = self._storage.saving.failure
        if trouble is None:
            self._readiness.clear(SAVING)
        else:
            self._readiness.set(SAVING, trouble)
        again = notice("saving_again")
        outgoing = encode_outgoing(self._storage_notice() or again)
        for session in self._sessions:
            session.notify(outgoing)

    def _storage_notice(self) -> Notice | None:
        """Return the notice that no moves can be saved now; None if they can."""
        trouble = self._storage.saving.failure
        if trouble is None:
            return None
        return notice("cannot_save", error=trouble)

    def _report_taken_identity(self, name: str, at_ms: int) -> None:
        """Tell the person's devices that another one has the identity; that one came later."""
        for session in self._sessions.with_name(name):
            if session.since_ms <= at_ms:
                session.notify(IDENTITY_TAKEN)

    async def wait_until_unused(self, unused_s: float) -> None:
        """Wait until there has been no connection for `unused_s` seconds."""
        while True:
            await self._admission.wait_until_all_released()
            opened = self._metrics.opened
            await self._clock.sleep(unused_s)
            if opened == self._metrics.opened:
                return

    async def stop(self) -> None:
        """Put all rooms to sleep, send every client a time to reconnect, and stop.

        Every connection is closed as 1012. A command without an answer by then wasn't performed;
        clients that reconnect send it again. In a cluster most have gone to other servers by then.
        """
        if self._storage.peers.name:
            self._readiness.set(LEAVING, "the server gives its rooms to others")
            await self._directory.give_away()
        self._readiness.set("stopping", "the server is stopping")
        self._readiness.clear(LEAVING)
        self._lag_meter.stop()
        await self._directory.sleep()
        for session in self._sessions:
            session.notify(encode_outgoing(self._stopping_notice()))
        if self._listener is not None:
            self._listener.close()
            self._handshakes.abort()
            self._connections.stop(CloseCode.SERVICE_RESTART, "the server is stopping")
            await self._admission.wait_until_all_released()
            await self._listener.wait_closed()
            self._connections.just_lost.handle_all()
        await self._tasks.cancel()
        await self._bots.stop()
        await self._metrics_server.stop()
        self._clock.stop()
        logger.info("stopped")

    def _stopping_notice(self) -> Notice:
        """Return the notice for one client, with a random delay: not all should come at once."""
        most_ms = RETRY_MS + len(self._sessions) * RETRY_SPREAD_MS
        retry_ms = round(self._rng.uniform(RETRY_MS, most_ms))
        return replace(notice("stopping"), retry_ms=retry_ms)

    # Connections

    def _respond(self, slot: ConnectionSlot, request: Request) -> Response | None:
        """Return the response to plain HTTP or a rejected connection; None opens a WebSocket."""
        file = None if self._page is None else self._page.respond(request)
        if file is None:
            response = self._endpoints.respond_on_game_address(request)
            if response is not None:
                return response
        slot.was_sent = self._handshakes.was_sent(request)
        rejection = self._rejection(slot, request, opens_websocket=file is None)
        if rejection is not None:
            self._metrics.rejections[rejection.status] += 1
            return text_response(rejection.status, f"{rejection.sentence}\n")
        if file is not None:
            slot.client.credit -= WORK_PER_BYTE * len(file.body)
        return file

    def _rejection(
        self, slot: ConnectionSlot, request: Request, *, opens_websocket: bool
    ) -> Rejection | None:
        rejection = self._handshakes.rejection(slot, request)
        if rejection is None and opens_websocket:
            rejection = self._handshakes.origin_rejection(request)
        if rejection is None and self._bans.of_address(slot.address) is not None:
            text = "your address is banned from this server"
            rejection = Rejection(http.HTTPStatus.FORBIDDEN, text)
        return rejection

    def _open_connection(self, transport: asyncio.Transport, slot: ConnectionSlot) -> Connection:
        """Begin the session of a client whose handshake is complete."""
        options = self._options
        now_s = asyncio.get_running_loop().time
        connection = Connection(self._connections, transport, slot)
        session = Session(
            connection,
            TokenBucket(options.messages_per_s, options.burst, now_s),
            hello_s=options.hello_s,
            hello_check=self._hello_check,
            channel=partial(self._handshakes.channel, transport, slot),
            storage_notice=self._storage_notice,
            chat_limiter=self._chat_limiter,
            directory=self._directory,
            clock=self._clock,
            finished_games=self._finished_games,
            reviews=self._reviews,
            identity_offers=self._identity_offers,
            tasks=self._tasks,
            metrics=self._metrics,
        )
        self._metrics.opened += 1
        logger.debug("connection opened", extra=fields(address=slot.address))
        self._sessions.add(session)
        connection.start(session)
        return connection

    def _connection_lost(self, connection: Connection) -> None:
        session, label = self._sessions.remove(connection), connection.close_label
        self._metrics.closes[label] += 1
        logger.log(
            logging.DEBUG if label in ORDINARY else logging.INFO,
            "connection closed",
            extra=fields(
                address=session.address,
                code=connection.close_code,
                seconds=(self._clock.now_ms() - session.since_ms) / 1000,
            ),
        )

    # Metrics

    @property
    def metrics_address(self) -> tuple[str, int] | None:
        """Host and port by which metrics are reached; None if there are none."""
        if not self._options.has_metrics_server:
            return None
        return self._metrics_server.host_and_port

    def status(self) -> ServerStatus:
        """Return the current state, for metrics."""
        rooms = [cell.host.room for cell in self._directory if cell.host is not None]
        return ServerStatus(
            version=VERSION,
            started_ms=self._started_ms,
            is_ready=self._readiness.is_ready,
            connections=len(self._sessions),
            unread_bytes=sum(session.connection.waiting_bytes for session in self._sessions),
            rooms=len(rooms),
            rooms_playing=sum(room.phase is Phase.PLAYING for room in rooms),
            members=sum(len(room.members) for room in rooms),
            rooms_split=sum(
                is_split(cell.hosted.host.room)
                for cell in self._directory
                if cell.hosted is not None and cell.hosted.is_owner
            ),
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
        CannotListen: an address can't be bound.
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
