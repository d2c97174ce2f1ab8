"""Outgoing messages: encoded and framed once, and queued for each connection.

Sending bypasses the websockets library: the frame is made once and written to the transport of
every open connection, which costs less than `websockets.broadcast` (see docs/adr/0003-broadcast.md
and benchmarks/). The server offers no extensions, such as compression, so the frame is the same for
all connections.
"""

import logging
from typing import Self

from msgspec import Struct
from websockets.asyncio.server import ServerConnection
from websockets.frames import CloseCode

from boxroom_engine.wire.codec import encode
from boxroom_engine.wire.messages import ServerMessage
from boxroom_server.clock import Clock
from boxroom_server.net.frames import text_frame
from boxroom_server.net.tick_batch import TickBatch
from boxroom_server.tasks import Tasks

logger = logging.getLogger(__name__)

MOST_UNWRITTEN_BYTES = 16_384
"""Bytes that are written before the tick ends, so that a slow reader shows within the tick."""


class Outgoing(Struct, frozen=True, gc=False):
    """A message to any number of connections, encoded and framed once."""

    payload: bytes
    """The message in JSON, as the log stores it."""
    frame: bytes
    """The same as an unmasked WebSocket frame."""

    @classmethod
    def of(cls, message: ServerMessage) -> Self:
        """Encode and frame `message`."""
        payload = encode(message)
        return cls(payload, text_frame(payload))


class Outbox:
    """Outgoing message queue of one connection; bounded, and sending never blocks or raises.

    All messages sent in one tick of the event loop are written together at its end: a command's
    events and its answer cost one system call, which takes most of the time.

    A connection with more than `unread_bytes` to read is closed with code 1013, behind the data
    that it hasn't read yet, and aborted if it hasn't caught up in `drain_s`.
    """

    def __init__(
        self,
        connection: ServerConnection,
        clock: Clock,
        tasks: Tasks,
        batch: "TickBatch[Outbox]",
        *,
        unread_bytes: int,
        drain_s: float,
    ) -> None:
        self._connection = connection
        self._transport = connection.transport
        self._protocol = connection.protocol
        self._clock = clock
        self._tasks = tasks
        self._unread_bytes = unread_bytes
        self._drain_s = drain_s
        self._batch = batch  # outboxes to flush at the end of this tick
        self._unwritten = b""  # frames of this tick
        self._closing = False  # closed or lost: nothing is written any more

    @property
    def is_closing(self) -> bool:
        """Whether the outbox has closed the connection or found it lost."""
        return self._closing

    @property
    def waiting_bytes(self) -> int:
        """Bytes in the transport's buffer that the client hasn't read yet."""
        return self._transport.get_write_buffer_size()

    def send(self, outgoing: Outgoing) -> None:
        """Send a message, unless the connection is closed or closing."""
        if not self._unwritten:
            self._unwritten = outgoing.frame
            self._batch.add(self)
        else:
            self._unwritten += outgoing.frame
            if len(self._unwritten) > MOST_UNWRITTEN_BYTES:
                self.flush()

    def flush(self) -> None:
        """Write the frames of this tick."""
        frames, self._unwritten = self._unwritten, b""
        # Both together are equivalent to the protocol's state, which takes longer to get.
        is_closed = self._protocol.close_sent is not None or self._transport.is_closing()
        if not frames or self._closing or is_closed:
            return
        try:
            self._transport.write(frames)
        except (OSError, RuntimeError):
            # The transport is closed and websockets doesn't know yet: its handler will end.
            logger.debug("a connection was lost while it was written to", exc_info=True)
            self._closing = True
            return
        if self._connection.paused:
            self._close_if_slow()

    def _close_if_slow(self) -> None:
        if self._transport.get_write_buffer_size() > self._unread_bytes:
            self.close(CloseCode.TRY_AGAIN_LATER, "too slow: come back and resume")

    def close(self, code: int, reason: str) -> None:
        """Close the connection behind all sent messages; abort it if that takes over `drain_s`."""
        self.flush()
        if self._closing:
            return
        self._closing = True
        self._tasks.start(self._connection.close(code, reason))
        self._clock.call_later(self._drain_s, self._transport.abort)
