"""Attacks on a server by clients that keep within every documented limit of a connection.

Each is a coroutine that goes on until it is cancelled. It takes the server's port, the address of
its connections, and their number. Answers aren't read beyond their bytes, so that an attack costs
little where it comes from. `under_attack.py` runs this file in a process of its own.
"""

import asyncio
import itertools
import json
import os
import socket
import struct
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress

import uvloop
from load import ask
from raw_websocket import TEXT, RawWebSocket, connect, frame

MESSAGES_PER_S = 49
"""Just less than a server takes from each connection."""

Message = dict[str, object]

DEAR_BOARD: Message = {
    "game": "noughts",
    "options": {"dims": "2,2,2,2,2,2,2", "line": 2},
    "seats": 2,
}
LARGE_BOARD: Message = {"options": {"rows": 49, "cols": 50}, "seats": 2}

EMPTY_FRAMES = 40_000

CUT_EVERY_S = 20.0
"""Time between two moments in which all connections of all addresses are cut."""

Attack = Callable[[int, str, int], Coroutine[None, None, None]]


def encoded(message: Message) -> bytes:
    """Return a client's text frame with a message."""
    return frame(TEXT, json.dumps(message, separators=(",", ":")).encode())


async def greeted(port: int, address: str, name: str) -> RawWebSocket:
    """Return a connection that has said hello."""
    client = await connect(port, address)
    await ask(client, {"type": "hello", "protocol": 1, "name": name, "secret": "s" * 16})
    return client


async def in_own_room(port: int, address: str, number: int, settings: Message) -> RawWebSocket:
    """Return a connection that sits in a room of its own beside a bot."""
    name = f"a{address.rpartition('.')[2]} {number}"
    client = await greeted(port, address, name)
    create = {"type": "create_room", "id": 1, "token": f"token {name:>10}", "room": f"room {name}"}
    await ask(client, {**create, "settings": settings})
    await ask(client, {"type": "seat_bot", "id": 2, "seat": 1, "bot": "random"})
    return client


async def repeat(client: RawWebSocket, messages: Iterator[bytes]) -> None:
    """Send one message after the other, as many a second as are taken, to a deaf ear."""
    client.on_message = lambda _: None
    loop = asyncio.get_running_loop()
    due_s = loop.time()
    while not client.closed.done():
        client.write(next(messages))
        due_s += 1 / MESSAGES_PER_S
        await asyncio.sleep(due_s - loop.time())


def with_ids(*messages: Message) -> Iterator[bytes]:
    """Yield these messages in turn for ever, with growing ids."""
    for number, message in enumerate(itertools.cycle(messages), 10):
        yield encoded({**message, "id": number})


async def all_at_once(
    port: int, address: str, connections: int, client: Callable[[int], Coroutine[None, None, None]]
) -> None:
    """Run `client` for each number of a connection."""
    await asyncio.gather(*(client(number) for number in range(connections)))


async def start_and_resign(port: int, address: str, connections: int, settings: Message) -> None:
    """Begin games and resign them."""

    async def client(number: int) -> None:
        room = await in_own_room(port, address, number, settings)
        await repeat(room, with_ids({"type": "start"}, {"type": "resign", "seat": 0}))

    await all_at_once(port, address, connections, client)


async def dear_boards(port: int, address: str, connections: int) -> None:
    """Begin games on a board of many lines and resign them."""
    await start_and_resign(port, address, connections, DEAR_BOARD)


