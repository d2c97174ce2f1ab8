"""One connection's place in one room."""

from dataclasses import dataclass

from boxroom_server.net.outbox import Outbox


@dataclass(eq=False, slots=True)
class Membership:
    """A member as a host knows it: a name, and where what the member sees is sent."""

    name: str
    outbox: Outbox
    address: str = ""
    """The client's IP address, where it is known."""
    in_room: bool = False
    """Whether the host sends it what happens; the host alone changes it."""
