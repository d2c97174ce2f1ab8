"""A server in a process of its own, and conversations in JSON with it.

Clients use WebSockets alone, as docs/reference/protocol.md says, and nothing of Boxroom's code: so
the same conversation can be held with a server of any version.
"""

import asyncio
import json
import re
import signal
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

Message = dict[str, Any]

LIMIT_S = 30.0
"""Longest wait for an answer, a move or a process."""

ANSWERS = ("welcome", "done", "refused", "rooms")
"""Types of the messages that answer a request."""


def secret_of(name: str) -> str:
    """The secret of a person in the fixtures; it protects nothing."""
    return f"for tests only: {name.casefold()}"


class Server:
    """A running `boxroom serve`."""

    def __init__(self, program: Sequence[str], process: asyncio.subprocess.Process, port: int):
        self.program = program
        self.port = port
        self._process = process

    async def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Send it a signal, and wait for its end."""
        if self._process.returncode is None:
            self._process.send_signal(how)
        async with asyncio.timeout(LIMIT_S):
            await self._process.communicate()


@asynccontextmanager
async def serving(program: Sequence[str], data: Path) -> AsyncIterator[Server]:
    """A server with the data folder `data` on a free port."""
    process = await asyncio.create_subprocess_exec(
        *(*program, "serve", "--data", str(data), "--host", "127.0.0.1", "--port", "0"),
        # Names in old files would have expired by default.
        *("--no-announce", "--pace-s", "0", "--name-days", "100000"),
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(LIMIT_S):
            found = re.search(rb"listens on port (\d+)", line := await process.stdout.readline())
            assert found is not None, line
            while b"announced" not in line:  # the last line that it prints
                line = await process.stdout.readline()
        server = Server(program, process, int(found[1]))
        yield server
    finally:
        await server.stop()


async def run(program: Sequence[str], *arguments: str) -> str:
    """Run the program to its end; return what it printed."""
    process = await asyncio.create_subprocess_exec(
        *program, *arguments, stdout=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(LIMIT_S):
        out, _ = await process.communicate()
    assert process.returncode == 0, (arguments, process.returncode)
    return out.decode()


class Client:
    """One connection to a server: its requests, its answers, and the game it follows."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self.last_id = 0  # of its last request
        self.log = ""  # name of the room's log
        self.tokens: list[str] = []  # moves and withdrawals of the current game
        self.to_move: int | None = None  # seat; None between games
        self.is_playing = False  # whether the current game goes on

    async def ask(self, message: Message) -> list[Message]:
        """Send a message; return everything that is received up to its answer."""
        await self._connection.send(json.dumps(message))
        received = [await self.receive()]
        while received[-1]["type"] not in ANSWERS:
            received.append(await self.receive())
        return received

    async def do(self, kind: str, **fields: Any) -> Message:
        """Send a command that must be accepted; return the command."""
        self.last_id += 1
        command = {"type": kind, "id": self.last_id, **fields}
        answer = (await self.ask(command))[-1]
        assert answer["type"] == "done", (command, answer)
        return command

    async def play(self, move: str) -> Message:
        """Play `move` for the seat to move."""
        return await self.do("play", seat=self.to_move, move=move, ply=len(self.tokens))

    async def until_ply(self, ply: int) -> None:
        """Receive everything up to the position after `ply` moves."""
        while len(self.tokens) < ply:
            await self.receive()

    async def receive(self) -> Message:
        """Return the next message."""
        async with asyncio.timeout(LIMIT_S):
            message: Message = json.loads(await self._connection.recv())
        if message["type"] == "in_room":
            room = message["room"]
            self.log = room["log"]
            self.last_id = max(self.last_id, message["last_id"])
            self.tokens = list(room.get("tokens", []))
            self.to_move = room.get("to_move")
            self.is_playing = room["phase"] == "playing"
        for event in message.get("events", ()):
            self._follow(event)
        return message

    def _follow(self, event: Message) -> None:
        match event:
            case {"type": "started"}:
                self.tokens, self.to_move, self.is_playing = [], 0, True
            case {"type": "played", "move": move, "to_move": to_move}:
                self.tokens.append(move)
                self.to_move = to_move
            case {"type": "withdrew", "seat": seat, "to_move": to_move}:
                self.tokens.append(f"~{seat}")
                self.to_move = to_move
            case {"type": "ended"}:
                self.is_playing = False
            case _:
                pass


