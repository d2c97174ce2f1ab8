"""The metrics server: an HTTP server on an address of its own, for monitoring programs."""

from asyncio import BaseTransport
from functools import partial
from typing import Any, cast

from websockets.asyncio.server import Server as WebSocketServer
from websockets.asyncio.server import ServerConnection
from websockets.asyncio.server import serve as serve_websockets

from boxroom_server.ops.endpoints import Endpoints
from boxroom_server.ops.logs import without_frames
from boxroom_server.options import Options

LOOPBACK = "127.0.0.1"
"""The default address, for programs on this machine only."""

MOST_BYTES = 4096
"""Limit of a message; no request needs one."""


class MetricsServer:
    """An HTTP server that answers with `endpoints` on the options' metrics address.

    A client has `hello_s` to send its request and to read the response; then it is aborted.
    """

    def __init__(self, options: Options, endpoints: Endpoints) -> None:
        self._options = options
        self._endpoints = endpoints
        self._open: set[ServerConnection] = set()  # connections from accept to close
        self._sockets: WebSocketServer | None = None  # None before `start`

    @property
    def host_and_port(self) -> tuple[str, int]:
        """IP address and port that it listens on."""
        assert self._sockets is not None, "start it first"
        host, port, *_ = self._sockets.sockets[0].getsockname()
        return host, port

    async def start(self) -> None:
        """Listen.

        Raises:
            OSError: the address can't be bound.
        """
        options = self._options
        self._sockets = await serve_websockets(
            _never,
            options.metrics_host or LOOPBACK,
            options.metrics_port,
            compression=None,
            process_request=lambda _, request: self._endpoints.respond_on_metrics_address(request),
            max_size=MOST_BYTES,
            open_timeout=options.hello_s,
            close_timeout=options.hello_s,
            server_header=None,
            create_connection=cast(Any, partial(_Connection, self._open)),  # the type is narrow
            logger=without_frames("websockets.server"),
        )

    async def stop(self) -> None:
        """Stop listening and abort all connections."""
        if self._sockets is not None:
            self._sockets.close()
            for connection in self._open:
                connection.transport.abort()
            await self._sockets.wait_closed()


class _Connection(ServerConnection):
    """A connection that is in `open_connections` from accept to close."""

    def __init__(self, open_connections: set[ServerConnection], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._open_connections = open_connections

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self._open_connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._open_connections.discard(self)
        super().connection_lost(exc)


async def _never(connection: ServerConnection) -> None:
    raise NotImplementedError  # every request gets an HTTP response, so no WebSocket is opened
