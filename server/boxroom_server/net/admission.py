"""Limits on the number of connections, in all and from one client.

A connection counts from when it is accepted until it is closed. A connection beyond a limit is
rejected with an HTTP status; while many rejected ones are still open, further ones are closed
without an answer, so that rejecting never costs more than serving.
"""

import asyncio
import http
from dataclasses import dataclass

from boxroom_server.net.clients import Client, Clients, Loop

MOST_REJECTED = 64
"""Rejected connections that may be open at one time; more get no answer."""

REJECTION_STATUSES = (
    http.HTTPStatus.FORBIDDEN,
    http.HTTPStatus.TOO_MANY_REQUESTS,
    http.HTTPStatus.SERVICE_UNAVAILABLE,
)
"""HTTP statuses of a `Rejection`: banned or wrong origin, too many from one client, server full."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """The reason why a connection gets no WebSocket: an HTTP status, and a sentence for people."""

    status: http.HTTPStatus
    sentence: str


@dataclass(eq=False, slots=True)
class ConnectionSlot:
    """The place of one connection in the counts of `Admission`."""

    address: str
    """The client's address, or the proxy's until the client's is known."""
    client: Client
    """The client at that address, for which the connection's work is done."""
    counts_for_client: bool = False
    """Whether it is one of the connections counted for `client`."""
    rejection: Rejection | None = None
    """Answer that turns the client away; None if the connection is admitted."""
    was_sent: bool = False
    """True if the request says that another server of the cluster has sent the client here."""


class Admission:
    """The number of connections of one server, in all and by client."""

    def __init__(self, most: int, most_per_client: int, loop: Loop) -> None:
        self._most = most
        self._most_per_client = most_per_client
        self.clients = Clients(loop)
        """All clients; only `Admission` counts their connections."""
        self._admitted = 0  # open connections that weren't rejected
        self._rejected = 0  # open connections that were
        self._all_released = asyncio.Event()  # set while no connection is open
        self._all_released.set()

    def acquire(self, address: str, *, is_proxy: bool = False) -> ConnectionSlot | None:
        """Count a new connection; return None if it has to be closed without an answer.

        A connection through a trusted proxy counts for its client, which `identify` names later.
        """
        slot = ConnectionSlot(address, self.clients.at(address))
        self._all_released.clear()
        self._admitted += 1
        if self._admitted > self._most:
            text = f"this server has its {self._most} connections: come back later"
            self._reject(slot, http.HTTPStatus.SERVICE_UNAVAILABLE, text)
        elif not is_proxy:
            self.identify(slot, address)
        if slot.rejection is not None and self._rejected > MOST_REJECTED:
            self.release(slot)
            return None
        return slot

    def identify(self, slot: ConnectionSlot, address: str) -> None:
        """Count the connection for the client at `address`, or reject it."""
        if address != slot.address:
            slot.address, slot.client = address, self.clients.at(address)
        if slot.rejection is not None:
            return
        if slot.client.connections >= self._most_per_client:
            text = f"at most {self._most_per_client} connections from one address"
            self._reject(slot, http.HTTPStatus.TOO_MANY_REQUESTS, text)
            return
        self.clients.connect(slot.client)
        slot.counts_for_client = True

    def release(self, slot: ConnectionSlot) -> None:
        """Stop counting a connection that was closed."""
        if slot.rejection is not None:
            self._rejected -= 1
        else:
            self._admitted -= 1
        if slot.counts_for_client:
            self.clients.disconnect(slot.client)
        if not self._admitted + self._rejected:
            self._all_released.set()

    async def wait_until_all_released(self) -> None:
        """Wait until no connection is open."""
        await self._all_released.wait()

    def _reject(self, slot: ConnectionSlot, status: http.HTTPStatus, sentence: str) -> None:
        self._admitted -= 1
        self._rejected += 1
        slot.rejection = Rejection(status, sentence)
