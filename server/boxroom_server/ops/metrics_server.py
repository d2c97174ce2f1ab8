"""The metrics server: an HTTP server on an address of its own, for monitoring programs."""

import asyncio

from websockets.http11 import Request, Response

from boxroom_server.clock import Clock
from boxroom_server.net.addresses import bound_addresses, listen, reachable_hosts
from boxroom_server.net.admission import Admission, ConnectionSlot
from boxroom_server.net.handshake import Handshake, Handshakes, text_response
from boxroom_server.ops.endpoints import Endpoints
from boxroom_server.options import Options
from boxroom_server.tasks import Tasks

MOST_CONNECTIONS = 64
"""Connections at once; further ones are rejected."""


class MetricsServer:
    """An HTTP server that answers with `endpoints` on the options' metrics address.

    Its connections are handshakes that open no WebSocket, with the same limits of time and size.
    """

    def __init__(
        self, options: Options, clock: Clock, endpoints: Endpoints, *, server_header: str
    ) -> None:
        self._options = options
        self._endpoints = endpoints
        self._admission = Admission(MOST_CONNECTIONS, MOST_CONNECTIONS, asyncio.get_running_loop())
        self._handshakes = Handshakes(
            options,
            clock,
            Tasks(),  # none without TLS
            None,
            self._admission,
            server_header=server_header,
            respond=self._respond,
            open_connection=_never,
        )
        self._listener: asyncio.Server | None = None  # None before `start`

    @property
    def host_and_port(self) -> tuple[str, int]:
        """Host and port by which it is reached."""
        assert self._listener is not None, "start it first"
        sockets = self._listener.sockets
        return reachable_hosts(bound_addresses(sockets))[0], sockets[0].getsockname()[1]

    async def start(self) -> None:
        """Listen.

        Raises:
            CannotListen: the address can't be bound.
        """
        self._listener = await listen(
            lambda: Handshake(self._handshakes),
            self._options.metrics_bind_host,
            self._options.metrics_port,
            port_flag="--metrics-port",
        )

    async def stop(self) -> None:
        """Stop listening and abort all connections."""
        if self._listener is not None:
            self._listener.close()
            self._handshakes.abort()
            await self._admission.wait_until_all_released()
            await self._listener.wait_closed()

    def _respond(self, slot: ConnectionSlot, request: Request) -> Response:
        if slot.rejection is not None:
            return text_response(slot.rejection.status, f"{slot.rejection.sentence}\n")
        return self._endpoints.respond_on_metrics_address(request)


def _never(transport: asyncio.Transport, slot: ConnectionSlot) -> asyncio.Protocol:
    raise AssertionError("every request gets a response, so no WebSocket is opened")
