"""Who is connected: every conversation of a server, and how one is ended from outside."""

from collections.abc import Iterator
from dataclasses import dataclass

from boxroom_engine.room.text import same_name
from boxroom_engine.wire.messages import CLOSE_NOT_WELCOME
from boxroom_server.net.client_address import Network, is_within
from boxroom_server.net.outbox import Outbox


@dataclass(eq=False, slots=True)
class SessionHandle:
    """One connection, from its handshake to its end."""

    outbox: Outbox
    address: str
    """The IP address of the client; "" where there is none."""
    since_ms: int
    name: str = ""
    """Empty before the greeting."""
    is_shown_out: bool = False
    """Whether nothing that comes from there counts any more."""

    def show_out(self, reason: str) -> None:
        """Close the connection for good, and take nothing from it in the meantime."""
        self.is_shown_out = True
        self.outbox.close(CLOSE_NOT_WELCOME, reason)


class Sessions:
    """The visitors of one server."""

    def __init__(self) -> None:
        self._all: set[SessionHandle] = set()

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[SessionHandle]:
        return iter(list(self._all))

    def add(self, visitor: SessionHandle) -> None:
        """There is one more."""
        self._all.add(visitor)

    def remove(self, visitor: SessionHandle) -> None:
        """The connection has ended."""
        self._all.discard(visitor)

    def called(self, name: str) -> list[SessionHandle]:
        """Those who have greeted as `name`, in any case; there may be several."""
        return [visitor for visitor in self._all if same_name(visitor.name, name)]

    def from_network(self, network: Network) -> list[SessionHandle]:
        """Those who come from there."""
        return [visitor for visitor in self._all if is_within(visitor.address, [network])]

    def by_outbox(self) -> dict[Outbox, SessionHandle]:
        """Whoever is sent what is put into an outbox."""
        return {visitor.outbox: visitor for visitor in self._all}
