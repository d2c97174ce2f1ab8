"""A server dies with all its members: what others notice, and what it costs until they are back.

Two servers share an etcd. In fifty rooms of the first one a move is due every 20 ms in all. The
second one has the members, in rooms of four with a game each. Then it is killed or, with `--drain`,
stopped by SIGTERM; its members come to the first one after a delay with the jitter of Boxroom's
clients, enter their rooms, and try again if they are refused. The times of the moves are those from
when a move was due until its last member has it, in the ten seconds before and after.

    python benchmarks/departures.py --members 5000
    python benchmarks/departures.py --members 5000 --drain
"""

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from itertools import chain, count

import cluster
import uvloop
from capacity import machine
from load import Load, RoomLoad, enter_boxroom, script
from raw_websocket import RawWebSocket, connect

from boxroom_client.link.backoff import Backoff

BYSTANDERS = Load(50, members=4, size=20, moves=840)

MOVES_PER_S = 50

WINDOW_S = 10


def quantiles(latencies_s: list[float]) -> str:
    """Return the median, the 99th percentile and the maximum, in ms."""
    late = sorted(latencies_s)
    return " / ".join(
        f"{late[min(len(late) - 1, int(len(late) * share))] * 1000:.1f}" for share in (0.5, 0.99, 1)
    )


class Returning:
    """Members of the lost server, who come back to another one."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._backoff = Backoff()
        self._addresses = count(256)
        self.back = 0
        self.failures = Counter[str]()

    async def come_back(self, name: str, room: str) -> None:
        """Try until it is in its room again, from an address of its own."""
        number = next(self._addresses)
        address = f"127.1.{number >> 8}.{number & 255}"
        attempt = 0
        while True:
            await asyncio.sleep(self._backoff.delay_s(attempt))
            attempt += 1
            try:
                async with asyncio.timeout(self._backoff.attempt_s):
                    await self._enter(address, name, room)
            except (OSError, RuntimeError, TimeoutError) as error:
                self.failures[type(error).__name__] += 1
            else:
                self.back += 1
                return

    async def _enter(self, address: str, name: str, room: str) -> None:
        member = await connect(self._port, address)
        answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def on_message(raw: bytes) -> None:
            kind = json.loads(raw)["type"]
            if kind == "refused" and not answered.done():
                answered.set_exception(RuntimeError(raw.decode()))
            elif kind == "in_room" and not answered.done():
                answered.set_result(None)

        member.on_message = on_message
        hello = {"type": "hello", "protocol": 1, "name": name, "secret": "s" * 16}
        join = {"type": "join_room", "id": 1, "room": room}
        member.send(json.dumps(hello).encode())
        member.send(json.dumps(join).encode())
        await answered


async def seated(port: int, load: Load, first: int) -> list[list[RawWebSocket]]:
    """Return the members of new rooms of the server at `port`; the first has that number."""
    return [await enter_boxroom(port, load, first + number) for number in range(load.rooms)]


async def play(port: int) -> None:
    """Play in the bystanders' rooms; at each line of input print the times since the last one."""
    rooms = []
    for number, members in enumerate(await seated(port, BYSTANDERS, 0)):

        def due_s(step: int, number: int = number) -> float:
            return (number + step * BYSTANDERS.rooms) / MOVES_PER_S

        rooms.append(RoomLoad(members, script(BYSTANDERS, number), b'"played"', due_s))
    for room in rooms:
        room.start()
    known = [0] * len(rooms)
    while await asyncio.to_thread(sys.stdin.readline):
        times_s = [room.latencies_s[count:] for room, count in zip(rooms, known, strict=True)]
        known = [len(room.latencies_s) for room in rooms]
        print(json.dumps(list(chain.from_iterable(times_s))), flush=True)


class Bystanders:
    """A process that plays: one that handles the crowd, too, would be late itself."""

    def __init__(self, port: int) -> None:
        argv = [sys.executable, __file__, "--bystanders", str(port)]
        self._process = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._times_s()

    def _times_s(self) -> list[float]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        times_s: list[float] = json.loads(self._process.stdout.readline())
        return times_s

    async def window(self) -> list[float]:
        """Return the times of the moves of the next seconds."""
        await asyncio.to_thread(self._times_s)
        await asyncio.sleep(WINDOW_S)
        return await asyncio.to_thread(self._times_s)

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()


async def follow(member: RawWebSocket, returning: Returning, name: str, room: str) -> None:
    """Come back when the connection is lost."""
    await member.closed
    await returning.come_back(name, room)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--members", type=int, default=5_000)
    parser.add_argument("--drain", action="store_true", help="stop the server by SIGTERM")
    parser.add_argument("--bystanders", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.bystanders is not None:
        await play(args.bystanders)
        return
    with machine(2) as on:
        bystanders = Bystanders(on.ports[0])
        crowd = Load(args.members // 4, members=4, size=5, moves=0)
        lost = await seated(on.ports[1], crowd, BYSTANDERS.rooms)
        before = await bystanders.window()
        survivor, victim = on.processes["boxroom"]
        cpu_s = cluster.cpu_s(survivor)
        began_s = time.perf_counter()
        os.kill(victim, signal.SIGTERM if args.drain else signal.SIGKILL)
        returning = Returning(on.ports[0])
        async with asyncio.TaskGroup() as tasks:
            for number, members in enumerate(lost, BYSTANDERS.rooms):
                for seat, member in enumerate(members):
                    tasks.create_task(follow(member, returning, f"p{number} {seat}", f"r{number}"))
            after = await bystanders.window()
        took_s = time.perf_counter() - began_s
        cpu_ms = (cluster.cpu_s(survivor) - cpu_s) * 1000
        bystanders.end()
    print(f"bystanders before, p50 / p99 / max: {quantiles(before)} ms")
    print(f"bystanders after                    {quantiles(after)} ms")
    print(f"{returning.back} members are back after {took_s:.1f} s")
    print(f"attempts that failed: {dict(returning.failures)}")
    print(f"processor of the other server: {cpu_ms / returning.back:.2f} ms for each")


if __name__ == "__main__":
    uvloop.run(main())
