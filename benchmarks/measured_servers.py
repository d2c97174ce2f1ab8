"""The servers that `broadcast.py` compares, each in a process of its own.

`bare` takes a message and broadcasts it to the sender's room with `websockets.broadcast`: no
rules, no numbers, no checks. `shared` does the same with one frame for all, which it writes itself.
`boxroom` is the real server, as `boxroom serve` runs it: it saves every move on disk before any
member receives it. `memory` is the same with `--memory`. A process prints its port, and for every
line that it reads the CPU seconds that it has used so far.
"""

import asyncio
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import uvloop
from websockets.asyncio.server import ServerConnection, broadcast
from websockets.asyncio.server import serve as serve_websockets
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from boxroom_server.clock import SystemClock
from boxroom_server.ops import runtime
from boxroom_server.options import Options
from boxroom_server.server import serve as serve_boxroom
from boxroom_server.storage.sqlite.folder import DataFolder
from boxroom_server.storage.sqlite.storage import sqlite_storage

MANY = 1_000_000


Room = set[ServerConnection]


def send_shared(room: Room, message: str | bytes) -> None:
    """Write one text frame to all connections of `room`."""
    assert isinstance(message, bytes)
    frame = Frame(Opcode.TEXT, message).serialize(mask=False)
    for connection in room:
        connection.transport.write(frame)


async def broadcasting(send: Callable[[Room, str | bytes], None], *, decode: bool | None) -> None:
    """Send every message to the sender's room, which its first message names."""
    rooms: defaultdict[str | bytes, Room] = defaultdict(set)

    async def converse(connection: ServerConnection) -> None:
        room = rooms[await connection.recv()]
        room.add(connection)
        try:
            while True:
                send(room, await connection.recv(decode))
        except ConnectionClosed:
            room.discard(connection)

    async with serve_websockets(converse, "127.0.0.1", 0, compression=None) as server:
        await report(server.sockets[0].getsockname()[1])


async def bare() -> None:
    """Use the library's own broadcast."""
    await broadcasting(broadcast, decode=None)


async def shared() -> None:
    """Frame each message once."""
    await broadcasting(send_shared, decode=False)


async def boxroom() -> None:
    """Run the real server."""
    clock = SystemClock()
    with TemporaryDirectory() as folder:
        async with (
            sqlite_storage(DataFolder(Path(folder)), clock) as storage,
            serve_boxroom(options(), storage=storage, clock=clock) as server,
        ):
            await report(server.port)


async def memory() -> None:
    """Run the real server without a disk."""
    async with serve_boxroom(options()) as server:
        await report(server.port)


def options() -> Options:
    """Return options without limits."""
    return Options(
        host="127.0.0.1",
        port=0,
        messages_per_s=MANY,
        burst=MANY,
        connections=MANY,
        connections_per_address=MANY,
        rooms_per_address=MANY,
        new_names=MANY,
        members=MANY,
        spectators=MANY,
        frames_burst=MANY,
        pace_s=0,
    )


async def report(port: int) -> None:
    """Print the port, then CPU seconds for each line on standard input, until it ends."""
    print(port, flush=True)
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, sys.stdin.readline):
        print(time.process_time(), flush=True)


if __name__ == "__main__":
    if sys.argv[1] in ("bare", "shared"):
        uvloop.run(bare() if sys.argv[1] == "bare" else shared())
    else:
        runtime.run(boxroom() if sys.argv[1] == "boxroom" else memory())
