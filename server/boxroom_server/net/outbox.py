"""Getting messages to a connection: one encoding and one frame for all who are sent it.

Sending goes around the websockets library: the frame is made once and written to the
transport of every connection that is open and negotiated no extension, which costs less than
`websockets.broadcast` (see docs/adr/0003-broadcast.md and benchmarks/).
"""

import logging
from typing import Self

from msgspec import Struct
from websockets.asyncio.server import ServerConnection, broadcast
from websockets.frames import CloseCode

from boxroom_engine.wire.codec import encode
from boxroom_engine.wire.messages import ServerMessage
from boxroom_server.clock import Clock
from boxroom_server.net.frames import text_frame
from boxroom_server.net.tick_batch import TickBatch
from boxroom_server.tasks import Tasks

logger = logging.getLogger(__name__)


MOST_AT_ONCE = 16_384
"""Bytes after which no more messages wait for the end of a turn: so a slow reader shows in it."""


class Outgoing(Struct, frozen=True, gc=False):
    """A message on its way to any number of connections, encoded and framed once."""

    payload: bytes
    frame: bytes

    @classmethod
    def of(cls, message: ServerMessage) -> Self:
        """`message`, ready to be sent."""
        payload = encode(message)
        return cls(payload, text_frame(payload))


class Outbox:
    """What one connection is sent. It never blocks, never raises, and has an end.

    What is sent in one turn of the event loop is written in one piece at its end: a command's
    events and its answer cost one system call, which is what most of the time goes into.

    A reader for whom more than `unread_bytes` wait is let go: it gets close code 1013 behind
    what it hasn't read yet, and its connection is cut if it hasn't caught up in `drain_s`.
    """

    def __init__(
        self,
        connection: ServerConnection,
        clock: Clock,
        tasks: Tasks,
        sending: "TickBatch[Outbox]",
        *,
        unread_bytes: int,
        drain_s: float,
    ) -> None:
        self._connection = connection
        self._transport = connection.transport
        self._protocol = connection.protocol
        self._has_extensions = bool(connection.protocol.extensions)
        self._clock = clock
        self._tasks = tasks
        self._unread_bytes = unread_bytes
        self._drain_s = drain_s
        self._sending = sending
        self._unwritten = b""
        self._closing = False

    @property
    def is_closing(self) -> bool:
        """Whether the connection is being closed, or cut, from here."""
        return self._closing

    @property
    def waiting_bytes(self) -> int:
        """What its reader hasn't taken from the server yet."""
        return self._transport.get_write_buffer_size()

    def send(self, outgoing: Outgoing) -> None:
        """Send a message, unless the connection is closed or being let go."""
        if self._has_extensions:
            if not self._closing:
                broadcast([self._connection], outgoing.payload, text=True)
                self._let_go_if_slow()
        elif not self._unwritten:
            self._unwritten = outgoing.frame
            self._sending.add(self)
        else:
            self._unwritten += outgoing.frame
            if len(self._unwritten) > MOST_AT_ONCE:
                self.flush()

    def flush(self) -> None:
        """Write what was sent and isn't written yet."""
        frames, self._unwritten = self._unwritten, b""
        # Both together say what the protocol's state says, which takes longer to ask for.
        is_over = self._protocol.close_sent is not None or self._transport.is_closing()
        if not frames or self._closing or is_over:
            return
        try:
            self._transport.write(frames)
        except (OSError, RuntimeError):
            # The transport is gone and websockets doesn't know yet: its handler will end.
            logger.debug("a connection was lost while it was written to", exc_info=True)
            self._closing = True
            return
        if self._connection.paused:
            self._let_go_if_slow()

    def _let_go_if_slow(self) -> None:
        if self._transport.get_write_buffer_size() > self._unread_bytes:
            self.close(CloseCode.TRY_AGAIN_LATER, "too slow: come back and resume")

    def close(self, code: int, reason: str) -> None:
        """Close behind what was sent; cut the connection if that takes over `drain_s`."""
        self.flush()
        if self._closing:
            return
        self._closing = True
        self._tasks.start(self._connection.close(code, reason))
        self._clock.call_later(self._drain_s, self._transport.abort)
