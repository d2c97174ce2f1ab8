"""Every connection of a server, from its first byte to its last, so that it can be cut.

websockets knows how to close a connection that is open, and a reader that reads. Here is what
is left to do for the rest: who connects and says nothing, who says goodbye and stays, and who
has the server answer pings without ever reading a pong.
"""

from asyncio import BaseTransport

from websockets.asyncio.server import ServerConnection
from websockets.protocol import State

from boxroom_server.clock import Clock
from boxroom_server.reading import ReadingConnection, take_in
from boxroom_server.turn_round import Round


class Connections:
    """The connections of one server."""

    def __init__(self, clock: Clock, unread_bytes: int, drain_s: float) -> None:
        self._clock = clock
        self._unread_bytes = unread_bytes
        self._drain_s = drain_s
        self._all: set[ServerConnection] = set()

    def connection_type(self) -> type[ReadingConnection]:
        """What the server makes its connections of (`create_connection` of websockets)."""
        reading = Round(take_in)
        return type("Connection", (_Connection,), {"of_server": self, "reading": reading})

    def made(self, connection: ServerConnection) -> None:
        """There is one more."""
        self._all.add(connection)

    def lost(self, connection: ServerConnection) -> None:
        """It is gone."""
        self._all.discard(connection)

    def paused(self, connection: ServerConnection) -> None:
        """More than `unread_bytes` waits for its reader: look again in `drain_s`."""
        waits = connection.transport.get_write_buffer_size()
        self._clock.call_later(self._drain_s, lambda: self._look(connection, waits))

    def _look(self, connection: ServerConnection, waited: int) -> None:
        """Cut a reader that has read nothing, or for whom too much waits; bear with a slow one."""
        if not connection.paused or connection.transport.is_closing():
            return
        waits = connection.transport.get_write_buffer_size()
        if waits == waited or waits > self._unread_bytes:
            self._cut([connection])
        else:
            self.paused(connection)

    def cut(self) -> None:
        """Cut those that haven't come to a conversation now, and the others in `drain_s`."""
        self._cut([one for one in self._all if one.protocol.state is State.CONNECTING])
        self._clock.call_later(self._drain_s, lambda: self._cut(list(self._all)))

    def _cut(self, connections: list[ServerConnection]) -> None:
        for connection in connections:
            connection.transport.abort()


class _Connection(ReadingConnection):
    of_server: Connections

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self.of_server.made(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.of_server.lost(self)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self.of_server.paused(self)
