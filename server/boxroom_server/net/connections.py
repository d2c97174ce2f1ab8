"""All connections of a server, from the first byte to the last, so that each can be aborted.

websockets can close a connection that is open and whose peer reads. This module handles the other
peers: those that connect and send nothing, that close and stay, that send pings and never read a
pong, and that send pings and fragments of messages without end. Until its HTTP request is complete,
a connection is a `Handshake`.
"""

import asyncio
import http
from asyncio import BaseTransport
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import Any

from websockets.asyncio.server import Server as WebSocketServer
from websockets.asyncio.server import ServerConnection
from websockets.frames import DATA_OPCODES, Frame
from websockets.http11 import Request
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from boxroom_engine.wire.messages import CLOSE_TOO_FAST
from boxroom_server.clock import Clock
from boxroom_server.net.admission import ConnectionSlot, Rejection
from boxroom_server.net.client_address import forwarded_for, is_within
from boxroom_server.net.handshake import Handshake, Handshakes
from boxroom_server.net.rate_limits import TokenBucket
from boxroom_server.net.reading import ReadingConnection
from boxroom_server.net.tick_batch import TickBatch
from boxroom_server.net.tls import Certificate
from boxroom_server.options import Options
from boxroom_server.tasks import Tasks


class Connections:
    """The connections of one server."""

    def __init__(
        self,
        options: Options,
        clock: Clock,
        tasks: Tasks,
        certificate: Certificate | None = None,
    ) -> None:
        self._options = options
        self._clock = clock
        self._allowed_origins = options.allowed_origins()
        self._handshakes = Handshakes(options, clock, tasks, certificate)
        self._all: set[AdmittedConnection] = set()
        """Connections whose handshake is over."""
        # Data that connections have received in this tick.
        self._received = TickBatch(ReadingConnection.process_received)

    # Opening

    def accept(
        self, protocol: ServerProtocol, server: WebSocketServer, **settings: Any
    ) -> Handshake:
        """Return the protocol of an accepted socket (`create_connection` of websockets)."""
        make = partial(AdmittedConnection, protocol, server, **settings)
        return Handshake(self._handshakes, partial(self._open, make))

    def _open(
        self,
        make: Callable[[], "AdmittedConnection"],
        transport: asyncio.Transport,
        slot: ConnectionSlot,
        received: bytes,
    ) -> None:
        connection = make()
        connection.attach(self, slot, self._frame_limit(), self._received)
        transport.set_protocol(connection)
        connection.connection_made(transport)
        connection.data_received(received)

    def _frame_limit(self) -> TokenBucket:
        options = self._options
        now_s = asyncio.get_running_loop().time
        return TokenBucket(options.frames_per_s, options.frames_burst, now_s)

    def rejection(self, connection: ServerConnection, request: Request) -> Rejection | None:
        """Return why `request` for a WebSocket is rejected; None if it isn't."""
        assert isinstance(connection, AdmittedConnection)
        slot, proxies = connection.slot, self._handshakes.proxies
        if is_within(slot.address, proxies):
            forwarded = request.headers.get_all("X-Forwarded-For")
            client = forwarded_for(slot.address, forwarded, proxies)
            self._handshakes.admission.identify(slot, client)
        if slot.rejection is not None:
            return slot.rejection
        if not is_allowed_origin(request.headers.get_all("Origin"), self._allowed_origins):
            text = "this server lets no page of that origin in"
            return Rejection(http.HTTPStatus.FORBIDDEN, text)
        return None

    # Closing

    def add(self, connection: "AdmittedConnection") -> None:
        """Add a connection whose handshake is over."""
        self._all.add(connection)

    def remove(self, connection: "AdmittedConnection") -> None:
        """Remove a connection that was lost."""
        self._all.discard(connection)
        self._handshakes.admission.release(connection.slot)

    def watch_slow_reader(self, connection: ServerConnection) -> None:
        """Check a connection in `drain_s` that has more than `unread_bytes` to read now."""
        waiting_bytes = connection.transport.get_write_buffer_size()
        self._clock.call_later(
            self._options.drain_s, lambda: self._check_reader(connection, waiting_bytes)
        )

    def _check_reader(self, connection: ServerConnection, waited_bytes: int) -> None:
        """Abort a connection that has read nothing, or has too much to read; allow a slow one."""
        if not connection.paused or connection.transport.is_closing():
            return
        waiting_bytes = connection.transport.get_write_buffer_size()
        if waiting_bytes == waited_bytes or waiting_bytes > self._options.unread_bytes:
            self._abort([connection])
        else:
            self.watch_slow_reader(connection)

    def close_flooding(self, connection: ServerConnection) -> None:
        """Close a connection that sends too many frames; abort it if it is open in `drain_s`."""
        connection.protocol.fail(CLOSE_TOO_FAST, "too many frames")
        connection.send_data()
        self._clock.call_later(self._options.drain_s, lambda: self._abort([connection]))

    def abort_all(self) -> None:
        """Abort all handshakes now, and all connections in `drain_s`."""
        self._handshakes.abort()
        self._clock.call_later(self._options.drain_s, self._abort_rest)

    def _abort_rest(self) -> None:
        self._handshakes.abort()
        self._abort(list(self._all))

    def _abort(self, connections: Iterable[ServerConnection]) -> None:
        for connection in connections:
            connection.transport.abort()


class AdmittedConnection(ReadingConnection):
    """A connection whose HTTP request is complete; one of a server's `Connections`."""

    __slots__ = ("_connections", "_frame_limit", "slot")  # see `ReadingConnection`

    def attach(
        self,
        connections: Connections,
        slot: ConnectionSlot,
        frame_limit: TokenBucket,
        received: TickBatch[tuple[ReadingConnection, bytes]],
    ) -> None:
        """Set its attributes; `frame_limit` is for frames that complete no message."""
        self._connections = connections
        self.slot = slot
        self._frame_limit = frame_limit
        self.received = received

    def discard_headers(self) -> None:
        """Free the headers of request and response, which nothing reads after the handshake."""
        for message in (self.request, self.response):
            if message is not None:
                message.headers.clear()

    def connection_made(self, transport: BaseTransport) -> None:
        """See `asyncio.Protocol`."""
        super().connection_made(transport)
        self._connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        self._connections.remove(self)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """See `asyncio.Protocol`."""
        super().pause_writing()
        self._connections.watch_slow_reader(self)

    def process_event(self, event: Request | Frame | Any) -> None:
        """See `ReadingConnection`; pings, pongs and fragments have a rate limit of their own."""
        ends_message = isinstance(event, Frame) and event.fin and event.opcode in DATA_OPCODES
        is_frame = isinstance(event, Frame) and self.protocol.state is OPEN
        if is_frame and not ends_message and not self._frame_limit.take():
            self._connections.close_flooding(self)
        super().process_event(event)


def is_allowed_origin(sent: Sequence[str], allowed: Collection[str]) -> bool:
    """Return whether a request with these `Origin` headers may open a WebSocket.

    A browser lets any page open a WebSocket to any server and names the page's origin (RFC 6455,
    section 10.2). Other programs send no such header and are allowed.
    """
    return all(origin.lower() in allowed for origin in sent)
