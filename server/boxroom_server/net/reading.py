"""Reading messages from a connection: short ones directly, all others through websockets' queue.

To put a message into the library's queue, wake who waits for it and take it out again costs
as much as everything that Boxroom does with a move (see docs/adr/0006-reading.md).
"""

import logging
from asyncio import BaseTransport
from collections.abc import Callable
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.frames import DATA_OPCODES, Frame, Opcode
from websockets.http11 import Request

from boxroom_server.net.frames import FrameTrack, short_text
from boxroom_server.net.tick_batch import TickBatch

logger = logging.getLogger(__name__)


class NotText(Exception):
    """A binary message came; those of Boxroom are text."""


class ReadingConnection(ServerConnection):
    """A connection whose short text messages can be taken as they arrive.

    Messages never overtake one another: one is offered to the taker only if all before it
    were taken at once, or have been handed out by `message`.
    """

    # websockets keeps as many attributes as fit into a dict of its size: ours would double it.
    __slots__ = (
        "_before_binary",
        "_in_fragments",
        "_queued",
        "_taker",
        "_track",
        "reading",
    )

    reading: TickBatch[tuple["ReadingConnection", bytes]]
    """Of the server: what all its connections have received in this turn."""

    def connection_made(self, transport: BaseTransport) -> None:
        """See `asyncio.Protocol`."""
        super().connection_made(transport)
        self._taker: Callable[[bytes], bool] | None = None
        self._track = FrameTrack()
        self._in_fragments = False
        self._queued = 0
        self._before_binary: int | None = None  # of the queued ones

    def offer_to(self, taker: Callable[[bytes], bool]) -> None:
        """From now on offer short messages to `taker`, which says whether it took them."""
        self._taker = taker

    async def message(self) -> bytes:
        """The next message that isn't taken at once.

        Raises:
            ConnectionClosed: there won't be another one.
            NotText: it is a binary one.
        """
        message = await self.recv(decode=False)
        self._queued -= 1
        if self._before_binary is not None:
            if not self._before_binary:
                raise NotText
            self._before_binary -= 1
        return message

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`; it is taken in at the end of the turn."""
        self.reading.add((self, data))

    def eof_received(self) -> None:
        """See `asyncio.Protocol`; what came before it is taken in first."""
        self.reading.go()
        super().eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.Protocol`; what came before it is taken in first."""
        self.reading.go()
        super().connection_lost(exc)

    @staticmethod
    def take_in(received: tuple["ReadingConnection", bytes]) -> None:
        """The work of a round of reading: what a connection received, in that order."""
        self, data = received
        try:
            if (
                self._taker is not None
                and not self._queued
                and not self._in_fragments
                and self._track.between_frames
                and self.protocol.close_sent is None
                and (text := short_text(data)) is not None
                and self._taker(text)
            ):
                return
            self._track.follow(data)
            super(ReadingConnection, self).data_received(data)
        except Exception:
            logger.exception("what a client sent couldn't be taken in")
            self.transport.abort()

    def process_event(self, event: Request | Frame | Any) -> None:
        """See `websockets.asyncio.connection.Connection`: a frame has been read."""
        if isinstance(event, Frame) and event.opcode in DATA_OPCODES:
            if event.opcode is Opcode.BINARY and self._before_binary is None:
                self._before_binary = self._queued
            self._in_fragments = not event.fin
            self._queued += event.fin
        super().process_event(event)