def hello(name: str, secret: str | None = None) -> Message:
    """The first message of a connection."""
    return {"type": "hello", "protocol": 1, "name": name, "secret": secret or secret_of(name)}


class Clients:
    """The connections of one scenario; a context manager that closes them."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> "Clients":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def connect(self) -> Client:
        """A connection that has sent nothing."""
        url = f"ws://127.0.0.1:{self._port}"
        connection = connect(url, compression=None, max_size=None)
        return Client(await self._stack.enter_async_context(connection))

    async def greet(self, name: str) -> Client:
        """A connection that was welcomed as `name`."""
        client = await self.connect()
        answer = (await client.ask(hello(name)))[-1]
        assert answer["type"] == "welcome", answer
        return client

    async def create(self, name: str, room: str, **fields: Any) -> Client:
        """A client that has made `room`."""
        client = await self.greet(name)
        await client.do("create_room", token=f"token of {room}", room=room, **fields)
        return client

    async def join(self, name: str, room: str, **fields: Any) -> Client:
        """A client that has joined `room`."""
        client = await self.greet(name)
        await client.do("join_room", room=room, **fields)
        return client


async def play_all(first: Client, second: Client, moves: Sequence[str]) -> None:
    """Play `moves` in a game of two players, until it is over."""
    for ply, move in enumerate(moves, len(first.tokens)):
        for client in (first, second):
            await client.until_ply(ply)
        if first.to_move is None:
            break
        await (first, second)[first.to_move].play(move)
    for client in (first, second):
        while client.is_playing:
            await client.receive()


Step = dict[str, Any]
"""One request in a conversation: the name of its `connection`, the message that it `sends`, and
the messages that it `receives`, the last of which is the answer."""


def step(connection: str, sends: Message) -> Step:
    """Return a step whose answer isn't known yet."""
    return {"connection": connection, "sends": sends, "receives": []}


def joining(name: str, room: str, **fields: Any) -> list[Step]:
    """Return the steps of a person who joins a room over a connection of its own."""
    key = f"{name} in {room}"
    return [
        step(key, hello(name)),
        step(key, {"type": "join_room", "id": 1000, "room": room, **fields}),
    ]


IsOld = Callable[[int], bool]
"""Decides about a time in a message: False if it was made during the conversation."""


async def converse(port: int, steps: Sequence[Mapping[str, Any]], is_old: IsOld) -> list[Step]:
    """Send the messages of `steps` to a server; return the steps with what they receive now.

    Times that aren't old, and texts for people, differ from run to run and are masked.
    """
    answered: list[Step] = []
    async with Clients(port) as clients:
        open_connections: dict[str, Client] = {}
        for planned in steps:
            key = planned["connection"]
            if key not in open_connections:
                open_connections[key] = await clients.connect()
            received = await open_connections[key].ask(planned["sends"])
            receives = [_masked(message, is_old) for message in received]
            answered.append({"connection": key, "sends": planned["sends"], "receives": receives})
    return answered


def times_in(value: Any, key: str = "") -> set[int]:
    """Return all times in a message, or in many."""
    match value:
        case dict():
            return set().union(*(times_in(each, name) for name, each in value.items()))
        case list():
            return set().union(*map(times_in, value))
        case int() if key.endswith("_ms"):
            return {value}
        case _:
            return set()


def _masked(value: Any, is_old: IsOld, key: str = "") -> Any:
    match value:
        case {"type": "welcome"}:
            return {"type": "welcome", "name": value["name"]}
        case {"type": "refused"}:
            return {"type": "refused", "id": value["id"], "code": value["code"]}
        case dict():
            return {name: _masked(each, is_old, name) for name, each in value.items()}
        case list():
            return [_masked(each, is_old) for each in value]
        case int() if key.endswith("_ms") and not is_old(value):
            return "later"
        case _:
            return value
