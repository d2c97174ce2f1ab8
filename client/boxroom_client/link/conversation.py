"""One WebSocket connection to a server, from the handshake and hello to its end."""

import asyncio
import errno
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from importlib.metadata import version
from typing import Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import (
    ConnectionClosed,
    InvalidHandshake,
    InvalidProxy,
    InvalidStatus,
    InvalidURI,
)

from boxroom_client.link.cleaning import read_message
from boxroom_client.link.errors import Disconnected, JoinRefused, ProtocolError, Unreachable
from boxroom_client.link.pending_commands import TOO_FAST
from boxroom_client.link.tls import CertificateAuthorityError, ssl_context, tls_failure_message
from boxroom_client.profile.identity import Identity
from boxroom_client.servers.address import Address
from boxroom_engine.room.text import clean
from boxroom_engine.wire.codec import MessageError, encode
from boxroom_engine.wire.messages import (
    PROTOCOL,
    TAKEBACKS,
    ClientMessage,
    Hello,
    ListRooms,
    Notice,
    Refused,
    RoomListed,
    Rooms,
    ServerMessage,
    Welcome,
)

MOST_BYTES = 8 * 2**20
"""Longest message that is accepted: many times the snapshot of a huge board."""

CLIENT = f"boxroom {version('boxroom')}"
"""Name and version of this client, as it sends them in `Hello`."""

MOST_ROOMS = 200
"""Rooms of a server that are asked for: more than fit on any screen."""

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
        raise Unreachable(f"{address} doesn't answer within {limit_s:g} seconds") from None


class Conversation:
    """A connection after hello and welcome; `open` makes one."""

    def __init__(self, connection: ClientConnection, welcome: Welcome) -> None:
        self._connection = connection
        self.welcome = welcome

    @classmethod
    async def open(cls, address: Address, identity: Identity, client: str) -> Self:
        """Connect and say hello. The caller limits the time.

        Raises:
            Unreachable: there is no Boxroom server at `address`, or it is too busy now.
            JoinRefused: it refuses this client, for example because of the name.
        """
        connection = await _connect(address, client)
        try:
            hello = Hello(PROTOCOL, identity.name, identity.secret, client, (TAKEBACKS,))
            try:
                with suppress(Disconnected):  # it may have sent the reason before it closed
                    await _send(connection, hello)
                while isinstance(answer := await _receive(connection), Notice):
                    pass  # for people, who aren't there yet
            except ProtocolError as error:
                raise Unreachable(f"{address} isn't a Boxroom server: {error}") from error
            except Disconnected as error:
                raise Unreachable(f"{address} doesn't greet back: {error}") from error
            match answer:
                case Welcome():
                    return cls(connection, answer)
                case Refused(code=code) if code == TOO_FAST:
                    raise Unreachable(answer.message)
                case Refused():
                    raise JoinRefused(answer.code, answer.message)
                case _:
                    raise Unreachable(f"{address} isn't a Boxroom server that greets")
        except BaseException:
            await _close(connection)
            raise

    async def send(self, message: ClientMessage) -> None:
        """Send `message`; it may still get lost.

        Raises:
            Disconnected: the connection has ended.
        """
        await _send(self._connection, message)

    async def receive(self) -> ServerMessage:
        """Wait for the next message and return it, with every text in it cleaned.

        Raises:
            Disconnected: the connection has ended.
            ProtocolError: the server sent something else than a message.
        """
        return await _receive(self._connection)

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

    async def close(self) -> None:
        """Close the connection, within `CLOSE_S` even if the server doesn't answer."""
        await _close(self._connection)


async def all_pages(ask: Callable[[str], Awaitable[Rooms]]) -> tuple[RoomListed, ...]:
    """Return the rooms of all pages, at most about `MOST_ROOMS`; `ask` takes the `after` of one."""
    rooms: dict[str, RoomListed] = {}  # by code: a room may move while pages are asked for
    after = ""
    while True:
        known = len(rooms)
        page = await ask(after)
        rooms.update((room.room, room) for room in page.rooms)
        after = page.next
        if not after or not known < len(rooms) < MOST_ROOMS:
            return tuple(rooms.values())


