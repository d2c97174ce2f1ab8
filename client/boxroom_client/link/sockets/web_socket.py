"""One WebSocket to a server: opening it, messages over it, and its errors in words for users."""

import asyncio
import re
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Self

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI

from boxroom_client.link.errors import Disconnected, ProtocolError, Unreachable
from boxroom_client.link.sockets.cleaning import read_message
from boxroom_client.link.sockets.proxies import by_proxy, is_refused, open_socket
from boxroom_client.link.sockets.tls import (
    CertificateAuthorityError,
    ssl_context,
    tls_failure_message,
)
from boxroom_client.servers.address import Address
from boxroom_common.phrases import say
from boxroom_common.version import VERSION
from boxroom_engine.room.text import clean
from boxroom_engine.wire.codec import MessageError, encode
from boxroom_engine.wire.messages import ClientMessage, ServerMessage
from boxroom_engine.wire.recognition import SERVER_ID_HEADER, tcp_channel, tls_channel
from boxroom_engine.wire.urls import is_link_local

MOST_BYTES = 8 * 2**20
"""Longest message that is accepted: many times the snapshot of a huge board."""

CLIENT = f"boxroom {VERSION}"
"""Name and version of this client, as it sends them in `Hello`."""

SECOND_S = 5.0
"""Time without an opened WebSocket after which a second one is opened beside it."""

CLOSE_S = 2.0
"""Timeout in seconds for the server's part of the closing handshake."""


@asynccontextmanager
async def answering_within(limit_s: float, address: Address) -> AsyncIterator[None]:
    """Limit the time that the exchange with the server at `address` inside the context may take.

    Raises:
        Unreachable: it took longer.
    """
    try:
        async with asyncio.timeout(limit_s):
            yield
    except TimeoutError:
        late = say("terminal.link.late", address=str(address), seconds=f"{limit_s:g}")
        raise Unreachable(late + by_proxy(address)) from None


class WebSocket:
    """A WebSocket to a server; `open` makes one."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    @classmethod
    async def open(cls, address: Address, client: str) -> Self:
        """Connect, in one of two attempts if the first takes long. The caller limits the time.

        Raises:
            Unreachable: there is no Boxroom server at `address`, or it is too busy now.
        """
        return cls(await _connect(address, client))

    @property
    def server_id(self) -> str | None:
        """Id by which the server wants to be known; None if it tells none.

        Nothing proves yet that it is this server's.
        """
        response = self._connection.response
        server_id = response.headers.get(SERVER_ID_HEADER) if response is not None else None
        if server_id is None or not re.fullmatch(r"[!-~]{1,100}", server_id):
            return None
        return server_id

    @property
    def channel(self) -> str:
        """The server's end of the connection, as it is seen from here; see `recognition`.

        Raises:
            Disconnected: the connection has ended.
        """
        transport = self._connection.transport
        tls: ssl.SSLObject | None = transport.get_extra_info("ssl_object")
        if tls is not None:
            certificate = tls.getpeercert(binary_form=True)
            assert certificate is not None, "verification is always on"
            return tls_channel(certificate)
        peer = transport.get_extra_info("peername")
        if peer is None:
            raise Disconnected(say("terminal.link.cut"))
        return tcp_channel(peer[0], peer[1])

    async def send(self, message: ClientMessage) -> None:
        """Send `message`; it may still get lost.

        Raises:
            Disconnected: the connection has ended.
        """
        try:
            await self._connection.send(encode(message), text=True)
        except ConnectionClosed as error:
            raise _disconnected(error) from error

    async def receive(self) -> ServerMessage:
        """Wait for the next message and return it, with every text in it cleaned.

        Raises:
            Disconnected: the connection has ended.
            ProtocolError: the server sent something else than a message.
        """
        try:
            raw = await self._connection.recv(decode=False)
        except ConnectionClosed as error:
            raise _disconnected(error) from error
        try:
            # `recv` doesn't yield while frames are buffered: let other tasks run between two.
            await asyncio.sleep(0)
            return read_message(raw)
        except MessageError as error:
            raise ProtocolError(f"it sent what is no message ({clean(str(error))})") from error

    async def ping(self) -> asyncio.Future[None]:
        """Send a ping and return a future for the server's answer.

        Raises:
            Disconnected: the connection has ended; the future raises it, too.
        """
        try:
            answer = await self._connection.ping()
        except ConnectionClosed as error:
            raise _disconnected(error) from error
        return asyncio.ensure_future(_answered(answer))

    def abort(self) -> None:
        """Cut the connection."""
        self._connection.transport.abort()

    async def close(self) -> None:
        """Close the connection, within `CLOSE_S` even if the server doesn't answer."""
        try:
            # Alone, close() has its timeout once for each step, and waits for what is unsent.
            await asyncio.wait_for(self._connection.close(), CLOSE_S)
        except TimeoutError:
            self._connection.transport.abort()
            await self._connection.wait_closed()


