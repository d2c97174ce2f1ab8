"""Cost of a join for a server: CPU time for each, and memory for each seated player.

Spectators join rooms in which a game is half played, one in each room at the same time: each
receives a snapshot, and all members of the room an event. Before that they have connected and sent
their hello, which is counted apart, and beside it the handshake of a bare server. Memory is what
the server has taken when the players of all rooms are seated, before the first move.

    python benchmarks/joining.py --rooms 50 --joins 10 --rounds 3
"""

import argparse
import asyncio
import statistics
from dataclasses import dataclass

import uvloop
from load import Load, RoomLoad, ServerProcess, ask, enter_boxroom, script
from raw_websocket import RawWebSocket, connect

SERVERS = ("memory", "boxroom")


@dataclass(frozen=True, slots=True)
class Measured:
    """Measurements of one run of one server, for each client."""

    handshake_ms: float
    """CPU time of the bare server for a connection."""
    greeting_ms: float
    """CPU time for a connection and its hello."""
    join_ms: float
    """CPU time from the request to the answer, with the snapshot and the events for others."""
    seated_kib: float
    """Memory for each seated player before the game, the rooms included."""


async def handshake_ms(people: int) -> float:
    """Return the CPU time of a bare server for a connection."""
    server = ServerProcess("bare")
    await connect(server.port)  # the first one makes it import modules
    cpu_s = server.cpu_s()
    connected = [await connect(server.port) for _ in range(people)]
    cpu_s = server.cpu_s() - cpu_s
    server.stop()
    return cpu_s / len(connected) * 1000


async def measure(name: str, load: Load, joins: int) -> Measured:
    """Play a game in every room, and have `joins` spectators join each."""
    server = ServerProcess(name)
    await enter_boxroom(server.port, load, load.rooms)  # the first one makes it import modules
    resident = server.resident_bytes()
    rooms = [await enter_boxroom(server.port, load, number) for number in range(load.rooms)]
    seated_kib = (server.resident_bytes() - resident) / (load.rooms * load.members) / 1024
    for number, members in enumerate(rooms):
        play = RoomLoad(members, script(load, number), b'"played"')
        play.start()
        await play.ended
    cpu_s = server.cpu_s()
    people = [await greeted(server.port, f"w{number}") for number in range(load.rooms * joins)]
    greeted_s = server.cpu_s()
    for first in range(0, len(people), load.rooms):
        coming = people[first : first + load.rooms]
        await asyncio.gather(*(join(person, number) for number, person in enumerate(coming)))
    joined_s = server.cpu_s()
    server.stop()
    return Measured(
        await handshake_ms(len(people)),
        (greeted_s - cpu_s) / len(people) * 1000,
        (joined_s - greeted_s) / len(people) * 1000,
        seated_kib,
    )


async def greeted(port: int, name: str) -> RawWebSocket:
    """Return a connection that has been welcomed."""
    person = await connect(port)
    await ask(person, {"type": "hello", "protocol": 1, "name": name, "secret": "s" * 16})
    return person


async def join(person: RawWebSocket, number: int) -> None:
    """Have `person` join a room as a spectator."""
    join_room = {"type": "join_room", "id": 1, "room": f"r{number}", "watch": True}
    await ask(person, join_room)


def report(measured: dict[str, list[Measured]]) -> None:
    """Print a table of medians."""
    print(f"{'server':10}{'bare handshake':>16}{'connect, hello':>16}{'join':>10}{'seated':>12}")
    for name, runs in measured.items():
        print(
            f"{name:10}{statistics.median(run.handshake_ms for run in runs):>13.3f} ms"
            f"{statistics.median(run.greeting_ms for run in runs):>13.3f} ms"
            f"{statistics.median(run.join_ms for run in runs):>7.3f} ms"
            f"{statistics.median(run.seated_kib for run in runs):>8.1f} KiB"
        )


async def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rooms", type=int, default=50)
    parser.add_argument("--members", type=int, default=4)
    parser.add_argument("--size", type=int, default=20, help="boxes on each side")
    parser.add_argument("--moves", type=int, default=200, help="moves played before they come")
    parser.add_argument("--joins", type=int, default=10, help="people who come to each room")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    load = Load(args.rooms, args.members, args.size, args.moves)
    measured: dict[str, list[Measured]] = {name: [] for name in SERVERS}
    for _ in range(args.rounds):
        for name in SERVERS:
            measured[name].append(await measure(name, load, args.joins))
    report(measured)


if __name__ == "__main__":
    uvloop.run(main())
