"""Time until a move arrives, alone and beside clients that attack the server.

A server with its default options and a data folder has the first processor, with all of its
threads; 200 players and the attackers share the others. The players sit in 100 rooms, all at one
address, and play 1,000 moves a second. Each attack comes from one address, or from twenty, with
so many connections each. Windows with and without the attack take turns, so that each ratio is of
the same minute.

    python benchmarks/under_attack.py --rounds 3
    python benchmarks/under_attack.py --rounds 3 --addresses 20 --attack lists
    python benchmarks/under_attack.py --addresses 20 --connections 250 --attack cutting --window 60
    python benchmarks/under_attack.py --addresses 150 --connections 1 --attack passwords
    python benchmarks/under_attack.py --boxroom ../older/boxroom
"""

import argparse
import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import uvloop
from attacks import ATTACKS
from idle import cpu_s
from load import Load, RoomLoad, enter, move_mark, script

HERE = Path(__file__).parent
LOAD = Load(rooms=100, members=2, size=20, moves=840)
MOVES_PER_S = 1000
WARM_S = 1.0
ATTACKERS_START_S = 2.0


@dataclass(frozen=True, slots=True)
class Window:
    """Moves and their times, as the players of one window saw them."""

    moves_per_s: float
    latencies_s: list[float]
    cores: float
    """CPU seconds of the server a second."""


def free_port() -> int:
    """Return a port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def start_server(boxroom: str, port: int, folder: str) -> subprocess.Popen[bytes]:
    """Start a server with its default options on the first processor."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, [min(cores)])
    try:
        return subprocess.Popen(
            f"{boxroom} serve --no-announce --host 127.0.0.1 --port {port} --data {folder}".split(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    finally:
        os.sched_setaffinity(0, cores - {min(cores)} or cores)


async def wait_until_up(port: int) -> None:
    """Wait until the server listens."""
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.1)
        else:
            writer.close()
            return


async def play(port: int, server_pid: int, window_s: float, attacked: "Attackers") -> Window:
    """Play in new rooms, with the attackers at work before the window begins."""
    rooms = [
        RoomLoad(
            await enter("boxroom", port, LOAD, number),
            script(LOAD, number),
            move_mark("boxroom"),
            due_s(number),
        )
        for number in range(LOAD.rooms)
    ]
    with attacked:
        await asyncio.sleep(ATTACKERS_START_S)
        for room in rooms:
            room.start()
        await asyncio.sleep(WARM_S)
        known = [len(room.latencies_s) for room in rooms]
        began_s, used_s = time.perf_counter(), cpu_s(server_pid)
        await asyncio.sleep(window_s)
        took_s = time.perf_counter() - began_s
        used_s = cpu_s(server_pid) - used_s
        late = [
            late
            for room, count in zip(rooms, known, strict=True)
            for late in room.latencies_s[count:]
        ]
        for room in rooms:
            if room.ended.done():
                room.ended.result()
                raise RuntimeError("a game was over before its window: take a shorter one")
            room.close()
    return Window(len(late) / took_s, late, used_s / took_s)


def due_s(room: int) -> Callable[[int], float]:
    """Return a function from a step of a room to when it is due."""
    return lambda step: (room + step * LOAD.rooms) / MOVES_PER_S


class Attackers:
    """A process that attacks a server while its context lasts; none without a command."""

    def __init__(self, command: str) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> None:
        if self._command:
            self._process = subprocess.Popen(self._command.split(), stderr=subprocess.DEVNULL)

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()


def row(name: str, windows: list[Window]) -> str:
    """Return a row of the table: p50, p99, p99.9 and worst in ms, moves a second, and cores."""
    late = sorted(second for window in windows for second in window.latencies_s)
    cells = [late[int(len(late) * share)] * 1000 for share in (0.5, 0.99, 0.999)]
    cells.append(late[-1] * 1000)
    cores = sum(window.cores for window in windows) / len(windows)
    rate = sum(window.moves_per_s for window in windows) / len(windows)
    return f"{name:24}" + "".join(f"{cell:10.2f}" for cell in cells) + f"{rate:10.0f}{cores:10.2f}"


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--window", type=float, default=5.0, help="seconds of a window")
    parser.add_argument("--attack", choices=ATTACKS, action="append", help="default: each")
    parser.add_argument("--addresses", type=int, default=1, help="that attack")
    parser.add_argument("--connections", type=int, default=60, help="of each of them")
    parser.add_argument("--boxroom", help="command of the server (default: this one)")
    args = parser.parse_args()
    boxroom = args.boxroom or f"{sys.executable} -m boxroom_client"
    heads = ("p50 ms", "p99 ms", "p99.9 ms", "worst ms", "moves/s", "cores")
    print(" " * 24 + "".join(f"{head:>10}" for head in heads))
    for attack in args.attack or ATTACKS:
        alone: list[Window] = []
        beside: list[Window] = []
        for _ in range(args.rounds):
            for attacked, windows in ((False, alone), (True, beside)):
                port = free_port()
                attackers = (
                    f"{sys.executable} {HERE / 'attacks.py'} {attack} {port}"
                    f" {args.addresses} {args.connections}"
                )
                with tempfile.TemporaryDirectory() as folder:
                    server = start_server(boxroom, port, folder)
                    try:
                        await wait_until_up(port)
                        windows.append(
                            await play(
                                port,
                                server.pid,
                                args.window,
                                Attackers(attackers if attacked else ""),
                            )
                        )
                    finally:
                        server.kill()
                        server.wait()
        print(row("alone", alone))
        print(row(f"beside {attack}", beside), flush=True)


if __name__ == "__main__":
    uvloop.run(main())
