"""One WebSocket connection after its handshake, and the set of all of them.

A connection is always in one of three states:

- *open*: its messages go to its receiver as they arrive, and `send` sends.
- *closing*: one side has sent a close frame, or the client has broken the protocol. Nothing is sent
  any more, no message goes to the receiver, and the connection is aborted after `drain_s`. After a
  flood nothing is read any more, either.
- *lost*: the transport is closed. The receiver is told soon: when thousands are lost at once, some
  in each tick.

    open ──(close, a close frame, an error, a flood, a slow reader, no pong)──▶ closing ──▶ lost
      └──────────────────(the network or the client ends it)─────────────────────────────────▲

Short text frames are read here. All other frames are fed to websockets' sans-I/O protocol, which
answers pings and closes, and checks what a client may get wrong. A connection has such a protocol
only while there is something to remember: part of a message in fragments, or the closing handshake.

What is sent in one tick of the event loop is written at its end, one write for each connection (see
docs/adr/0014-tick-batches.md).
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

from websockets.frames import DATA_OPCODES, CloseCode, Frame, Opcode
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from boxroom_engine.wire.messages import CLOSE_TOO_FAST
from boxroom_server.clock import Cancellable, Clock
from boxroom_server.net.admission import Admission, ConnectionSlot
from boxroom_server.net.clients import MESSAGE_WORK
from boxroom_server.net.close_codes import NO_PONG, close_code, label
from boxroom_server.net.frames import (
    MOST_HEADER_BYTES,
    PING,
    Outgoing,
    frame_size,
    is_ping_or_pong,
    short_text,
)
from boxroom_server.net.rate_limits import TokenBucket
from boxroom_server.options import Options
from boxroom_server.work_queue import WorkQueue

logger = logging.getLogger(__name__)

library_logger = logger.getChild("websockets")
"""Logger of websockets: warnings and errors only, since others would show what clients send."""
library_logger.setLevel(logging.WARNING)

FRAMES_PER_TURN = 16
"""Frames of one connection that are processed before other connections of its client go on."""

MOST_UNPROCESSED_BYTES = 16_384
"""Bytes that wait for a turn of the client, before the connection is read no more."""

MOST_HELD = 16
"""Messages of one connection that wait for its receiver, before the connection is read no more."""

MOST_UNWRITTEN_BYTES = 16_384
"""Bytes that are written before the tick ends, so that a slow reader shows within the tick."""

LOST_PER_TICK = 8
"""Lost connections whose receivers are told in one tick: each takes 0.1 ms for a room's member."""

PING_INTERVAL_S = 20
"""Time between two pings. A connection whose pong hasn't arrived by the next ping is closed."""


class Receiver(Protocol):
    """A connection's user: takes its messages and learns of its end."""

    def message_received(self, message: bytes | None) -> None:
        """Take a message; None stands for a binary one.

        While it takes time to handle, `Connection.hold_messages` keeps others from coming.
        """

    def connection_lost(self) -> None:
        """Learn that the connection is lost: nothing comes after this."""


class Connections:
    """The connections of one server after their handshakes."""

    def __init__(
        self,
        options: Options,
        clock: Clock,
        admission: Admission,
        lost: Callable[["Connection"], None],
    ) -> None:
        """Have `lost` called for each connection that is lost."""
        self.clock = clock
        self.options = options
        self.admission = admission
        self._lost = lost
        # Connections whose receivers weren't told yet that they are lost.
        self._all: set[Connection] = set()
        self._seconds = 0  # seconds that keepalive has been running
        # None before `start` and after `stop`.
        self._keepalive_timer: asyncio.TimerHandle | None = None
        self.unwritten: dict[asyncio.Transport, bytes] = {}
        """Frames to write at the end of this tick; connections add their own."""
        self.just_lost = WorkQueue(self._remove, LOST_PER_TICK)
        """Lost connections whose receivers are to be told; connections add themselves."""

    def flush(self) -> None:
        """Write the frames of this tick; a connection that fails keeps no other from its frames."""
        unwritten, self.unwritten = self.unwritten, {}
        for transport, frames in unwritten.items():
            try:
                transport.write(frames)
            except Exception:
                logger.exception("a connection couldn't be written to")
                transport.abort()

    # Keepalive

    def start(self) -> None:
        """Start pinging connections.

        By the event loop's time: the clock of tests jumps by minutes, in which no client answers.
        """
        self._keepalive_timer = asyncio.get_running_loop().call_later(1, self._ping_every_second)

    def _ping_every_second(self) -> None:
        self.start()
        self.ping()

    def ping(self) -> None:
        """Ping connections whose last ping was `PING_INTERVAL_S` calls ago: one call a second."""
        self._seconds += 1
        for connection in list(self._all):
            if connection.next_ping_s <= self._seconds:
                connection.next_ping_s = self._seconds + PING_INTERVAL_S
                connection.ping()

    # Opening and closing

    def add(self, connection: "Connection") -> None:
        """Add a connection that was opened."""
        connection.next_ping_s = self._seconds + PING_INTERVAL_S
        self._all.add(connection)

    def _remove(self, connection: "Connection") -> None:
        self._all.discard(connection)
        self._lost(connection)
        connection.tell_receiver_of_loss()

    def stop(self, code: int, reason: str) -> None:
        """Close all connections, and end keepalive."""
        if self._keepalive_timer is not None:
            self._keepalive_timer.cancel()
        for connection in list(self._all):
            connection.close(code, reason)


