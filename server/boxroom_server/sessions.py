"""The open connections of a server, found by name, network or outbox, and closed from outside."""

from collections.abc import Iterator
from dataclasses import dataclass

from boxroom_engine.room.text import same_name
from boxroom_engine.wire.messages import CLOSE_NOT_WELCOME
from boxroom_server.net.client_address import Network, is_within
from boxroom_server.net.outbox import Outbox


@dataclass(eq=False, slots=True)
class SessionHandle:
    """One open connection as other parts of the server see it, from handshake to close."""

    outbox: Outbox
    address: str
    """IP address of the client; "" if it is unknown."""
    since_ms: int
    """Time at which the connection was opened."""
    name: str = ""
    """Name of the person; "" before hello."""
    is_terminated: bool = False
    """Whether the server has terminated it: messages that still arrive are ignored."""

    def terminate(self, reason: str) -> None:
        """Close the connection as 4003, after which clients stay away, and ignore its messages."""
        self.is_terminated = True
        self.outbox.close(CLOSE_NOT_WELCOME, reason)


class Sessions:
    """The open connections of one server."""

    def __init__(self) -> None:
        self._all: set[SessionHandle] = set()

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[SessionHandle]:
        return iter(list(self._all))

    def add(self, session: SessionHandle) -> None:
        """Add a connection that was opened."""
        self._all.add(session)

    def remove(self, session: SessionHandle) -> None:
        """Remove a connection that was closed."""
        self._all.discard(session)

    def with_name(self, name: str) -> list[SessionHandle]:
        """Sessions of the person called `name`, in any case; a person may have several."""
        return [session for session in self._all if same_name(session.name, name)]

    def from_network(self, network: Network) -> list[SessionHandle]:
        """Connections from addresses in `network`."""
        return [session for session in self._all if is_within(session.address, [network])]

    def by_outbox(self) -> dict[object, SessionHandle]:
        """All connections, each by its outbox."""
        return {session.outbox: session for session in self._all}
