"""Messages that the callback accepts and messages from the queue stay in order."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from tests.server.talk import until
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from boxroom_server.net.reading import NotText, ReadingConnection
from boxroom_server.net.tick_batch import TickBatch


class Listener:
    """The server's end of a connection, which records all messages in the order of arrival."""

    def __init__(self, takes: Callable[[bytes], bool]) -> None:
        self._takes = takes
        self.heard: list[bytes] = []
        self.taken = 0
        self.may_read = asyncio.Event()
        self.may_read.set()
        self.met_binary = asyncio.Event()
        self.connection: ReadingConnection

    async def listen(self, connection: ServerConnection) -> None:
        """Read until the end."""
        assert isinstance(connection, ReadingConnection)
        self.connection = connection
        connection.set_message_callback(self._take)
        try:
            while True:
                await self.may_read.wait()
                self.heard.append(await connection.next_message())
        except ConnectionClosed:
            pass
        except NotText:
            self.met_binary.set()

    def _take(self, message: bytes) -> bool:
        if not self._takes(message):
            return False
        self.taken += 1
        self.heard.append(message)
        return True

    async def hears(self, messages: list[bytes]) -> None:
        """Wait for as many messages, which must be these."""
        await until(lambda: len(self.heard) >= len(messages))
        assert self.heard == messages


@asynccontextmanager
async def listening(
    takes: Callable[[bytes], bool] = lambda _: True, max_size: int = 1 << 20
) -> AsyncIterator[tuple[Listener, ClientConnection]]:
    listener = Listener(takes)
    batch = TickBatch(ReadingConnection.process_received)
    async with (
        serve(
            listener.listen,
            "127.0.0.1",
            0,
            compression=None,
            max_size=max_size,
            create_connection=type("One", (ReadingConnection,), {"received": batch}),
        ) as server,
        connect(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}", compression=None) as client,
    ):
        await (await client.ping())
        await until(lambda: hasattr(listener, "connection"))
        yield listener, client


async def test_short_messages_are_taken_as_they_arrive() -> None:
    async with listening() as (listener, client):
        for number in range(5):
            await client.send(f"message {number}")
            await listener.hears([b"message %d" % it for it in range(number + 1)])
        assert listener.taken == 5


async def test_what_is_not_taken_queues_up() -> None:
    async with listening(lambda message: message != b"no") as (listener, client):
        for message in (b"yes", b"no", b"yes"):
            await client.send(message, text=True)
        await listener.hears([b"yes", b"no", b"yes"])


async def test_nothing_overtakes_what_waits_in_the_queue() -> None:
    async with listening() as (listener, client):
        listener.may_read.clear()
        await client.send(b"the last one that is read without waiting" * 4, text=True)
        await until(lambda: len(listener.heard) == 1)
        messages = [listener.heard[0], *(b"%d" % number for number in range(20))]
        long = b"long" * 100
        await client.send(long, text=True)
        for message in messages[1:]:
            await client.send(message, text=True)
        await (await client.ping())
        assert listener.taken == 0
        listener.may_read.set()
        await listener.hears([messages[0], long, *messages[1:]])


async def test_a_short_frame_inside_a_message_in_fragments_is_an_error() -> None:
    async with listening() as (listener, client):
        client.transport.write(Frame(Opcode.TEXT, b"begun", fin=False).serialize(mask=True))
        await (await client.ping())
        client.transport.write(Frame(Opcode.TEXT, b"another").serialize(mask=True))
        await client.wait_closed()
        assert client.close_code == 1002
        assert listener.heard == []


async def test_nothing_is_taken_once_the_connection_closes() -> None:
    async with listening() as (listener, client):
        client.transport.write(Frame(Opcode.CLOSE, b"\x03\xe8").serialize(mask=True))
        await until(lambda: listener.connection.protocol.state.name != "OPEN")
        client.transport.write(Frame(Opcode.TEXT, b"too late").serialize(mask=True))
        await client.wait_closed()
        assert listener.heard == []


@pytest.mark.parametrize("before", [0, 1, 3])
async def test_a_binary_message_is_an_error_after_all_before_it(before: int) -> None:
    async with listening(lambda _: False) as (listener, client):
        listener.may_read.clear()
        await client.send(b"the last one that is read without waiting", text=True)
        await until(lambda: len(listener.heard) == 1)
        for number in range(before):
            await client.send(b"%d" % number, text=True)
        await client.send(b"binary", text=False)
        await client.send(b"more of it", text=False)
        await client.send(b"behind it", text=True)
        await (await client.ping())
        listener.may_read.set()
        await listener.met_binary.wait()
        assert listener.heard[1:] == [b"%d" % number for number in range(before)]


@pytest.mark.parametrize("seed", range(12))
async def test_any_mixture_of_messages_comes_in_order(seed: int) -> None:
    """Mix frames of all sizes and kinds, cut anywhere, accepted or queued, read early or late."""
    rng = random.Random(seed)
    async with listening(lambda _: rng.random() < 0.7) as (listener, client):
        sent: list[bytes] = []
        unsent = b""
        for number in range(150):
            payload = b"%d " % number + bytes(rng.choice([0, 5, 110, 130, 300, 70_000]))
            sent.append(payload)
            unsent += _frames(rng, payload)
            if rng.random() < 0.3:
                listener.may_read.clear()
            if rng.random() < 0.5:
                await _send_in_pieces(rng, client, unsent)
                unsent = b""
                if rng.random() < 0.7:
                    listener.may_read.set()
                    await listener.hears(sent)
        listener.may_read.set()
        await _send_in_pieces(rng, client, unsent)
        await listener.hears(sent)
        for number in range(10):  # when nothing else is on its way
            sent.append(b"%d" % number)
            await client.send(sent[-1].decode())
            await listener.hears(sent)
        assert 0 < listener.taken < len(sent)


async def _send_in_pieces(rng: random.Random, client: ClientConnection, data: bytes) -> None:
    """Send `data` in random pieces, some of which the other end reads separately."""
    while data:
        end = rng.choice([1, 2, 7, 50, len(data), len(data), len(data)])
        client.transport.write(data[:end])
        data = data[end:]
        await asyncio.sleep(0)


def _frames(rng: random.Random, payload: bytes) -> bytes:
    """Return `payload` as one frame or several, perhaps with a pong in between."""
    cut = rng.randrange(len(payload)) if rng.random() < 0.2 else len(payload)
    frames = [Frame(Opcode.TEXT, payload[:cut], fin=cut == len(payload))]
    if rng.random() < 0.1:
        frames.append(Frame(Opcode.PONG, b"unasked"))
    if cut < len(payload):
        frames.append(Frame(Opcode.CONT, payload[cut:]))
    return b"".join(frame.serialize(mask=True) for frame in frames)