class Connection(asyncio.Protocol):
    """One connection of `connections`, made when its handshake is complete.

    Sending never blocks or raises. A client with more than `unread_bytes` to read is closed with
    code 1013, behind the data that it hasn't read yet.
    """

    __slots__ = (
        "_clients",
        "_connections",
        "_deadline",
        "_fragments",
        "_frame_limit",
        "_held",
        "_is_busy",
        "_is_lost",
        "_protocol",
        "_receiver",
        "_transport",
        "_unprocessed",
        "_waits_for_pong",
        "_waits_for_turn",
        "is_closing",
        "next_ping_s",
        "slot",
    )

    def __init__(
        self, connections: Connections, transport: asyncio.Transport, slot: ConnectionSlot
    ) -> None:
        self.slot = slot
        self.is_closing = False
        """True in the states *closing* and *lost*: nothing can be sent any more."""
        self.next_ping_s = 0
        """Time of its next ping, which `Connections` sets."""
        self._connections = connections
        self._clients = connections.admission.clients
        self._transport = transport
        self._receiver: Receiver  # see `start`
        # None while there is nothing to remember; see above.
        self._protocol: ServerProtocol | None = None
        self._fragments: list[Frame] = []  # those of the message that isn't complete
        # Data that waits for the rest of a frame, for a turn or for the receiver.
        self._unprocessed = b""
        options = connections.options
        now_s = asyncio.get_running_loop().time
        # For frames that complete no message.
        self._frame_limit = TokenBucket(options.frames_per_s, options.frames_burst, now_s)
        self._deadline: Cancellable | None = None  # aborts a closing connection; None before
        self._is_busy = False  # whether the receiver is still working on a message
        self._held: list[bytes | None] = []  # messages that wait for the receiver, in order
        self._is_lost = False
        self._waits_for_pong = False  # whether the last ping wasn't answered yet
        self._waits_for_turn = False

    def start(self, receiver: Receiver) -> None:
        """Be one of the server's connections, and give messages to `receiver` from now on."""
        unread_bytes = self._connections.options.unread_bytes
        self._transport.set_write_buffer_limits(unread_bytes, unread_bytes)
        self._receiver = receiver
        self._connections.add(self)

    @property
    def waiting_bytes(self) -> int:
        """Bytes in the transport's buffer that the client hasn't read yet."""
        return self._transport.get_write_buffer_size()

    @property
    def close_code(self) -> int:
        """Code of the side that closed first; 1006 if the connection was lost instead."""
        return close_code(self._protocol)

    @property
    def close_label(self) -> str:
        """Its end as a metric label."""
        return label(self._protocol)

    # Receiving

    def data_received(self, data: bytes) -> None:
        try:
            client = self.slot.client
            if client.credit <= 0 and not self._clients.begin_turn(client):
                self._unprocessed += data
                self._wait_for_turn()
                return
            if not (self._unprocessed or self._protocol or self._is_busy or self._held):
                text = short_text(data)
                if text is not None:
                    client.credit -= MESSAGE_WORK
                    self._receiver.message_received(text)
                    return
            self._unprocessed += data
            self._process()
        except Exception:
            logger.exception("a message couldn't be handled")
            self.close(CloseCode.INTERNAL_ERROR, "internal error")

    def _has_credit(self) -> bool:
        """Return whether the client has credit, perhaps of a turn that begins with that."""
        return self.slot.client.credit > 0 or self._clients.begin_turn(self.slot.client)

    def _wait_for_turn(self) -> None:
        """Go on with what has been received in the next tick, or in the client's next turn."""
        if len(self._unprocessed) > MOST_UNPROCESSED_BYTES:
            self._transport.pause_reading()
        if not self._waits_for_turn:
            self._waits_for_turn = True
            self._clients.wait(self.slot.client, self._take_turn)

    def _take_turn(self) -> None:
        self._waits_for_turn = False
        if not self._is_lost:
            self.data_received(b"")

    def _process(self) -> None:
        """Process held messages, then complete frames, as far as the client's credit goes.

        The transport reads no more until they are processed.
        """
        client = self.slot.client
        while self._held and not self._is_busy and self._has_credit():
            self._receiver.message_received(self._held.pop(0))
        if self._held and not self._is_busy:
            self._wait_for_turn()
        data, at = self._unprocessed, 0
        self._unprocessed = b""
        frames = 0
        while (end := self._frame_end(data, at)) is not None:
            if frames == FRAMES_PER_TURN or not self._has_credit():
                self._wait_for_turn()
                break
            if self._has_to_wait(data[at:end]):
                break
            client.credit -= MESSAGE_WORK
            self._process_frame(data[at:end])
            frames += 1
            at = end
        if self._transport.is_closing():
            return  # what is left is the rest of a flood
        self._unprocessed = data[at:]
        if end is None:
            self._transport.resume_reading()
        else:
            self._transport.pause_reading()

    def _frame_end(self, data: bytes, at: int) -> int | None:
        """Return the end of the frame that begins at `at`; None if it isn't complete.

        The header of a frame that is too long is enough for websockets to refuse it.
        """
        size = frame_size(data, at)
        if size is None or at + size <= len(data):
            return None if size is None else at + size
        if size > self._connections.options.message_bytes + MOST_HEADER_BYTES:
            return len(data)
        return None

    def _has_to_wait(self, frame: bytes) -> bool:
        """Return whether `frame` waits for the receiver to be free.

        Pings, pongs and some short messages don't. All others may be the end of the connection,
        before which everything is answered.
        """
        if not (self._is_busy or self._held):
            return False
        if self._protocol is None and len(self._held) < MOST_HELD and short_text(frame) is not None:
            return False
        return not is_ping_or_pong(frame)

    def _process_frame(self, frame: bytes) -> None:
        text = short_text(frame) if self._protocol is None else None
        if text is not None:
            self._deliver(text)
            return
        protocol = self._remembering()
        protocol.receive_data(frame)
        for event in protocol.events_received():
            assert isinstance(event, Frame)
            if not self.is_closing:
                self._take_frame(protocol, event)
        self._send_from(protocol)
        if protocol.state is OPEN and protocol.current_size is None:
            self._protocol = None
            free(protocol)

    def _take_frame(self, protocol: ServerProtocol, frame: Frame) -> None:
        """Take a frame that websockets has checked and, if it is a ping or a close, answered."""
        is_data = frame.opcode in DATA_OPCODES
        if not (is_data and frame.fin) and not self._frame_limit.take():
            protocol.fail(CLOSE_TOO_FAST, "too many frames")
        elif is_data:
            self._fragments.append(frame)
            if frame.fin:
                self._deliver(self._join_fragments())
        elif frame.opcode is Opcode.PONG:
            self._waits_for_pong = False

    def _join_fragments(self) -> bytes | None:
        """Return the message whose last fragment has arrived; None for a binary one."""
        fragments, self._fragments = self._fragments, []
        is_text = fragments[0].opcode is Opcode.TEXT
        return b"".join(it.data for it in fragments) if is_text else None

    def _deliver(self, message: bytes | None) -> None:
        """Give the receiver a message, or hold it until the receiver is free."""
        if self._is_busy or self._held:
            self._held.append(message)
        else:
            self._receiver.message_received(message)

    def hold_messages(self) -> None:
        """Give the receiver no message until `release_messages`; pings are answered meanwhile."""
        self._is_busy = True

    def release_messages(self) -> None:
        """Go on giving messages to the receiver."""
        self._is_busy = False
        if self._held or self._unprocessed:
            self._wait_for_turn()

    def eof_received(self) -> None:
        """Close the connection; messages received before are answered first."""
        self._flush()

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_lost = self.is_closing = True
        self._connections.unwritten.pop(self._transport, None)
        if self._deadline is not None:
            self._deadline.cancel()
        if self._protocol is not None:
            free(self._protocol)
        self._connections.admission.release(self.slot)  # now, for those who come back at once
        self._connections.just_lost.add(self)

    def tell_receiver_of_loss(self) -> None:
        """Tell the receiver that this connection is lost; only `Connections` does this, once."""
        receiver = self._receiver
        del self._receiver  # which refers to this connection
        receiver.connection_lost()

    # Sending

    def send(self, outgoing: Outgoing) -> None:
        """Send a message, unless the connection is closing or lost."""
        if self.is_closing:
            return
        unwritten = self._connections.unwritten
        if unwritten and self._transport not in unwritten:  # as in most cases
            unwritten[self._transport] = outgoing.frame
        else:
            self._queue(outgoing.frame)

    def ping(self) -> None:
        """Send a ping, or close the connection if the last one wasn't answered."""
        # The pong may be behind a message, or among what waits for a turn.
        if self.is_closing or self._is_busy or self._waits_for_turn:
            return
        if self._waits_for_pong:
            protocol = self._remembering()
            protocol.fail(NO_PONG.code, NO_PONG.reason)
            self._send_from(protocol)
        else:
            self._waits_for_pong = True
            self._queue(PING)

    def close(self, code: int, reason: str) -> None:
        """Close the connection behind all sent messages; abort it if that takes over `drain_s`."""
        if not (self.is_closing or self._is_lost):
            protocol = self._remembering()
            protocol.send_close(code, reason)
            self._send_from(protocol)

    def _remembering(self) -> ServerProtocol:
        """Return websockets' protocol of this connection, a new one if there is none."""
        if self._protocol is None:
            self._protocol = ServerProtocol(
                state=OPEN,
                max_size=self._connections.options.message_bytes,
                logger=library_logger,
            )
        return self._protocol

    def _send_from(self, protocol: ServerProtocol) -> None:
        """Send the frames that websockets has made, and the end of the stream behind them."""
        if protocol.state is not OPEN and not self.is_closing:
            self._start_closing()
        for data in protocol.data_to_send():
            if data:
                self._queue(data)
            else:
                self._flush()
                self._end_stream()
        if protocol.close_sent is not None and protocol.close_sent.code == CLOSE_TOO_FAST:
            self._flush()
            self._transport.close()

    def _start_closing(self) -> None:
        clock, drain_s = self._connections.clock, self._connections.options.drain_s
        self.is_closing = True
        self._held.clear()
        self._deadline = clock.call_later(drain_s, self._transport.abort)
        self.release_messages()  # the client's close frame may be behind them

    def _end_stream(self) -> None:
        """Send no more, and wait for the client to close; over TLS close at once."""
        if self._transport.is_closing():
            return
        if not self._transport.can_write_eof():
            self._transport.close()
            return
        try:
            self._transport.write_eof()
        except OSError:  # the client has reset the connection, and asyncio doesn't know yet
            self._transport.abort()

    def _queue(self, frame: bytes) -> None:
        """Write `frame` at the end of this tick, together with others: most of it is the call."""
        unwritten, transport = self._connections.unwritten, self._transport
        frames = unwritten.get(transport)
        if frames is None:
            if not unwritten:
                asyncio.get_running_loop().call_soon(self._connections.flush)
            unwritten[transport] = frame
        else:
            unwritten[transport] = frames + frame
            if len(frames) > MOST_UNWRITTEN_BYTES:
                self._flush()

    def _flush(self) -> None:
        """Write the frames of this tick now."""
        frames = self._connections.unwritten.pop(self._transport, None)
        if frames is not None:
            self._transport.write(frames)

    def pause_writing(self) -> None:
        """Close the connection: more than `unread_bytes` wait for the client."""
        self.close(CloseCode.TRY_AGAIN_LATER, "too slow: come back and resume")


def free(protocol: ServerProtocol) -> None:
    """Break the cycles of `protocol`, which would wait for the garbage collector.

    It and its parser refer to each other, and it has the choice of a subprotocol as its method.
    """
    protocol.parser.close()
    vars(protocol).pop("select_subprotocol", None)
