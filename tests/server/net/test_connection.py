"""One connection after its handshake: receiving, sending, keepalive, closing."""

import asyncio
import gc
import json
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.cases import each
from tests.server.manual_clock import ManualClock
from tests.server.net.manual_loop import ManualLoop
from tests.server.talk import until
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import DATA_OPCODES, Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from boxroom_engine.wire.messages import Notice
from boxroom_server.net.admission import Admission, ConnectionSlot
from boxroom_server.net.clients import TURN_WORK, Loop
from boxroom_server.net.connection import (
    FRAMES_PER_TURN,
    MOST_HELD,
    PING_INTERVAL_S,
    Connection,
    Connections,
)
from boxroom_server.net.frames import PING, Outgoing, encode_outgoing
from boxroom_server.net.handshake import Handshake, Handshakes
from boxroom_server.options import Options
from boxroom_server.tasks import Tasks

MESSAGE_BYTES = 500


class Listener:
    """A receiver that records messages, and is busy for a tick with every `busy_with`th."""

    def __init__(self, busy_with: int = 0) -> None:
        self.connection: Connection
        self.heard: list[bytes | None] = []
        self.is_told = False
        """Whether it was told that the connection is lost."""
        self.is_busy = False
        self._busy_with = busy_with

    def message_received(self, message: bytes | None) -> None:
        self.heard.append(message)
        assert not self.is_busy
        if self._busy_with and len(self.heard) % self._busy_with == 0:
            self.is_busy = True
            self.connection.hold_messages()
            asyncio.get_running_loop().call_soon(self._go_on)

    def _go_on(self) -> None:
        self.is_busy = False
        self.connection.release_messages()

    def connection_lost(self) -> None:
        assert not self.is_told
        self.is_told = True


# Receiving, from a transport in memory