async def large_boards(port: int, address: str, connections: int) -> None:
    """Begin games on a board of many moves, each time of another size, and resign them."""

    async def client(number: int) -> None:
        room = await in_own_room(port, address, number, LARGE_BOARD)
        steps: list[Message] = []
        for rows in range(3, 52):
            board: Message = {"options": {"rows": rows, "cols": 2450 // rows}, "seats": 2}
            steps += [{"type": "configure", "settings": board}, {"type": "start"}]
            steps += [{"type": "resign", "seat": 0}]
        await repeat(room, with_ids(*steps))

    await all_at_once(port, address, connections, client)


async def empty_frames(port: int, address: str, connections: int) -> None:
    """Send 240 kB of empty text frames in one write, and come again when cut."""
    flood = encoded({"type": "hello", "protocol": 1, "name": "flood", "secret": "s" * 16})
    flood += frame(TEXT, b"") * EMPTY_FRAMES

    async def client(number: int) -> None:
        while True:
            with suppress(OSError):
                flooding = await connect(port, address)
                flooding.write(flood)
                await flooding.closed

    await all_at_once(port, address, connections, client)


async def lists(port: int, address: str, connections: int) -> None:
    """Ask for the list of rooms."""

    async def client(number: int) -> None:
        listing = await greeted(port, address, f"l{address.rpartition('.')[2]} {number}")
        await repeat(listing, with_ids({"type": "list_rooms"}))

    await all_at_once(port, address, connections, client)


async def settings(port: int, address: str, connections: int) -> None:
    """Change the settings of rooms."""

    async def client(number: int) -> None:
        sizes: list[Message] = [
            {"options": {"rows": rows, "cols": 9}, "seats": 2} for rows in (8, 9)
        ]
        changes: list[Message] = [{"type": "configure", "settings": size} for size in sizes]
        room = await in_own_room(port, address, number, sizes[0])
        await repeat(room, with_ids(*changes))

    await all_at_once(port, address, connections, client)


async def joining(port: int, address: str, connections: int) -> None:
    """Come into a room and leave it."""

    async def client(number: int) -> None:
        guest = await greeted(port, address, f"j{address.rpartition('.')[2]} {number}")
        join = {"type": "join_room", "room": "r1", "watch": True}
        await repeat(guest, with_ids(join, {"type": "leave"}))

    await all_at_once(port, address, connections, client)


async def reconnecting(port: int, address: str, connections: int) -> None:
    """Say hello over one connection after the other."""

    async def client(number: int) -> None:
        while True:
            with suppress(OSError):
                guest = await greeted(port, address, f"c{address.rpartition('.')[2]} {number}")
                guest.close()
            await asyncio.sleep(0)

    await all_at_once(port, address, connections, client)


async def cutting(port: int, address: str, connections: int) -> None:
    """Sit in rooms, with all connections of all addresses cut in the same moment."""
    while True:
        rooms = (in_own_room(port, address, it, LARGE_BOARD) for it in range(connections))
        with suppress(OSError, RuntimeError):
            clients = await asyncio.gather(*rooms)
            await asyncio.sleep(CUT_EVERY_S - time.time() % CUT_EVERY_S)
            for client in clients:
                client.close()


async def passwords(port: int, address: str, connections: int) -> None:
    """Guess the passwords of private rooms, each connection that of a room of its own."""

    async def client(number: int) -> None:
        name = f"g{address.rpartition('.')[2]} {number}"
        owner = await greeted(port, address, name)
        create = {"type": "create_room", "id": 1, "token": f"token {name:>10}", "room": name}
        private = {"settings": {"private": True}, "password": "right"}
        await ask(owner, {**create, **private})
        guest = await greeted(port, address, f"{name} guest")
        await repeat(guest, with_ids({"type": "join_room", "room": name, "password": "wrong"}))

    await all_at_once(port, address, connections, client)


async def health(port: int, address: str, connections: int) -> None:
    """Ask for /healthz, and reset the connection before the answer."""
    request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    loop = asyncio.get_running_loop()

    async def client(number: int) -> None:
        while True:
            with suppress(OSError):
                asking = socket.socket()
                asking.setblocking(False)
                asking.bind((address, 0))
                asking.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                await loop.sock_connect(asking, ("127.0.0.1", port))
                await loop.sock_sendall(asking, request)
                asking.close()
            await asyncio.sleep(0)

    await all_at_once(port, address, connections, client)


ATTACKS: dict[str, Attack] = {
    "dear_boards": dear_boards,
    "large_boards": large_boards,
    "empty_frames": empty_frames,
    "lists": lists,
    "settings": settings,
    "joining": joining,
    "reconnecting": reconnecting,
    "health": health,
    "cutting": cutting,
    "passwords": passwords,
}


async def attack(what: Attack, port: int, addresses: int, connections: int) -> None:
    """Attack from so many addresses, with so many connections each."""
    await asyncio.gather(
        *(what(port, f"127.0.0.{2 + number}", connections) for number in range(addresses))
    )


if __name__ == "__main__":
    os.nice(19)  # so that the players beside it, whose time is measured, come first
    name, its_port, addresses, its_connections = sys.argv[1:]
    uvloop.run(attack(ATTACKS[name], int(its_port), int(addresses), int(its_connections)))
