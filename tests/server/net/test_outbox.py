"""The outgoing message queue of a connection, over real sockets."""

import asyncio
import json
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest
from tests.server.manual_clock import ManualClock
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from boxroom_engine.wire.messages import Notice
from boxroom_server.net import outbox as outbox_module
from boxroom_server.net.outbox import Outbox, Outgoing
from boxroom_server.net.tick_batch import TickBatch
from boxroom_server.tasks import Tasks


async def test_a_message_is_encoded_and_framed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    def counted(name: str) -> None:
        real = getattr(outbox_module, name)

        def once_more(it: object) -> object:
            done.append(name)
            return real(it)

        monkeypatch.setattr(outbox_module, name, once_more)

    counted("encode")
    counted("text_frame")
    async with open_outbox() as one, open_outbox() as other:
        outgoing = Outgoing.of(Notice("test", "for both"))
        one.outbox.send(outgoing)
        other.outbox.send(outgoing)
        assert await one.client_end.recv() == await other.client_end.recv()
    assert sorted(done) == ["encode", "text_frame"]


class OutboxPair:
    """An outbox, with both ends of its connection."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.tasks = Tasks()
        self.outbox: Outbox
        self.server_end: ServerConnection
        self.client_end: ClientConnection


@asynccontextmanager
async def open_outbox(*, unread_bytes: int = 10_000_000) -> AsyncIterator[OutboxPair]:
    pair, made = OutboxPair(), asyncio.Event()

    async def converse(connection: ServerConnection) -> None:
        pair.server_end = connection
        pair.outbox = Outbox(
            connection,
            pair.clock,
            pair.tasks,
            TickBatch(Outbox.flush),
            unread_bytes=unread_bytes,
            drain_s=5.0,
        )
        made.set()
        await connection.wait_closed()

    async with (
        asyncio.timeout(60),
        serve(converse, "127.0.0.1", 0, compression=None) as server,
        connect(
            f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}",
            max_size=None,
        ) as client,
    ):
        await made.wait()
        pair.client_end = client
        yield pair
    await pair.tasks.cancel()


async def test_messages_of_any_length_arrive() -> None:
    texts = ["", "x" * 125, "ünïcödé", "y" * 70_000, "z" * 300]
    async with open_outbox() as pair:
        for text in texts:
            pair.outbox.send(Outgoing.of(Notice("test", text)))
        for text in texts:
            heard = json.loads(await pair.client_end.recv())
            assert heard == {"type": "notice", "code": "test", "message": text}


async def test_our_frames_mix_with_those_of_websockets() -> None:
    async with open_outbox() as pair:
        for number in range(50):
            pair.outbox.send(Outgoing.of(Notice("test", str(number))))
            if number % 7 == 0:
                await (await pair.server_end.ping())
            assert json.loads(await pair.client_end.recv())["message"] == str(number)


async def test_what_is_sent_in_one_turn_is_written_in_one_piece_at_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with open_outbox() as pair:
        written: list[bytes] = []
        transport = SimpleNamespace(write=written.append, is_closing=lambda: False)
        monkeypatch.setattr(pair.outbox, "_transport", transport)
        sent = [Outgoing.of(Notice("test", str(number))) for number in range(3)]
        for outgoing in sent:
            pair.outbox.send(outgoing)
        assert written == []
        await asyncio.sleep(0)
        assert written == [b"".join(outgoing.frame for outgoing in sent)]


async def test_close_comes_behind_what_was_sent_and_nothing_after_it() -> None:
    async with open_outbox() as pair:
        pair.outbox.send(Outgoing.of(Notice("test", "before")))
        pair.outbox.close(4001, "enough")
        pair.outbox.send(Outgoing.of(Notice("test", "after")))
        pair.outbox.close(1013, "twice")
        assert json.loads(await pair.client_end.recv())["message"] == "before"
        with pytest.raises(ConnectionClosed) as closed:
            await pair.client_end.recv()
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4001, "enough")
        pair.clock.advance(10)  # aborting a closed connection does nothing


async def test_sending_to_who_is_gone_does_nothing() -> None:
    async with open_outbox() as pair:
        pair.client_end.transport.abort()
        await pair.server_end.wait_closed()
        pair.outbox.send(Outgoing.of(Notice("test", "anybody there?")))
        pair.outbox.close(1013, "nobody")


async def test_sending_to_a_transport_that_was_just_cut_does_nothing() -> None:
    async with open_outbox() as pair:
        pair.server_end.transport.abort()  # websockets learns of it in the next turn of the loop
        for _ in range(10):
            pair.outbox.send(Outgoing.of(Notice("test", "x" * 100_000)))
        await pair.server_end.wait_closed()


async def test_a_reader_that_reads_nothing_is_let_go_and_then_cut() -> None:
    noise = random.Random(1)
    async with open_outbox(unread_bytes=50_000) as pair:
        pair.client_end.transport.pause_reading()
        sent = 0
        while pair.server_end.transport.get_write_buffer_size() <= 50_000:
            text = noise.randbytes(20_000).hex()
            pair.outbox.send(Outgoing.of(Notice("test", text)))
            pair.outbox.flush()  # or two messages would make one write
            sent += 1
        waiting = pair.server_end.transport.get_write_buffer_size()
        assert waiting <= 50_000 + 40_200
        for _ in range(100):
            pair.outbox.send(Outgoing.of(Notice("test", text)))
        assert pair.server_end.transport.get_write_buffer_size() == waiting
        pair.clock.advance(4.9)
        await asyncio.sleep(0)
        assert not pair.server_end.transport.is_closing()
        pair.clock.advance(0.1)
        await pair.server_end.wait_closed()
        assert pair.server_end.transport.get_write_buffer_size() == 0
        pair.client_end.transport.abort()


async def test_a_reader_that_catches_up_is_told_why_it_is_let_go() -> None:
    async with open_outbox(unread_bytes=50_000) as pair:
        pair.client_end.transport.pause_reading()
        sent = 0
        while pair.server_end.transport.get_write_buffer_size() <= 50_000:
            pair.outbox.send(Outgoing.of(Notice("test", "x" * 40_000)))
            sent += 1
        pair.client_end.transport.resume_reading()
        for _ in range(sent):
            assert len(await pair.client_end.recv()) > 40_000
        with pytest.raises(ConnectionClosed) as closed:
            await pair.client_end.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013