class Transport(asyncio.Transport):
    """A transport without a network: it records what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.is_at_eof = False
        self.is_aborted = False
        self.is_paused = False

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def write(self, data: Any) -> None:
        assert not self.is_at_eof
        self.written.append(data)

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.is_at_eof = True

    def pause_reading(self) -> None:
        self.is_paused = True

    def resume_reading(self) -> None:
        self.is_paused = False

    def is_closing(self) -> bool:
        return self.is_aborted

    def abort(self) -> None:
        self.is_aborted = True

    def close(self) -> None:
        self.is_aborted = True


class Offline:
    """A connection over a `Transport`, whose turns `loop` gives; else the running loop does."""

    def __init__(
        self, listener: Listener | None = None, loop: Loop | None = None, **options: Any
    ) -> None:
        self.clock = ManualClock()
        self.lost: list[Connection] = []
        limits = {"message_bytes": MESSAGE_BYTES, "frames_burst": 100_000, **options}
        admission = Admission(10, 10, loop or asyncio.get_running_loop())
        self.connections = Connections(Options(**limits), self.clock, admission, self.lost.append)
        self.transport = Transport()
        slot = admission.acquire("192.0.2.1")
        assert slot is not None
        self.connection = Connection(self.connections, self.transport, slot)
        self.listener = listener or Listener()
        self.listener.connection = self.connection
        self.connection.start(self.listener)

    async def receives(self, data: bytes) -> None:
        """Receive `data`, and wait until it is processed."""
        self.connection.data_received(data)
        await self.rest()

    async def rest(self) -> None:
        """Wait until everything that was received is processed."""
        await until(
            lambda: not (self.is_reading_on or self.listener.is_busy or self.connections.unwritten)
        )

    @property
    def is_reading_on(self) -> bool:
        """True while messages or frames wait for a tick or a turn, and not for the receiver."""
        is_paused = self.transport.is_paused and not self.transport.is_closing()
        waits = is_paused or self.connection._waits_for_turn or bool(self.connection._held)
        return waits and not self.connection._is_busy

    @property
    def written(self) -> bytes:
        """Everything that was written."""
        return b"".join(self.transport.written)


def text(payload: bytes) -> bytes:
    return Frame(Opcode.TEXT, payload).serialize(mask=True)


def ping(payload: bytes) -> bytes:
    return Frame(Opcode.PING, payload).serialize(mask=True)


def fragmented(pieces: list[bytes]) -> bytes:
    """Return a message in fragments, with a ping behind each but the last."""
    frames = b""
    for number, piece in enumerate(pieces):
        opcode = Opcode.CONT if number else Opcode.TEXT
        is_last = number == len(pieces) - 1
        frames += Frame(opcode, piece, fin=is_last).serialize(mask=True)
        frames += b"" if is_last else ping(b"between")
    return frames


def raw_frame(first: int, payload: bytes, *, mask: bool) -> bytes:
    """Return a frame with any first byte."""
    return bytes([first]) + Frame(Opcode.TEXT, payload).serialize(mask=mask)[1:]


def reference(data: bytes) -> tuple[list[bytes | None], bytes, bool]:
    """Return what websockets alone makes of `data`: messages, its answer, and whether it ends."""
    protocol = ServerProtocol(state=OPEN, max_size=MESSAGE_BYTES)
    protocol.receive_data(data)
    messages: list[bytes | None] = []
    fragments: list[Frame] = []
    for frame in cast("list[Frame]", protocol.events_received()):
        if frame.opcode in DATA_OPCODES:
            fragments.append(frame)
            if frame.fin:
                is_text = fragments[0].opcode is Opcode.TEXT
                messages.append(b"".join(it.data for it in fragments) if is_text else None)
                fragments = []
    answer = protocol.data_to_send()
    return messages, b"".join(answer), b"" in answer


PAYLOADS = st.one_of(
    st.binary(max_size=20), st.sampled_from([120, 125, 126, 300, 490, 501, 70_000]).map(bytes)
)
GOOD_FRAMES = st.one_of(
    st.builds(text, st.binary(max_size=30)),
    st.builds(Frame, st.just(Opcode.TEXT), PAYLOADS).map(lambda it: it.serialize(mask=True)),
    st.builds(ping, st.binary(max_size=20)),
    st.lists(st.binary(max_size=40), min_size=2, max_size=4).map(fragmented),
)
ANY_FRAME = st.builds(
    lambda first, payload, mask: raw_frame(first, payload, mask=mask),
    st.one_of(st.sampled_from([0x81, 0x82, 0x01, 0x00, 0x80, 0x88, 0x89]), st.integers(0, 255)),
    PAYLOADS,
    st.sampled_from([True, True, True, True, False]),
)


@given(
    st.one_of(st.lists(GOOD_FRAMES, max_size=8), st.lists(st.one_of(GOOD_FRAMES, ANY_FRAME))),
    st.booleans(),
    st.integers(0, 3),
    st.data(),
)
@example([fragmented([b"a", b"", b"b"]), text(b"c")], True, 0, None)
@example([text(b"%d" % number) for number in range(3 * FRAMES_PER_TURN)], False, 2, None)
def test_any_frames_cut_anywhere_are_what_websockets_makes_of_them(
    frames: list[bytes], ends_within_a_frame: bool, busy_with: int, data: st.DataObject | None
) -> None:
    stream = b"".join(frames) + (text(b"half")[:7] if ends_within_a_frame else b"")
    cuts = [1] if data is None else data.draw(st.lists(st.integers(0, len(stream)), max_size=8))
    messages, answer, ends = reference(stream)

    async def receive() -> None:
        server = Offline(Listener(busy_with))
        for piece in pieces_of(stream, cuts):
            server.connection.data_received(piece)
            if len(piece) % 2:
                await server.rest()
        await server.rest()
        assert server.listener.heard == messages
        assert server.written == answer
        assert server.transport.is_at_eof == server.connection.is_closing == ends

    asyncio.run(receive())


def pieces_of(stream: bytes, cuts: list[int]) -> Iterator[bytes]:
    begin = 0
    for end in [*sorted(cuts), len(stream)]:
        if begin < end:
            yield stream[begin:end]
        begin = end


async def test_a_stream_cut_at_every_byte() -> None:
    stream = text(b"one") + fragmented([b"two", b"", b"!"]) + text(b"x" * 300) + ping(b"p")
    server = Offline()
    for at in range(len(stream)):
        await server.receives(stream[at : at + 1])
    assert (server.listener.heard, server.written, False) == reference(stream)


@each("start", [b"\xff" * 50, b"\x81\x05", b"\x83\x80", b"\x81\xfe\xff\xff"])
async def test_what_can_be_no_frame_is_refused_before_its_end(start: bytes) -> None:
    server = Offline()
    await server.receives(start)
    assert (server.listener.heard, server.written, True) == reference(start)


async def test_many_small_frames_share_ticks_with_others() -> None:
    loop = ManualLoop()
    server = Offline(loop=loop)
    server.connection.data_received(text(b"") * (3 * FRAMES_PER_TURN + 1))
    for ticks in range(1, 4):
        assert len(server.listener.heard) == ticks * FRAMES_PER_TURN
        assert server.transport.is_paused
        loop.run_tick()
    assert len(server.listener.heard) == 3 * FRAMES_PER_TURN + 1
    assert not server.transport.is_paused


async def test_a_client_that_sends_much_waits_for_its_turns_while_others_are_heard() -> None:
    loop = ManualLoop()
    server = Offline(loop=loop)
    flooding = server.connection
    slot = flooding.slot.client
    admission = server.connections.admission
    other_slot = admission.acquire("192.0.2.2")
    assert other_slot is not None
    other, heard = Connection(server.connections, Transport(), other_slot), Listener()
    heard.connection = other
    other.start(heard)
    flooding.data_received(text(b"!") * 1_000)
    slot.credit = -3 * TURN_WORK
    for number in range(3):
        before = len(server.listener.heard)
        other.data_received(text(b"%d" % number))
        assert len(heard.heard) == number + 1
        loop.run_round()
        assert len(server.listener.heard) == before
    while server.is_reading_on:
        loop.run_round()
    assert len(server.listener.heard) == 1_000


async def test_held_messages_wait_for_turns_too() -> None:
    server = Offline(Listener(busy_with=1))
    server.connections.admission.acquire("192.0.2.2")
    server.connection.data_received(text(b"one") + text(b"two"))
    server.connection.slot.client.credit = -TURN_WORK
    while server.connection.slot.client.credit <= 0:
        assert server.listener.heard == [b"one"]
        await asyncio.sleep(0)
    await server.rest()
    assert server.listener.heard == [b"one", b"two"]


async def test_messages_that_are_held_come_in_order_and_pings_are_answered_meanwhile() -> None:
    server = Offline()
    server.connection.hold_messages()
    await server.receives(text(b"one") + ping(b"?") + text(b"two") + ping(b"!"))
    pongs = (Frame(Opcode.PONG, payload).serialize(mask=False) for payload in (b"?", b"!"))
    assert (server.listener.heard, server.written) == ([], b"".join(pongs))
    assert not server.transport.is_paused
    await server.receives(fragmented([b"thr", b"ee"]) + text(b"four"))
    assert server.transport.is_paused
    server.connection.release_messages()
    await server.rest()
    assert server.listener.heard == [b"one", b"two", b"three", b"four"]


async def test_a_client_that_sends_many_messages_at_once_is_read_no_more() -> None:
    server = Offline()
    server.connection.hold_messages()
    messages = [b"%d" % number for number in range(3 * MOST_HELD)]
    await server.receives(b"".join(map(text, messages)))
    assert len(server.connection._held) == MOST_HELD
    assert server.transport.is_paused
    assert server.listener.heard == []
    server.connection.release_messages()
    await server.rest()
    assert server.listener.heard == messages
    assert not server.transport.is_paused


async def test_a_connection_that_the_client_has_reset_is_aborted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail() -> None:
        raise OSError(107, "Transport endpoint is not connected")

    server = Offline()
    monkeypatch.setattr(server.transport, "write_eof", fail)
    await server.receives(raw_frame(0x83, b"", mask=True))
    assert server.transport.is_aborted


async def test_messages_in_front_of_a_close_frame_are_answered_first() -> None:
    server = Offline()
    server.connection.hold_messages()
    await server.receives(text(b"one") + Frame(Opcode.CLOSE, b"\x03\xe8").serialize(mask=True))
    assert not server.connection.is_closing
    server.connection.release_messages()
    await server.rest()
    assert server.listener.heard == [b"one"]
    assert server.connection.is_closing


async def test_messages_that_arrive_before_the_connection_is_lost_are_delivered() -> None:
    server = Offline()
    server.connection.data_received(text(b"the last one"))
    server.connection.connection_lost(None)
    await until(lambda: server.listener.is_told)
    assert server.listener.heard == [b"the last one"]
    assert server.lost == [server.connection]


async def test_a_flood_of_pings_is_closed_and_the_rest_of_it_ignored() -> None:
    server = Offline(frames_burst=20, frames_per_s=0.001, drain_s=5.0)
    await server.receives(ping(b"!") * 40_000 + text(b"and now?"))
    pong = Frame(Opcode.PONG, b"!").serialize(mask=False)
    assert server.written.startswith(pong * 20)
    assert server.written.endswith(b"\x03\xf0too many frames")
    assert server.transport.is_closing()
    assert server.listener.heard == []
    assert server.connection._unprocessed == b""


@each("number", [FRAMES_PER_TURN - 1, FRAMES_PER_TURN, FRAMES_PER_TURN + 1])
async def test_nothing_is_processed_behind_the_last_frame_of_a_flood(number: int) -> None:
    server = Offline(frames_burst=number - 1, frames_per_s=0.001)
    await server.receives(ping(b"!") * 1_000 + text(b"and now?"))
    assert server.written.count(Frame(Opcode.PONG, b"!").serialize(mask=False)) >= number - 1
    assert server.transport.is_closing()
    assert server.connection._unprocessed == b""
    assert server.listener.heard == []


async def test_after_closing_no_message_arrives_and_a_close_frame_is_understood() -> None:
    server = Offline()
    server.connection.close(4001, "enough")
    await server.receives(text(b"too late") + fragmented([b"too", b"late"]))
    assert not server.transport.is_at_eof
    await server.receives(Frame(Opcode.CLOSE, b"\x0f\xa1").serialize(mask=True))
    assert server.transport.is_at_eof
    assert server.listener.heard == []
    assert server.connection.close_code == 4001


async def test_closing_reads_on_behind_messages_that_were_held() -> None:
    server = Offline()
    server.connection.hold_messages()
    await server.receives(text(b"held") + Frame(Opcode.CLOSE, b"\x03\xe8").serialize(mask=True))
    server.connection.close(4001, "enough")
    await server.rest()
    assert server.listener.heard == []
    assert server.transport.is_at_eof


async def test_a_receiver_that_fails_ends_its_connection(caplog: pytest.LogCaptureFixture) -> None:
    class Failing(Listener):
        def message_received(self, message: bytes | None) -> None:
            raise RuntimeError("a bug")

    server = Offline(Failing())
    await server.receives(text(b"hello"))
    assert server.written.endswith(b"\x03\xf3internal error")
    assert "a bug" in caplog.text


# Sending


def notice(message: str) -> Outgoing:
    return encode_outgoing(Notice("test", message))


async def test_frames_of_one_tick_are_written_together_with_pongs_in_order() -> None:
    server = Offline()
    sent = [notice(str(number)) for number in range(2)]
    server.connection.send(sent[0])
    server.connection.data_received(ping(b"?"))
    await server.rest()
    server.connection.send(sent[1])
    await server.rest()
    pong = Frame(Opcode.PONG, b"?").serialize(mask=False)
    assert server.transport.written == [sent[0].frame + pong, sent[1].frame]


async def test_an_answer_is_written_in_the_tick_that_the_message_is_processed_in() -> None:
    class Echo(Listener):
        def message_received(self, message: bytes | None) -> None:
            self.connection.send(notice("an answer"))

    server = Offline(Echo())
    server.connection.data_received(text(b"a question"))
    assert server.written == b""
    await asyncio.sleep(0)
    assert server.written == notice("an answer").frame


async def test_a_connection_that_cant_be_written_to_keeps_no_other_from_its_frames(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Broken(Transport):
        def write(self, data: Any) -> None:
            raise RuntimeError("the handler is closed")

    server, broken = Offline(), Broken()
    first = Connection(server.connections, broken, server.connection.slot)
    first.start(Listener())
    for connection in (first, server.connection):
        connection.send(notice("to all"))
    await server.rest()
    assert server.written == notice("to all").frame
    assert broken.is_aborted
    assert "couldn't be written to" in caplog.text


async def test_nothing_is_sent_behind_a_close_frame() -> None:
    server = Offline()
    server.connection.send(notice("before"))
    server.connection.close(4001, "enough")
    server.connection.send(notice("after"))
    server.connection.close(1013, "twice")
    await server.rest()
    assert server.written == notice("before").frame + b"\x88\x08\x0f\xa1enough"


# Keepalive


def pass_seconds(server: Offline, seconds: int) -> None:
    for _ in range(seconds):
        server.connections.ping()


async def test_a_client_that_answers_pings_stays() -> None:
    server = Offline()
    for pings in range(1, 4):
        pass_seconds(server, PING_INTERVAL_S)
        await server.rest()
        assert server.written == PING * pings
        await server.receives(Frame(Opcode.PONG, b"").serialize(mask=True))
    assert not server.connection.is_closing


async def test_a_client_that_does_not_is_closed_when_the_next_one_is_due() -> None:
    server = Offline(drain_s=5.0)
    pass_seconds(server, 2 * PING_INTERVAL_S - 1)
    await server.receives(text(b"I don't know pings"))
    assert not server.connection.is_closing
    pass_seconds(server, 1)
    await server.rest()
    assert server.connection.close_code == 1011
    assert server.connection.close_label == "no_pong"
    server.clock.advance(5)
    assert server.transport.is_aborted


async def test_a_client_whose_pong_is_not_read_is_not_blamed_for_it() -> None:
    server = Offline()
    pass_seconds(server, PING_INTERVAL_S)
    server.connection.hold_messages()
    await server.receives(text(b"held") + Frame(Opcode.PONG, b"").serialize(mask=True))
    pass_seconds(server, PING_INTERVAL_S)
    assert not server.connection.is_closing


async def test_a_client_whose_pong_waits_for_a_turn_is_not_blamed_for_it() -> None:
    server = Offline()
    server.connections.admission.acquire("192.0.2.2")
    pass_seconds(server, PING_INTERVAL_S)
    server.connection.slot.client.credit = -TURN_WORK
    server.connection.data_received(text(b"moves") + Frame(Opcode.PONG, b"").serialize(mask=True))
    pass_seconds(server, PING_INTERVAL_S)
    await server.rest()
    pass_seconds(server, PING_INTERVAL_S)
    assert not server.connection.is_closing


# Over a socket


class Online:
    """A server with one connection, and its client."""

    def __init__(self, **options: Any) -> None:
        self.clock = ManualClock()
        self.admission = Admission(1, 1, asyncio.get_running_loop())
        self.listener = Listener()
        chosen = Options(**options)
        self.connections = Connections(chosen, self.clock, self.admission, lambda _: None)
        self.handshakes = Handshakes(
            chosen,
            self.clock,
            Tasks(),
            None,
            self.admission,
            server_header="test",
            respond=self._respond,
            open_connection=self._open,
        )
        self.client: ClientConnection

    def _respond(self, slot: ConnectionSlot, request: Request) -> None:
        """Open a WebSocket for every request."""

    def _open(self, transport: asyncio.Transport, slot: ConnectionSlot) -> Connection:
        self.listener.connection = Connection(self.connections, transport, slot)
        self.listener.connection.start(self.listener)
        return self.listener.connection

    @property
    def connection(self) -> Connection:
        """The server's end."""
        return self.listener.connection


