"""How many connections there may be, in all and from one client.

Each is counted from when it is accepted until it is gone. Those that are too many are told so,
as long as few of them are being told; more are cut without a word, so that refusing never
costs more than serving.
"""

import http
from collections import Counter
from dataclasses import dataclass

from boxroom_server.net.client_address import counted_as

TOLD = 64
"""Connections too many that are told why, at one time."""

TURNED = (
    http.HTTPStatus.FORBIDDEN,
    http.HTTPStatus.TOO_MANY_REQUESTS,
    http.HTTPStatus.SERVICE_UNAVAILABLE,
)
"""What clients that aren't let in may be told: never, not so many, not now."""


@dataclass(frozen=True, slots=True)
class Turned:
    """Why a client was turned away: an HTTP status, and a sentence for people."""

    status: http.HTTPStatus
    sentence: str


@dataclass(eq=False, slots=True)
class Ticket:
    """One connection, as it is counted."""

    address: str
    """The client's, or that of the proxy as long as the client's isn't known."""
    is_counted: bool = False
    """Whether it is one of the connections from `address`."""
    turned: Turned | None = None


class Admission:
    """The connections of one server."""

    def __init__(self, most: int, most_from_one: int) -> None:
        self._most = most
        self._most_from_one = most_from_one
        self._welcome = 0
        self._told = 0
        self._from: Counter[str] = Counter()

    def enter(self, address: str, *, is_proxy: bool = False) -> Ticket | None:
        """Count a new connection: its ticket, or None if it has to be cut.

        What comes through a proxy that is trusted counts for its client, once `identify` says
        who that is.
        """
        ticket = Ticket(address)
        self._welcome += 1
        if self._welcome > self._most:
            text = f"this server has its {self._most} connections: come back later"
            self._turn(ticket, http.HTTPStatus.SERVICE_UNAVAILABLE, text)
        elif not is_proxy:
            self.identify(ticket, address)
        if ticket.turned is not None and self._told > TOLD:
            self.leave(ticket)
            return None
        return ticket

    def identify(self, ticket: Ticket, address: str) -> None:
        """Count the connection of `ticket` for the client at `address`."""
        ticket.address = address
        if ticket.turned is not None:
            return
        if self._from[counted_as(address)] >= self._most_from_one:
            text = f"at most {self._most_from_one} connections from one address"
            self._turn(ticket, http.HTTPStatus.TOO_MANY_REQUESTS, text)
            return
        self._from[counted_as(address)] += 1
        ticket.is_counted = True

    def leave(self, ticket: Ticket) -> None:
        """The connection of `ticket` is gone."""
        if ticket.turned is not None:
            self._told -= 1
            return
        self._welcome -= 1
        if ticket.is_counted:
            client = counted_as(ticket.address)
            self._from[client] -= 1
            if not self._from[client]:
                del self._from[client]

    def _turn(self, ticket: Ticket, status: http.HTTPStatus, sentence: str) -> None:
        self._welcome -= 1
        self._told += 1
        ticket.turned = Turned(status, sentence)
