"""What can go wrong between a client and a server.

::

    Unreachable         no conversation with a Boxroom server comes about
    EntranceRefused     the server, or this client, won't have us in the room
    Cut                 a conversation broke off
    └── Garbled         … because what came makes no sense here

A `RoomConnection` raises the first two, and only as long as it has not been in its room. The
others are between its parts.
"""


class Unreachable(ConnectionError):
    """No conversation comes about; `str(error)` is a sentence that says why."""


class JoinRefused(Exception):
    """We may not come in, and asking again won't help; `code` is stable, `message` for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Disconnected(Exception):
    """A conversation broke off; `close_code` is the server's, if it said good-bye."""

    def __init__(self, reason: str, close_code: int | None = None) -> None:
        super().__init__(reason)
        self.close_code = close_code


class ProtocolError(Disconnected):
    """The server sent something that isn't a message, or not one that belongs here."""