async def _connect(address: Address, client: str) -> ClientConnection:
    """Open a WebSocket; if that takes long, another one beside it, and return the first."""
    attempts = [asyncio.create_task(_attempt(address, client))]
    made: ClientConnection | None = None
    try:
        await asyncio.wait(attempts, timeout=SECOND_S)
        if not attempts[0].done():
            attempts.append(asyncio.create_task(_attempt(address, client)))
        made = await _first_made(attempts)
        return made
    finally:
        for attempt in attempts:
            attempt.cancel()
        for other in await asyncio.gather(*attempts, return_exceptions=True):
            if isinstance(other, ClientConnection) and other is not made:
                other.transport.abort()


async def _first_made(
    attempts: Sequence[asyncio.Task[ClientConnection]],
) -> ClientConnection:
    """Return the first connection that is made, or raise the failure of the first attempt."""
    running = set(attempts)
    while running:
        ended, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        for attempt in ended:
            if attempt.exception() is None:
                return attempt.result()
    return attempts[0].result()


async def _attempt(address: Address, client: str) -> ClientConnection:
    try:
        tls = ssl_context(address.ca_file) if address.secure else None
    except CertificateAuthorityError as error:
        raise Unreachable(str(error)) from error
    try:
        return await open_socket(
            address,
            ssl=tls,
            compression=None,
            max_size=MOST_BYTES,
            open_timeout=None,
            close_timeout=CLOSE_S,
            user_agent_header=client,
        )
    except Unreachable:  # an OSError, too: it is about a proxy
        raise
    except (OSError, EOFError, InvalidHandshake, InvalidURI) as error:
        raise Unreachable(_why_unreachable(address, error) + by_proxy(address)) from error


def _why_unreachable(address: Address, error: Exception) -> str:
    """Return a sentence for users who don't know sockets."""
    match error:
        case InvalidStatus(response=response):
            text = clean(response.body[:200].decode(errors="replace"))
            bare = replace(address, path="", has_final_slash=False)
            hint = (
                f" ({say('terminal.link.without_path', address=str(bare))})" if address.path else ""
            )
            status = f"{response.status_code} {text}".strip()
            return say("terminal.link.http_error", address=str(address), status=status) + hint
        case InvalidHandshake() | InvalidURI() | EOFError():
            # A server that awaits TLS closes the connection; any other answers something.
            may_be_tls = not address.secure and isinstance(error.__cause__ or error, EOFError)
            with_tls = replace(address, secure=True)
            hint = (
                f" ({say('terminal.link.with_tls', address=str(with_tls))})" if may_be_tls else ""
            )
            no_server = say(
                "terminal.link.no_server", address=str(address), error=clean(str(error))
            )
            return no_server + hint
        case ssl.SSLError():
            return tls_failure_message(address, error)
        case socket.gaierror():
            return say(
                "terminal.link.no_host", host=address.host, error=error.strerror or str(error)
            )
        case TimeoutError():
            return say("terminal.link.no_answer", address=str(address))
        case OSError() if is_refused(error):
            return say("terminal.link.nothing_there", address=str(address))
        case _:
            pass
    if is_link_local(address.host) and "%" not in address.host and ":" in address.host:
        return say("terminal.link.needs_zone", address=str(address), host=address.host)
    reason = getattr(error, "strerror", None) or str(error)
    return say("terminal.link.unreachable", address=str(address), error=reason)


async def _answered(answer: Awaitable[float]) -> None:
    try:
        await answer
    except ConnectionClosed as error:
        raise _disconnected(error) from error


def _disconnected(error: ConnectionClosed) -> Disconnected:
    """Return the error for a closed connection, with the server's close code if it sent one."""
    closed = error.rcvd
    if closed is None:
        return Disconnected(say("terminal.link.cut"))
    return Disconnected(
        say("terminal.link.hung_up", reason=clean(closed.reason) or closed.code), closed.code
    )
