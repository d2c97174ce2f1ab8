"""A server for one test, and clients that exchange raw JSON with it over real sockets.

Messages are written out, so that the tests read like docs/reference/protocol.md. A client folds the
events of its room, as every client may, into `Talk.room`.
"""

import asyncio
import json
import random
import socket
from base64 import urlsafe_b64encode
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from tests.server.manual_clock import ManualClock
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from boxroom_engine.room.evolve import evolve
from boxroom_engine.room.room import Room
from boxroom_engine.room.view import room_from_snapshot
from boxroom_engine.wire import messages as wire
from boxroom_engine.wire.codec import decode_from_server
from boxroom_server.net.early_messages import SUBPROTOCOL
from boxroom_server.ops.metrics import Metrics
from boxroom_server.ops.readiness import Readiness
from boxroom_server.options import Options
from boxroom_server.rooms.host import RoomHost
from boxroom_server.server import Server, serve
from boxroom_server.storage.storage import Storage

Message = dict[str, Any]

LIMIT_S = 20.0
"""Time limit of waiting for a message that must come."""

ONE_BOX: Message = {"options": {"rows": 1, "cols": 1}}
"""Settings for the smallest game: h0, h1, v0 and v1, and the last one takes the box."""


def secret_of(name: str) -> str:
    """Return the secret of `name` in the tests."""
    return f"the secret of {name.casefold()}"


def in_handshake(*messages: Message) -> list[Subprotocol]:
    """Return the subprotocols by which a client sends messages in the handshake."""
    return [SUBPROTOCOL, *(subprotocol_with(json.dumps(each).encode()) for each in messages)]


def subprotocol_with(payload: bytes) -> Subprotocol:
    """Return the subprotocol by which a client sends a message, or what should be one."""
    text = urlsafe_b64encode(payload).decode().rstrip("=")
    return Subprotocol(f"{SUBPROTOCOL}.{text}")


class Talk:
    """One connection of a client, and the messages received over it."""

    def __init__(self, connection: ClientConnection, name: str) -> None:
        self.connection = connection
        self.name = name
        self.heard: list[Message] = []
        self.room: Room | None = None  # folded from the events
        self.resumed_after: int | None = None  # `after` of the last `resumed`
        self.last_id = 0
        self._events: deque[Message] = deque()  # received and not yet returned by `event`

    @property
    def seen(self) -> Room:
        """The room as this client, which is in one, knows it."""
        assert self.room is not None
        return self.room

    # Sending

    async def say(self, kind: str, /, **fields: Any) -> int:
        """Send a message with the next id, and return the id."""
        self.last_id = fields.setdefault("id", self.last_id + 1)
        await self.connection.send(json.dumps({"type": kind, **fields}))
        return self.last_id

    async def ask(self, kind: str, /, **fields: Any) -> Message:
        """Send a message, and return its answer."""
        id = await self.say(kind, **fields)
        return await self.answer(id)

    async def do(self, kind: str, /, **fields: Any) -> int:
        """Send a message that is accepted, and return the sequence number that it led to."""
        answer = await self.ask(kind, **fields)
        assert answer["type"] == "done", answer
        seq: int = answer["seq"]
        return seq

    async def do_once_saved(self, kind: str, /, **fields: Any) -> int:
        """Do it as soon as the store answers: an advanced clock cuts off what is being saved."""
        answer = await self.ask(kind, **fields)
        while answer.get("code") == "cannot_save":
            answer = await self.ask(kind, **fields)
        assert answer["type"] == "done", answer
        seq: int = answer["seq"]
        return seq

    async def refusal(self, kind: str, /, **fields: Any) -> str:
        """Send a message that is refused, and return the code of the refusal."""
        answer = await self.ask(kind, **fields)
        assert answer["type"] == "refused", answer
        assert answer["message"]
        code: str = answer["code"]
        return code

    # Receiving

    async def hear(self) -> Message:
        """Receive the next message."""
        async with asyncio.timeout(LIMIT_S):
            text = await self.connection.recv()
        assert isinstance(text, str)
        message: Message = json.loads(text)
        self.heard.append(message)
        self._fold(decode_from_server(text.encode()))
        if message["type"] == "events":
            self._events.extend(message["events"])
        return message

    async def hear_until(self, wanted: Callable[[Message], bool]) -> Message:
        """Receive until a message is `wanted`, and return it."""
        while not wanted(message := await self.hear()):
            pass
        return message

    async def answer(self, id: int) -> Message:
        """Receive until the answer to message `id`, and return it."""
        answers = (
            "done",
            "refused",
            "elsewhere",
            "rooms",
            "pong",
            "games",
            "game_record",
            "review",
            "judgement",
            "powers",
            "geometry",
            "qr_code",
            "identity_offered",
        )
        return await self.hear_until(lambda it: it["type"] in answers and it["id"] == id)

    async def event(self, kind: str, **fields: Any) -> Message:
        """Return the next event with that type and fields, among those not returned yet."""
        while True:
            while self._events:
                event = self._events.popleft()
                if event["type"] == kind and fields.items() <= event.items():
                    return event
            await self.hear()

    async def until_seq(self, seq: int) -> None:
        """Receive all events up to number `seq`."""
        while self.room is None or self.room.seq < seq:
            await self.hear()

    async def close_code(self) -> tuple[int, str]:
        """Receive until the connection is closed, and return code and reason."""
        try:
            while True:
                await self.hear()
        except ConnectionClosed as closed:
            received = closed.rcvd
        assert received is not None, "the connection was aborted"
        return received.code, received.reason

    async def hang_up(self) -> None:
        """Close the connection with a handshake."""
        await self.connection.close()

    def cut(self) -> None:
        """Abort the connection."""
        self.connection.transport.abort()

    def _fold(self, message: wire.ServerMessage) -> None:
        match message:
            case wire.InRoom():
                self.room = room_from_snapshot(message.room)
                self.last_id = max(self.last_id, message.last_id)
            case wire.Resumed():
                self.resumed_after = message.after
                self.last_id = max(self.last_id, message.last_id)
            case wire.Events() if self.room is not None:
                assert message.seq == self.room.seq + 1, "numbers have no gaps"
                for event in message.events:
                    self.room = evolve(self.room, event, message.at_ms)