async def list_rooms(
    address: Address, identity: Identity, *, client: str = CLIENT, limit_s: float = 10.0
) -> tuple[RoomListed, ...]:
    """Ask the server at `address` for its open rooms, without entering one.

    Raises:
        Unreachable: it doesn't answer, or isn't a Boxroom server.
        JoinRefused: it refuses this client, for example because of the name.
    """
    async with answering_within(limit_s, address):
        conversation = await Conversation.open(address, identity, client)

        async def ask(after: str) -> Rooms:
            await conversation.send(ListRooms(1, after))
            while True:
                answer = await conversation.receive()
                if isinstance(answer, Rooms):
                    return answer
                if isinstance(answer, Refused):
                    raise Unreachable(f"{address} doesn't list its rooms: {answer.message}")

        try:
            return await all_pages(ask)
        except Disconnected as error:
            raise Unreachable(f"{address} doesn't list its rooms: {error}") from error
        finally:
            await conversation.close()


async def _connect(address: Address, client: str) -> ClientConnection:
    try:
        tls = ssl_context(address.ca_file) if address.secure else None
    except CertificateAuthorityError as error:
        raise Unreachable(str(error)) from error
    try:
        return await connect(
            address.url,
            ssl=tls,
            compression=None,
            max_size=MOST_BYTES,
            open_timeout=None,
            close_timeout=CLOSE_S,
            user_agent_header=client,
            # Proxies are for the way out to the internet, and ws:// is for the local network.
            proxy=True if address.secure else None,
        )
    except InvalidStatus as error:
        text = clean(error.response.body[:200].decode(errors="replace"))
        status = f"{error.response.status_code} {text}".strip()
        raise Unreachable(f"{address} doesn't let us in: HTTP {status}") from error
    except (InvalidHandshake, InvalidURI, EOFError) as error:
        hint = "" if address.secure else f" (with TLS, it would be wss://{address})"
        reason = f"{address} isn't a Boxroom server: {clean(str(error))}{hint}"
        raise Unreachable(reason) from error
    except (InvalidProxy, ImportError) as error:  # ImportError: a SOCKS proxy needs a library
        raise Unreachable(f"the proxy to {address} can't be used: {error}") from error
    except OSError as error:
        raise Unreachable(_why_unreachable(address, error)) from error


def _why_unreachable(address: Address, error: OSError) -> str:
    """Return a sentence for users who don't know sockets."""
    match error:
        case ssl.SSLError():
            return tls_failure_message(address, error)
        case socket.gaierror():
            return f"there is no host called {address.host}: {error.strerror or error}"
        case TimeoutError():
            return f"{address} doesn't answer"
        case _:
            pass
    # When a name has several addresses asyncio makes one error of all, which is no subclass.
    if isinstance(error, ConnectionRefusedError) or f"[Errno {errno.ECONNREFUSED}]" in str(error):
        return f"nothing answers at {address}: is a server running there?"
    return f"{address} can't be reached: {error.strerror or error}"


async def _send(connection: ClientConnection, message: ClientMessage) -> None:
    try:
        await connection.send(encode(message), text=True)
    except ConnectionClosed as error:
        raise _disconnected(error) from error


async def _receive(connection: ClientConnection) -> ServerMessage:
    try:
        raw = await connection.recv(decode=False)
    except ConnectionClosed as error:
        raise _disconnected(error) from error
    try:
        # `recv` doesn't yield while frames are buffered: let other tasks run between two of them.
        await asyncio.sleep(0)
        return read_message(raw)
    except MessageError as error:
        raise ProtocolError(f"it sent what is no message ({clean(str(error))})") from error


async def _close(connection: ClientConnection) -> None:
    try:
        # Alone, close() has its timeout once for each step, and waits for what is unsent.
        await asyncio.wait_for(connection.close(), CLOSE_S)
    except TimeoutError:
        connection.transport.abort()
        await connection.wait_closed()


async def _answered(answer: Awaitable[float]) -> None:
    try:
        await answer
    except ConnectionClosed as error:
        raise _disconnected(error) from error


def _disconnected(error: ConnectionClosed) -> Disconnected:
    """Return the error for a closed connection, with the server's close code if it sent one."""
    closed = error.rcvd
    if closed is None:
        return Disconnected("the connection was cut")
    return Disconnected(f"the server hung up: {clean(closed.reason) or closed.code}", closed.code)
