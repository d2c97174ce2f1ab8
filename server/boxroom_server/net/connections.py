"""Every connection of a server, from its first byte to its last, so that it can be cut.

websockets knows how to close a connection that is open, and a reader that reads. Here is what
is left to do for the rest: who connects and says nothing, who says goodbye and stays, who has
the server answer pings without ever reading a pong, and who sends pings and pieces of messages
without end. Before there is a request, a connection is on a `doorstep`.
"""

import asyncio
import http
from asyncio import BaseTransport
from collections.abc import Callable, Iterable
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
from boxroom_server.net.admission import Ticket, Turned
from boxroom_server.net.client_address import forwarded_for, is_within
from boxroom_server.net.handshake import Handshake, Handshakes
from boxroom_server.net.origins import may_connect, parse_origins
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
        self._origins = parse_origins(options.origins)
        self._doorsteps = Handshakes(options, clock, tasks, certificate)
        self._all: set[AdmittedConnection] = set()
        self._reading = TickBatch(ReadingConnection.take_in)

    # Coming

    def accept(
        self, protocol: ServerProtocol, server: WebSocketServer, **settings: Any
    ) -> Handshake:
        """What the server makes its connections with (`create_connection` of websockets)."""
        make = partial(AdmittedConnection, protocol, server, **settings)
        return Handshake(self._doorsteps, partial(self._let_in, make))

    def _let_in(
        self,
        make: Callable[[], "AdmittedConnection"],
        transport: asyncio.Transport,
        ticket: Ticket,
        head: bytes,
    ) -> None:
        connection = make()
        connection.admit(self, ticket, self._spare_frames(), self._reading)
        transport.set_protocol(connection)
        connection.connection_made(transport)
        connection.data_received(head)

    def _spare_frames(self) -> TokenBucket:
        options = self._options
        now_s = asyncio.get_running_loop().time
        return TokenBucket(options.frames_per_s, options.frames_burst, now_s)

    def turned_away(self, connection: ServerConnection, request: Request) -> Turned | None:
        """Why `connection`, which asks for a WebSocket, doesn't get it; None if it does."""
        assert isinstance(connection, AdmittedConnection)
        ticket, proxies = connection.ticket, self._doorsteps.proxies
        if is_within(ticket.address, proxies):
            forwarded = request.headers.get_all("X-Forwarded-For")
            client = forwarded_for(ticket.address, forwarded, proxies)
            self._doorsteps.admission.identify(ticket, client)
        if ticket.turned is not None:
            return ticket.turned
        if not may_connect(request.headers.get_all("Origin"), self._origins):
            return Turned(http.HTTPStatus.FORBIDDEN, "this server lets no page of that origin in")
        return None

    # Going

    def made(self, connection: "AdmittedConnection") -> None:
        """There is one more."""
        self._all.add(connection)

    def lost(self, connection: "AdmittedConnection") -> None:
        """It is gone."""
        self._all.discard(connection)
        self._doorsteps.admission.leave(connection.ticket)

    def paused(self, connection: ServerConnection) -> None:
        """More than `unread_bytes` waits for its reader: look again in `drain_s`."""
        waits = connection.transport.get_write_buffer_size()
        self._clock.call_later(self._options.drain_s, lambda: self._look(connection, waits))

    def _look(self, connection: ServerConnection, waited: int) -> None:
        """Cut a reader that has read nothing, or for whom too much waits; bear with a slow one."""
        if not connection.paused or connection.transport.is_closing():
            return
        waits = connection.transport.get_write_buffer_size()
        if waits == waited or waits > self._options.unread_bytes:
            self._cut([connection])
        else:
            self.paused(connection)

    def flooded(self, connection: ServerConnection) -> None:
        """It sends frames without messages, too many of them: close it, and cut it if it stays."""
        connection.protocol.fail(CLOSE_TOO_FAST, "too many frames")
        connection.send_data()
        self._clock.call_later(self._options.drain_s, lambda: self._cut([connection]))

    def cut(self) -> None:
        """Cut those that haven't come to a conversation now, and the others in `drain_s`."""
        self._doorsteps.cut()
        self._clock.call_later(self._options.drain_s, self._cut_all)

    def _cut_all(self) -> None:
        self._doorsteps.cut()
        self._cut(list(self._all))

    def _cut(self, connections: Iterable[ServerConnection]) -> None:
        for connection in connections:
            connection.transport.abort()


class AdmittedConnection(ReadingConnection):
    """A connection that has sent a request, and is one of a server's `Connections`."""

    __slots__ = ("_of_server", "_spare_frames", "ticket")  # see `ReadingConnection`

    def admit(
        self,
        of_server: Connections,
        ticket: Ticket,
        spare_frames: TokenBucket,
        reading: TickBatch[tuple[ReadingConnection, bytes]],
    ) -> None:
        """Say whose it is, and how many frames it may send that bring no message."""
        self._of_server = of_server
        self.ticket = ticket
        self._spare_frames = spare_frames
        self.reading = reading

    def forget_handshake(self) -> None:
        """Let go of all headers: nobody looks at them again, and they may stay for hours."""
        for message in (self.request, self.response):
            if message is not None:
                message.headers.clear()

    def connection_made(self, transport: BaseTransport) -> None:
        """See `asyncio.Protocol`."""
        super().connection_made(transport)
        self._of_server.made(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        self._of_server.lost(self)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """See `asyncio.Protocol`."""
        super().pause_writing()
        self._of_server.paused(self)

    def process_event(self, event: Request | Frame | Any) -> None:
        """See `ReadingConnection`: pings, pongs and pieces count as messages do elsewhere."""
        brings_message = isinstance(event, Frame) and event.fin and event.opcode in DATA_OPCODES
        is_frame = isinstance(event, Frame) and self.protocol.state is OPEN
        if is_frame and not brings_message and not self._spare_frames.take():
            self._of_server.flooded(self)
        super().process_event(event)
