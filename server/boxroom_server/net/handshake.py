"""A connection before it has asked for anything: counted, secured by TLS, its request read.

Only when the whole head of an HTTP request is there does websockets learn of a connection. So
peers who connect and say nothing, or one byte after the other, cost a few hundred bytes and no
task, and not for long. What the request asks for isn't looked at here.
"""

import asyncio
import http
import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import cast

from websockets.datastructures import Headers
from websockets.http11 import Response

from boxroom_server.clock import Cancellable, Clock
from boxroom_server.net.admission import Admission, Ticket
from boxroom_server.net.client_address import is_within, parse_networks, plain_address
from boxroom_server.net.tls import Certificate
from boxroom_server.options import Options
from boxroom_server.tasks import Tasks

logger = logging.getLogger(__name__)

LetIn = Callable[[asyncio.Transport, Ticket, bytes], None]
"""Goes on with a connection: its transport, how it is counted, and what has been read of it."""

_END_OF_HEAD = b"\r\n\r\n"


class Handshakes:
    """The doorsteps of one server, and what is the same for all of them."""

    def __init__(
        self, options: Options, clock: Clock, tasks: Tasks, certificate: Certificate | None
    ) -> None:
        self.clock = clock
        self.tasks = tasks
        self.certificate = certificate
        self.admission = Admission(options.connections, options.connections_per_address)
        self.proxies = parse_networks(options.trust_proxy)
        self.handshake_s = options.handshake_s
        self.header_bytes = options.header_bytes
        self.drain_s = options.drain_s
        self.waiting: set[Handshake] = set()

    def cut(self) -> None:
        """Cut whoever is still on a doorstep."""
        for doorstep in list(self.waiting):
            doorstep.cut()


class Handshake(asyncio.Protocol):
    """One connection from when it is accepted to the end of its request."""

    def __init__(self, shared: Handshakes, let_in: LetIn) -> None:
        self._shared = shared
        self._let_in = let_in
        self._head = bytearray()
        self._ticket: Ticket | None = None
        self._transport: asyncio.Transport | None = None
        """None as long as TLS shakes hands over `_socket`."""
        self._socket: socket.socket | None = None
        self._deadline: Cancellable

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See `asyncio.Protocol`; with TLS it is called again, when that stands."""
        shared = self._shared
        self._transport = cast("asyncio.Transport", transport)
        if self._ticket is not None:
            return
        peer = transport.get_extra_info("peername")
        address = plain_address(peer[0]) if peer else ""
        self._ticket = shared.admission.enter(address, is_proxy=is_within(address, shared.proxies))
        if self._ticket is None:
            self._transport.abort()
            return
        shared.waiting.add(self)
        self._deadline = shared.clock.call_later(shared.handshake_s, self._lose_patience)
        if shared.certificate is not None:
            self._secure(self._transport, shared.certificate)

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        if self._leaves():
            assert self._ticket is not None
            self._shared.admission.leave(self._ticket)

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`."""
        assert self._transport is not None
        if self._transport.is_closing():
            return
        searched = max(0, len(self._head) - len(_END_OF_HEAD))
        self._head += data
        if not self._head[:1].isupper():  # most likely TLS, whose first byte is 22
            self._turn_away(http.HTTPStatus.BAD_REQUEST, "this is no TLS but HTTP: use ws://")
            return
        end = self._head.find(_END_OF_HEAD, searched)
        if (len(self._head) if end < 0 else end) > self._shared.header_bytes:
            most = f"the head of a request has at most {self._shared.header_bytes} bytes"
            self._turn_away(http.HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, most)
        elif end >= 0 and self._leaves():
            assert self._ticket is not None
            self._let_in(self._transport, self._ticket, bytes(self._head))

    def cut(self) -> None:
        """End it without a word."""
        if self._transport is not None:
            self._transport.abort()
        else:
            assert self._socket is not None
            with suppress(OSError):  # the peer may have gone in this moment
                self._socket.shutdown(socket.SHUT_RDWR)

    # TLS

    def _secure(self, transport: asyncio.Transport, certificate: Certificate) -> None:
        """Begin again with TLS.

        The event loop's `start_tls` would come too late: uvloop may have read the first bytes
        when it is called. So the socket is taken away from `transport`, before that reads.
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
        self._shared.tasks.start(self._shake_hands(self._socket, certificate))

    async def _shake_hands(self, accepted: socket.socket, certificate: Certificate) -> None:
        try:
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: self,
                accepted,
                ssl=certificate.context,
                ssl_handshake_timeout=self._shared.handshake_s,
                ssl_shutdown_timeout=self._shared.drain_s,
            )
        except OSError as error:  # as all errors of TLS are
            logger.debug("TLS failed: %s", error)
            self.connection_lost(error)

    # Impatience

    def _lose_patience(self) -> None:
        transport = self._transport
        if transport is not None and self._head and not transport.is_closing():
            self._turn_away(http.HTTPStatus.REQUEST_TIMEOUT, "the request took too long")
        else:
            self.cut()

    def _turn_away(self, status: http.HTTPStatus, sentence: str) -> None:
        assert self._transport is not None
        body = f"{sentence}\n".encode()
        headers = Headers({"Connection": "close", "Content-Length": str(len(body))})
        self._transport.write(Response(status, status.phrase, headers, body).serialize())
        self._transport.close()

    def _leaves(self) -> bool:
        """Leave the doorstep: whether it was still there."""
        if self not in self._shared.waiting:
            return False
        self._shared.waiting.discard(self)
        self._deadline.cancel()
        return True
