"""The sessions of a server, found by name, network or connection."""

from collections.abc import Iterator

from boxroom_engine.room.text import same_name
from boxroom_server.net.client_address import Network, is_within
from boxroom_server.net.connection import Connection
from boxroom_server.session import Session


class Sessions:
    """The sessions of one server, from the handshake of a connection to its loss."""

    def __init__(self) -> None:
        self._by_connection: dict[object, Session] = {}

    def __len__(self) -> int:
        return len(self._by_connection)

    def __iter__(self) -> Iterator[Session]:
        return iter(list(self._by_connection.values()))

    def add(self, session: Session) -> None:
        """Add the session of a connection that was opened."""
        self._by_connection[session.connection] = session

    def remove(self, connection: Connection) -> Session:
        """Remove the session of a connection that was lost, and return it."""
        return self._by_connection.pop(connection)

    def of(self, connection: object) -> Session | None:
        """Return the session of `connection`; None if that is lost."""
        return self._by_connection.get(connection)

    def with_name(self, name: str) -> list[Session]:
        """Sessions of the person called `name`, in any case; a person may have several."""
        return [session for session in self if same_name(session.name, name)]

    def from_network(self, network: Network) -> list[Session]:
        """Sessions of connections from addresses in `network`."""
        return [session for session in self if is_within(session.address, [network])]
