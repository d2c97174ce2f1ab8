"""The opening handshake of a connection: counted, secured by TLS, its HTTP request answered.

A peer that sends nothing, or one byte after the other, costs a few hundred bytes and no task, and
not for long. websockets sees a request only when its whole head is there.

A response may leave the connection open for one more request, so that a browser far away needs no
second handshake of TCP and TLS for the files that the page names. The request has to come within
`KEPT_S`, and `handshake_s` is for all of them together; the next one is answered when the client
has taken the last response.
"""

import asyncio
import http
import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from email.utils import formatdate
from typing import cast
from urllib.parse import parse_qs, urlsplit

from websockets.datastructures import Headers
from websockets.http11 import Request, Response
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from boxroom_engine.wire.recognition import (
    NO_CHANNEL,
    SERVER_ID_HEADER,
    tcp_channel,
    tls_channel,
)
from boxroom_server.clock import Cancellable, Clock
from boxroom_server.net.admission import Admission, ConnectionSlot, Rejection
from boxroom_server.net.client_address import forwarded_for, is_within, plain_address
from boxroom_server.net.clients import HANDSHAKE_WORK, TLS_WORK
from boxroom_server.net.connection import free, library_logger
from boxroom_server.net.early_messages import early_frames, select_subprotocol
from boxroom_server.net.origins import AllowedPages
from boxroom_server.net.tls import Certificate
from boxroom_server.options import Options
from boxroom_server.tasks import Tasks
from boxroom_server.work_queue import WorkQueue

logger = logging.getLogger(__name__)

Respond = Callable[[ConnectionSlot, Request], Response | None]
"""Returns the response to a plain HTTP request or a rejected one; None opens a WebSocket."""

KEEP_ALIVE = "keep-alive"
"""Value of the header `Connection` of a response after which another request may come."""

Open = Callable[[asyncio.Transport, ConnectionSlot], asyncio.Protocol]
"""Takes over a connection whose handshake is complete, and returns its protocol."""

TLS_LIMIT_S = 86_400.0
"""The event loop's limit of a TLS handshake: never reached, as hold-ups would count for it.

`Handshake` has a deadline of its own.
"""

KEPT_S = 3.0
"""Time for which a connection stays open after a response: a round trip, and time to read."""

ANSWERS_PER_TICK = 4
"""Requests that are answered in one tick: each takes 0.3 ms, and a crowd may come at once."""

_END_OF_HEAD = b"\r\n\r\n"


class Handshakes:
    """The unfinished handshakes of one server, and the settings that they share."""

    def __init__(
        self,
        options: Options,
        clock: Clock,
        tasks: Tasks,
        certificate: Certificate | None,
        admission: Admission,
        *,
        server_header: str,
        server_id: str = "",
        respond: Respond,
        open_connection: Open,
    ) -> None:
        self.clock = clock
        self.tasks = tasks
        self.certificate = certificate
        self.admission = admission
        self.server_header = server_header
        self.server_id = server_id
        """Id that clients are told when a WebSocket is opened."""
        self.respond = respond
        self.open_connection = open_connection
        self.proxies = options.trusted_networks()
        """Networks of the proxies whose X-Forwarded-For is believed."""
        self.handshake_s = options.handshake_s
        self.header_bytes = options.header_bytes
        self.drain_s = options.drain_s
        self.pending: set[Handshake] = set()
        """Handshakes that are counted and not finished."""
        self.in_turn = WorkQueue(Handshake.take_turn, ANSWERS_PER_TICK)
        """Those whose request is complete, and whose client has credit."""
        self._allowed_pages = AllowedPages.of(options)

    def rejection(self, slot: ConnectionSlot, request: Request) -> Rejection | None:
        """Return why the client in `slot` is rejected; None if it isn't.

        Behind a trusted proxy it is known only now.
        """
        if is_within(slot.address, self.proxies):
            forwarded = request.headers.get_all("X-Forwarded-For")
            client = forwarded_for(slot.address, forwarded, self.proxies)
            self.admission.identify(slot, client)
        return slot.rejection

    @staticmethod
    def was_sent(request: Request) -> bool:
        """Return whether `request` names the server of a cluster to which the client was sent."""
        return "at" in parse_qs(urlsplit(request.path).query)

    def origin_rejection(self, request: Request) -> Rejection | None:
        """Return why `request` for a WebSocket is rejected for its page; None if it isn't."""
        headers = request.headers
        if not self._allowed_pages.allow(headers.get_all("Origin"), headers.get_all("Host")):
            text = "this server lets no page of that origin in"
            return Rejection(http.HTTPStatus.FORBIDDEN, text)
        return None

    def channel(self, transport: asyncio.Transport, slot: ConnectionSlot) -> str:
        """Return this end of a connection, as its client sees it; see `recognition`.

        It is `NO_CHANNEL` if a trusted proxy is between them.
        """
        if self.certificate is not None:
            der = self.certificate.der
            return NO_CHANNEL if der is None else tls_channel(der)
        here, peer = (transport.get_extra_info(name) for name in ("sockname", "peername"))
        if not here or not peer or plain_address(peer[0]) != slot.address:
            return NO_CHANNEL
        return tcp_channel(here[0], here[1])

    def abort(self) -> None:
        """Abort all of them."""
        for handshake in list(self.pending):
            handshake.abort()