@asynccontextmanager
async def online(**options: Any) -> AsyncIterator[Online]:
    server = Online(**options)
    listener = await asyncio.get_running_loop().create_server(
        lambda: Handshake(server.handshakes), "127.0.0.1", 0
    )
    url = f"ws://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    async with asyncio.timeout(60), listener, connect(url, max_size=None) as server.client:
        await (await server.client.ping())
        yield server
        await server.client.close()
        await server.admission.wait_until_all_released()


async def test_messages_of_any_length_arrive() -> None:
    texts = ["", "x" * 125, "ünïcödé", "y" * 70_000, "z" * 300]
    async with online() as server:
        for each in texts:
            server.connection.send(notice(each))
        for each in texts:
            heard = json.loads(await server.client.recv())
            assert heard == {"type": "notice", "code": "test", "message": each}


async def test_a_client_that_closes_is_answered() -> None:
    async with online() as server:
        await server.client.send("goodbye")
        await server.client.close(4321, "a code of its own")
        assert server.listener.heard == [b"goodbye"]
        await until(lambda: server.listener.is_told)
        assert server.connection.close_code == 4321


async def test_a_client_that_is_gone_is_noticed_and_sending_to_it_does_nothing() -> None:
    async with online() as server:
        server.client.transport.abort()
        await until(lambda: server.listener.is_told)
        assert server.connection.close_code == 1006
        server.connection.send(notice("anybody there?"))
        server.connection.close(1013, "nobody")