class Lobby:
    """A running server, its clock, and the clients of the test."""

    def __init__(self, server: Server, clock: ManualClock, options: Options) -> None:
        self.server = server
        self.clock = clock
        self.options = options
        self._talks: list[Talk] = []

    async def connect(self, name: str = "", address: str = "127.0.0.1") -> Talk:
        """Open a connection from `address`, and send nothing."""
        connection = await connect(
            f"ws://127.0.0.1:{self.server.port}",
            compression=None,
            max_size=None,
            max_queue=None,  # pongs are read even if messages aren't
            local_addr=(address, 0),
        )
        return self.keep(connection, name)

    def keep(self, connection: ClientConnection, name: str = "") -> Talk:
        """Add a connection that the test has opened, and close it at the end of the test."""
        self._talks.append(Talk(connection, name))
        return self._talks[-1]

    async def call(self, name: str, address: str = "127.0.0.1") -> Talk:
        """Connect a client from `address` and greet as `name`."""
        talk = await self.connect(name, address)
        await say_hello(talk)
        welcome = await talk.hear()
        assert welcome["type"] == "welcome", welcome
        return talk

    async def join(self, name: str, room: str = "attic", **fields: Any) -> Talk:
        """Connect a client that joins `room`."""
        talk = await self.call(name)
        await talk.do("join_room", room=room, **fields)
        return talk

    async def create(self, name: str, room: str | None = "attic", **fields: Any) -> Talk:
        """Connect a client that creates `room`."""
        talk = await self.call(name)
        settings = fields.pop("settings", ONE_BOX)
        await talk.do(
            "create_room", token=f"token of {name}", room=room, settings=settings, **fields
        )
        return talk

    async def game_of_two(self, **settings: Any) -> tuple[Talk, Talk]:
        """Start a game of Ada, the host, and Bob in the attic, in which Ada is to move."""
        ada = await self.create("Ada", settings={**ONE_BOX, **settings})
        bob = await self.join("Bob")
        await ada.event("sat", member="Bob")
        await ada.do("start")
        await bob.event("started")
        return ada, bob

    def host(self, room: str = "attic") -> RoomHost:
        """Return the server's host of `room`."""
        host = self.server._directory.find(room).host
        assert host is not None, f"{room} sleeps"
        return host

    async def until_owned(self, room: str = "attic") -> None:
        """Poll until the server owns `room`: in a cluster it saves checkpoints and games then."""

        def is_owned() -> bool:
            hosted = self.server._directory.find(room).hosted
            return hosted is not None and hosted.is_owner

        await until(is_owned)

    def room(self, room: str = "attic") -> Room:
        """Return the server's state of `room`."""
        return self.host(room).room

    def limit_send_buffers(self) -> None:
        """Let the kernel keep little of what new connections don't read: the server keeps it."""
        assert self.server._listener is not None
        for listening in self.server._listener.sockets:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)  # they inherit it

    async def hang_up(self) -> None:
        """Close all connections of the test."""
        for talk in self._talks:
            await talk.hang_up()


async def until(holds: Callable[[], bool]) -> None:
    """Poll once a tick until `holds` returns true."""
    async with asyncio.timeout(LIMIT_S):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0)


async def until_waiting(host: RoomHost, number: int) -> None:
    """Poll once a tick until that many commands wait for their answers."""
    sequencer = host._sequencer
    await until(
        lambda: len(sequencer._moves) + len(sequencer._others) + bool(sequencer._current) == number
    )


async def say_hello(talk: Talk, **fields: Any) -> None:
    """Send a hello."""
    hello = {"type": "hello", "protocol": 1, "name": talk.name, "secret": secret_of(talk.name)}
    await talk.connection.send(json.dumps(hello | fields))


@asynccontextmanager
async def lobby(
    *,
    storage: Storage | None = None,
    clock: ManualClock | None = None,
    metrics: Metrics | None = None,
    readiness: Readiness | None = None,
    **options: Any,
) -> AsyncIterator[Lobby]:
    """Run a server with those options on a free port of the loopback interface.

    Bots get time enough for the same moves on a busy machine.
    """
    usual = {"host": "127.0.0.1", "port": 0, "pace_s": 0.0, "bot_s": 1000.0, "chat_burst": 100_000}
    chosen = Options(**{**usual, **options})
    clock = clock or ManualClock()
    async with serve(
        chosen,
        storage=storage,
        clock=clock,
        rng=random.Random(1),
        metrics=metrics,
        readiness=readiness,
    ) as server:
        place = Lobby(server, clock, chosen)
        try:
            yield place
        finally:
            await place.hang_up()