class Handshake(asyncio.Protocol):
    """One connection from when it is accepted to the response to its HTTP request."""

    __slots__ = (
        "_deadline",
        "_idle_timer",
        "_is_unread",
        "_is_waiting",
        "_received",
        "_shared",
        "_slot",
        "_socket",
        "_transport",
    )

    def __init__(self, shared: Handshakes) -> None:
        self._shared = shared
        self._received = bytearray()  # the request so far
        # Its place in the counts; None before it is connected and if it isn't admitted.
        self._slot: ConnectionSlot | None = None
        # None during the TLS handshake, which goes over `_socket`.
        self._transport: asyncio.Transport | None = None
        self._socket: socket.socket | None = None  # own handle of the socket, with TLS only
        self._deadline: Cancellable
        # Ends a connection that has had a response and sends no other request; None before.
        self._idle_timer: Cancellable | None = None
        self._is_unread = False  # whether the client hasn't taken all of a response
        self._is_waiting = False  # whether a complete request waits for its turn

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to read; with TLS this is called a second time, after the TLS handshake."""
        shared = self._shared
        self._transport = cast("asyncio.Transport", transport)
        if self._slot is not None:
            return
        peer = transport.get_extra_info("peername")
        address = plain_address(peer[0]) if peer else ""
        self._slot = shared.admission.acquire(address, is_proxy=is_within(address, shared.proxies))
        if self._slot is None:
            self._transport.abort()
            return
        shared.pending.add(self)
        self._deadline = shared.clock.call_later(shared.handshake_s, self._time_out)
        if shared.certificate is not None:
            self._start_tls(self._transport, shared.certificate)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._finish():
            assert self._slot is not None
            self._shared.admission.release(self._slot)

    def data_received(self, data: bytes) -> None:
        assert self._transport is not None
        if self._transport.is_closing():
            return
        self._received += data
        self._process()

    def _process(self) -> None:
        """Answer the request if its head is there, and the client has taken what it asked for."""
        assert self._transport is not None
        if self not in self._shared.pending or self._transport.is_closing():
            return
        if not self._received or self._is_unread or self._is_waiting:
            return
        if not self._received[:1].isupper():  # most likely TLS, whose first byte is 22
            self._reject(http.HTTPStatus.BAD_REQUEST, "this is no TLS but HTTP: use ws://")
            return
        end = self._received.find(_END_OF_HEAD)
        if (len(self._received) if end < 0 else end) > self._shared.header_bytes:
            text = f"the head of a request has at most {self._shared.header_bytes} bytes"
            self._reject(http.HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, text)
        elif end >= 0:
            self._wait_for_turn()

    def _wait_for_turn(self) -> None:
        """Answer the request soon, or in a later turn of the client; read no more until then."""
        assert self._transport is not None
        assert self._slot is not None
        client, clients = self._slot.client, self._shared.admission.clients
        self._is_waiting = True
        self._transport.pause_reading()
        if client.credit > 0 or clients.begin_turn(client):
            self._line_up()
        else:
            clients.wait(client, self._line_up)

    def _line_up(self) -> None:
        """Answer the request soon, and charge its client now: others of it may come meanwhile."""
        assert self._slot is not None
        if self._slot.counts_for_client:
            self._slot.client.credit -= HANDSHAKE_WORK
        self._shared.in_turn.add(self)

    def take_turn(self) -> None:
        """Answer the request that waits, unless its time is over."""
        assert self._transport is not None
        assert self._slot is not None
        self._is_waiting = False
        if self not in self._shared.pending or self._transport.is_closing():
            return
        self._transport.resume_reading()
        end = self._received.index(_END_OF_HEAD) + len(_END_OF_HEAD)
        has_paid = self._slot.counts_for_client
        self._answer(bytes(self._received[:end]), bytes(self._received[end:]))
        if not has_paid:  # behind a proxy the client is known only now
            self._slot.client.credit -= HANDSHAKE_WORK

    def pause_writing(self) -> None:
        """Read nothing while a response isn't taken."""
        assert self._transport is not None
        self._is_unread = True
        self._transport.pause_reading()

    def resume_writing(self) -> None:
        """Go on with the next request, if there is one."""
        assert self._transport is not None
        self._is_unread = False
        self._transport.resume_reading()
        # In the next tick: what is answered now may call this again, deeper for each request.
        asyncio.get_running_loop().call_soon(self._process)

    def _answer(self, head: bytes, rest: bytes) -> None:
        """Answer the request in `head`, and open a connection if it asks for one.

        `rest` has come behind it.
        """
        assert self._transport is not None
        assert self._slot is not None
        protocol = ServerProtocol(select_subprotocol=select_subprotocol, logger=library_logger)
        protocol.receive_data(head)
        is_kept = False
        early = b""
        for request in protocol.events_received():  # none if it is malformed
            assert isinstance(request, Request)
            response = self._response(protocol, self._slot, request)
            is_kept = response.headers.get("Connection") == KEEP_ALIVE
            protocol.send_response(response)
            if protocol.state is OPEN:
                early = early_frames(request.headers)
        # It tells when the client has taken all. With 0 asyncio's TLS would pause an empty buffer.
        self._transport.set_write_buffer_limits(*((1, 0) if is_kept else ()))
        self._transport.write(b"".join(protocol.data_to_send()))
        free(protocol)
        if is_kept:
            self._await_another(rest)
            return
        if protocol.state is not OPEN:
            self._transport.close()
            return
        connection = self._shared.open_connection(self._transport, self._slot)
        self._finish()
        self._transport.set_protocol(connection)
        if received := early + rest:
            connection.data_received(received)

    def _response(
        self, protocol: ServerProtocol, slot: ConnectionSlot, request: Request
    ) -> Response:
        response = self._shared.respond(slot, request)
        if response is None:
            response = protocol.accept(request)
            response.headers[SERVER_ID_HEADER] = self._shared.server_id
        elif response.headers.get("Connection") == KEEP_ALIVE and not self._may_be_kept(request):
            del response.headers["Connection"]
            response.headers["Connection"] = "close"
        response.headers["Server"] = self._shared.server_header
        return response

    def _may_be_kept(self, request: Request) -> bool:
        """Return whether the connection may stay open after the response to `request`.

        One through a proxy mustn't: the proxy may send requests of several clients over it.
        """
        assert self._transport is not None
        peer = self._transport.get_extra_info("peername")
        if not peer or is_within(plain_address(peer[0]), self._shared.proxies):
            return False
        wishes = ",".join(request.headers.get_all("Connection")).lower().split(",")
        return "close" not in (wish.strip() for wish in wishes)

    def _await_another(self, rest: bytes) -> None:
        """Wait for another request, of which `rest` has come."""
        shared = self._shared
        self._received = bytearray(rest)
        if rest:  # in the next tick, when it is known whether the client takes the response
            asyncio.get_running_loop().call_soon(self._process)
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        self._idle_timer = shared.clock.call_later(KEPT_S, self._end_if_idle)

    def _end_if_idle(self) -> None:
        """End the connection unless something is under way, which has a deadline of its own."""
        assert self._transport is not None
        if not (self._received or self._is_unread):
            self._transport.close()

    def abort(self) -> None:
        """Close the connection without an answer."""
        if self._transport is not None:
            self._transport.abort()
        else:
            assert self._socket is not None
            with suppress(OSError):  # the peer may have closed it in this moment
                self._socket.shutdown(socket.SHUT_RDWR)

    # TLS

    def _start_tls(self, transport: asyncio.Transport, certificate: Certificate) -> None:
        """Take the socket away from `transport` and connect again, with TLS.

        The event loop's `start_tls` would come too late: uvloop may have read the first bytes
        when it is called. So `transport` must not read at all.
        """
        accepted = transport.get_extra_info("socket")
        try:
            self._socket = socket.fromfd(accepted.fileno(), accepted.family, accepted.type)
        except OSError:  # there are no more open files
            transport.abort()
            return
        self._transport = None
        transport.set_protocol(asyncio.Protocol())
        transport.abort()
        self._shared.tasks.start(self._connect_with_tls(self._socket, certificate))

    async def _connect_with_tls(self, accepted: socket.socket, certificate: Certificate) -> None:
        assert self._slot is not None
        client, clients = self._slot.client, self._shared.admission.clients
        if client.credit <= 0 and not clients.begin_turn(client):
            turn = asyncio.Event()
            clients.wait(client, turn.set)
            await turn.wait()
        client.credit -= TLS_WORK
        try:
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: self,
                accepted,
                ssl=certificate.context,
                ssl_handshake_timeout=TLS_LIMIT_S,
                ssl_shutdown_timeout=self._shared.drain_s,
            )
        except OSError as error:  # as all errors of TLS are
            logger.debug("TLS failed: %s", error)
            self.connection_lost(error)

    # Ending

    def _time_out(self) -> None:
        transport = self._transport
        if transport is not None and self._received and not transport.is_closing():
            self._reject(http.HTTPStatus.REQUEST_TIMEOUT, "the request took too long")
        else:
            self.abort()

    def _reject(self, status: http.HTTPStatus, sentence: str) -> None:
        assert self._transport is not None
        self._transport.write(text_response(status, f"{sentence}\n").serialize())
        self._transport.close()

    def _finish(self) -> bool:
        """End the handshake; return False if it has ended before."""
        if self not in self._shared.pending:
            return False
        self._shared.pending.discard(self)
        self._deadline.cancel()
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        return True


def text_response(status: http.HTTPStatus, text: str) -> Response:
    """Return an HTTP response after which the connection is closed."""
    body = text.encode()
    headers = Headers(
        {
            "Date": formatdate(usegmt=True),
            "Connection": "close",
            "Content-Length": str(len(body)),
            "Content-Type": "text/plain; charset=utf-8",
        }
    )
    return Response(status.value, status.phrase, headers, body)