async def test_sending_to_a_transport_that_was_just_cut_does_nothing() -> None:
    async with online() as server:
        server.connection._transport.abort()
        for _ in range(10):
            server.connection.send(notice("x" * 100_000))
        await until(lambda: server.listener.is_told)


async def test_a_reader_that_reads_nothing_is_let_go_and_then_cut() -> None:
    noise = random.Random(1)
    async with online(unread_bytes=50_000, drain_s=5.0) as server:
        server.client.transport.pause_reading()
        while not server.connection.is_closing:
            server.connection.send(notice(noise.randbytes(20_000).hex()))
            await asyncio.sleep(0)
        waiting = server.connection.waiting_bytes
        assert 50_000 < waiting <= 50_000 + 40_200
        for _ in range(100):
            server.connection.send(notice("x" * 20_000))
        await asyncio.sleep(0)
        assert server.connection.waiting_bytes <= waiting + 100  # the close frame
        server.clock.advance(4.9)
        await asyncio.sleep(0)
        assert not server.listener.is_told
        server.clock.advance(0.1)
        await until(lambda: server.listener.is_told)
        server.client.transport.abort()


async def test_a_reader_that_catches_up_is_told_why_it_is_let_go() -> None:
    async with online(unread_bytes=50_000) as server:
        server.client.transport.pause_reading()
        sent = 0
        while not server.connection.is_closing:
            server.connection.send(notice("x" * 40_000))
            sent += 1
            await asyncio.sleep(0)
        server.client.transport.resume_reading()
        for _ in range(sent):
            assert len(await server.client.recv()) > 40_000
        with pytest.raises(ConnectionClosed) as closed:
            await server.client.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013


def kept(*kinds: type) -> list[object]:
    """Return all objects of these types, also those that wait for the garbage collector."""
    return [it for it in gc.get_objects() if type(it) in kinds]


async def test_a_connection_keeps_nothing_of_its_handshake_and_leaves_nothing_behind() -> None:
    gc.collect()
    gc.disable()
    try:
        async with online() as server:
            await server.client.send("x" * 300)
            await until(lambda: len(server.listener.heard) == 1)
            assert not kept(Handshake, ServerProtocol)
            await server.client.close()
            await until(lambda: server.listener.is_told)
            del server.listener.connection
            await asyncio.sleep(0)
            assert not kept(Connection, ServerProtocol)
    finally:
        gc.enable()
