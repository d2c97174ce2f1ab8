"""Deliveries per CPU second of the server, and the time until a move arrives.

Boxroom stands beside two servers that only broadcast: `bare` passes each message on with
`websockets.broadcast`, and `shared` makes one frame of it for all members. Boxroom decodes, checks,
numbers, saves and answers each move. All servers run at the same time, each on the first
processor with all of its threads; the clients have the others. Short windows take turns, and
each ratio is of two windows of the same round, so it means something on a noisy machine too.

Without `--rate` every player moves as soon as the move before has arrived, so that the server is
fully loaded; with it that many moves are due each second. The time until a move arrives is that
from sending it, or from when it was due, until the last member has it.

    python benchmarks/broadcast.py --rounds 20
    python benchmarks/broadcast.py --rounds 20 --rooms 4 --spectators 496
    python benchmarks/broadcast.py --rounds 20 --rate 1000
"""

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass

import uvloop
from load import Load, RoomLoad, ServerProcess, enter, move_mark, script

SERVERS = ("bare", "shared", "memory", "boxroom")


@dataclass(frozen=True, slots=True)
class Measured:
    """Measurements of one window of one server."""

    deliveries: int
    cpu_s: float
    latencies_s: list[float]

    @property
    def per_cpu_s(self) -> float:
        return self.deliveries / self.cpu_s


def due_s(load: Load, rate: float | None, room: int) -> Callable[[int], float] | None:
    """Return a function from a step of a room to when it is due; None if at once."""
    if rate is None:
        return None
    return lambda step: (room + step * load.rooms) / rate


async def measure(
    name: str,
    server: ServerProcess,
    load: Load,
    *,
    rate: float | None,
    window_s: float,
    first: int,
) -> Measured:
    """Play in new rooms, the first of which has the number `first`; measure after a second."""
    rooms = []
    for number in range(load.rooms):
        members = await enter(name, server.port, load, first + number)
        steps = script(load, number)
        rooms.append(RoomLoad(members, steps, move_mark(name), due_s(load, rate, number)))
    for room in rooms:
        room.start()
    await asyncio.sleep(1)
    known = [len(room.latencies_s) for room in rooms]
    deliveries, cpu_s = sum(room.deliveries for room in rooms), server.cpu_s()
    await asyncio.sleep(window_s)
    cpu_s = server.cpu_s() - cpu_s
    deliveries = sum(room.deliveries for room in rooms) - deliveries
    latencies_s = [
        late for room, count in zip(rooms, known, strict=True) for late in room.latencies_s[count:]
    ]
    for room in rooms:
        if room.ended.done():
            room.ended.result()
            raise RuntimeError("a game was over before its window: take larger boards")
        room.close()
    await asyncio.sleep(0.3)
    return Measured(deliveries, cpu_s, latencies_s)


def report(measured: dict[str, list[Measured]]) -> None:
    """Print a table; ratios are medians with their quartiles."""
    print(f"{'server':10}{'per CPU s':>12}{'beside bare':>14}{'half of them':>18}", end="")
    print(f"{'p50 ms':>10}{'p99 ms':>10}{'cores':>8}")
    for name, windows in measured.items():
        ratios = [
            ours.per_cpu_s / bare.per_cpu_s
            for ours, bare in zip(windows, measured["bare"], strict=True)
        ]
        low, median, high = statistics.quantiles(ratios, n=4)
        late = sorted(second for window in windows for second in window.latencies_s)
        print(
            f"{name:10}{statistics.median(window.per_cpu_s for window in windows):>12,.0f}"
            f"{median:>14.2f}{f'{low:.2f} to {high:.2f}':>18}"
            f"{late[len(late) // 2] * 1000:>10.2f}{late[len(late) * 99 // 100] * 1000:>10.2f}"
            f"{statistics.median(window.cpu_s for window in windows):>8.2f}"
        )


def fdatasync_ms() -> float:
    """Return the median time in ms of 200 writes and fdatasyncs of 4 KiB on the servers' disk."""
    times_ms = []
    with tempfile.TemporaryFile() as file:
        for _ in range(200):
            os.write(file.fileno(), bytes(4096))
            began_s = time.perf_counter()
            os.fdatasync(file.fileno())
            times_ms.append((time.perf_counter() - began_s) * 1000)
    return statistics.median(times_ms)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--rooms", type=int, default=200)
    parser.add_argument("--members", type=int, default=4, help="players of each room")
    parser.add_argument("--spectators", type=int, default=0, help="spectators of each room")
    parser.add_argument("--size", type=int, default=20, help="boxes on each side")
    parser.add_argument("--window", type=float, default=2.0, help="seconds of a window")
    parser.add_argument("--rate", type=float, help="moves a second (default: what there can be)")
    args = parser.parse_args()
    moves = 2 * args.size * (args.size + 1)
    load = Load(args.rooms, args.members, args.size, moves, args.spectators)
    first_core, *others = sorted(os.sched_getaffinity(0))
    servers = {name: ServerProcess(name, core=first_core) for name in SERVERS}
    os.sched_setaffinity(0, others or [first_core])
    measured: dict[str, list[Measured]] = {name: [] for name in SERVERS}
    for number in range(args.rounds):
        for name in SERVERS if number % 2 else reversed(SERVERS):
            window = await measure(
                name,
                servers[name],
                load,
                rate=args.rate,
                window_s=args.window,
                first=number * load.rooms,
            )
            measured[name].append(window)
    for server in servers.values():
        server.stop()
    report(measured)
    print(f"fdatasync of 4 KiB: median {fdatasync_ms():.2f} ms")


if __name__ == "__main__":
    uvloop.run(main())
