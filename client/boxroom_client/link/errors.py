"""Errors of connections to a server.

::

    Unreachable         no connection to a Boxroom server could be made
    CommandRefused      the server, or this client, refuses a request; the engine has it
    ├── NameRefused     … under this name
    └── NotRecognised   … because the server and this client don't know each other's secret
    Disconnected        a connection ended
    └── ProtocolError   … because the server sent something that isn't allowed there
    MeetsElsewhere      another server of the cluster lets the member in

A `RoomConnection` raises `Unreachable` only before it has entered its room. The last three stay
inside `link`.
"""

from boxroom_common.exits import Exit, Failure
from boxroom_engine.errors import BoxroomError
from boxroom_engine.phrases import Phrase
from boxroom_engine.room.decision import CommandRefused


class Unreachable(Failure, ConnectionError):
    """No connection to a Boxroom server could be made; `str(error)` is a sentence that says why."""

    def __init__(self, message: str) -> None:
        super().__init__(message, Exit.UNREACHABLE)


class NameRefused(CommandRefused):
    """The server refuses `name`; another one may do."""

    def __init__(self, code: str, said: Phrase, name: str) -> None:
        super().__init__(code, said)
        self.name = name


class NotRecognised(CommandRefused):
    """The server didn't prove that it knows the identity, for `reason`."""

    def __init__(self, reason: Phrase) -> None:
        super().__init__("not_recognised", reason)


class Disconnected(BoxroomError):
    """The connection ended; `close_code` is the server's, or None if it sent none."""

    def __init__(self, reason: str, close_code: int | None = None) -> None:
        super().__init__(reason)
        self.close_code = close_code


class MeetsElsewhere(BoxroomError):
    """The members of the room are at another server of the cluster, which the balancer calls `at`.

    It is no failure: the same request is sent there.
    """

    def __init__(self, at: str) -> None:
        super().__init__(at)
        self.at = at


class ProtocolError(Disconnected):
    """The server sent something that isn't a message, or a message that isn't allowed there."""
