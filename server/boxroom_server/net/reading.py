"""Reading messages from a connection: short ones directly, all others through websockets' queue.

To put a message into the library's queue, wake the task that waits for it and take it out again
costs as much as everything that Boxroom does with a move (see docs/adr/0006-reading.md).
"""

import logging
from asyncio import BaseTransport
from collections.abc import Callable
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.frames import DATA_OPCODES, Frame, Opcode
from websockets.http11 import Request

from boxroom_server.net.frames import FrameTracker, short_text
from boxroom_server.net.tick_batch import TickBatch

logger = logging.getLogger(__name__)


class NotText(Exception):
    """A binary message arrived; Boxroom's messages are text."""


class ReadingConnection(ServerConnection):
    """A connection that hands short text messages to a callback as they arrive.

    Messages stay in order: one is offered to the callback only if all messages before it were
    accepted by the callback or have been returned by `next_message`.
    """

    # websockets keeps as many attributes as fit into a dict of its size: ours would double it.
    __slots__ = (
        "_before_binary",
        "_in_fragments",
        "_on_message",
        "_queued",
        "_tracker",
        "received",
    )

    received: TickBatch[tuple["ReadingConnection", bytes]]
    """Data that all connections of the server have received in this tick."""

    def connection_made(self, transport: BaseTransport) -> None:
        """See `asyncio.Protocol`."""
        super().connection_made(transport)
        self._on_message: Callable[[bytes], bool] | None = None
        self._tracker = FrameTracker()
        self._in_fragments = False  # the last fragment of a message hasn't arrived yet
        self._queued = 0  # messages in the library's queue
        self._before_binary: int | None = None  # messages before the first binary one in the queue

    def set_message_callback(self, callback: Callable[[bytes], bool]) -> None:
        """Offer short messages to `callback` from now on; it returns whether it accepts one."""
        self._on_message = callback

    async def next_message(self) -> bytes:
        """Wait for the next message that the callback hasn't accepted, and return it.

        Raises:
            ConnectionClosed: there won't be another message.
            NotText: it is a binary message.
        """
        message = await self.recv(decode=False)
        self._queued -= 1
        if self._before_binary is not None:
            if not self._before_binary:
                raise NotText
            self._before_binary -= 1
        return message

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`; the data is processed at the end of the tick."""
        self.received.add((self, data))

    def eof_received(self) -> None:
        """See `asyncio.Protocol`; data received before is processed first."""
        self.received.run()
        super().eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.Protocol`; data received before is processed first."""
        self.received.run()
        super().connection_lost(exc)

    @staticmethod
    def process_received(received: tuple["ReadingConnection", bytes]) -> None:
        """Process data that a connection has received: what the batch `received` does."""
        self, data = received
        try:
            if (
                self._on_message is not None
                and not self._queued
                and not self._in_fragments
                and self._tracker.between_frames
                and self.protocol.close_sent is None
                and (text := short_text(data)) is not None
                and self._on_message(text)
            ):
                return
            self._tracker.feed(data)
            super(ReadingConnection, self).data_received(data)
        except Exception:
            logger.exception("data from a client couldn't be processed")
            self.transport.abort()

    def process_event(self, event: Request | Frame | Any) -> None:
        """See `websockets.asyncio.connection.Connection`: a frame has been read."""
        if isinstance(event, Frame) and event.opcode in DATA_OPCODES:
            if event.opcode is Opcode.BINARY and self._before_binary is None:
                self._before_binary = self._queued
            self._in_fragments = not event.fin
            self._queued += event.fin
        super().process_event(event)
