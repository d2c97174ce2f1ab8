"""Moves a second, and the time until a move arrives, of servers that share an etcd.

Set-ups play in turns: `sqlite` is one server with its disk, `etcd` one server with one member of
etcd, and `cluster` three servers and three members behind HAProxy. `alone` is one server of such a
cluster, `pair` are two, and `apart` are three without names, so that the members of a room sit on
several of them. Everything, the clients too, shares the processors of this machine. Without
`--rate` every player moves as soon as the move before has arrived; with it that many moves are due
each second, and the time counts from when a move was due until the last member has it. Processor
time is that of all processes of a kind; `ms` is that of all servers for a move.

    python benchmarks/cluster.py --rounds 3
    python benchmarks/cluster.py --rounds 3 --rooms 50 --rate 100
    python benchmarks/cluster.py --rounds 5 --rooms 50 --rate 200 --set-ups alone,cluster
"""

import argparse
import asyncio
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import uvloop
from load import Load, RoomLoad, enter_boxroom, script

ROOT = Path(__file__).parent.parent

START_S = 30.0
"""Longest wait for a process to listen."""

KNOWN_S = 0.1
"""Time after which all servers know a new room."""

UNLIMITED = [
    "--no-announce",
    "--host=127.0.0.1",
    "--connections-per-address=10000",
    "--rooms-per-address=10000",
    "--new-names=100000",
    "--new-names-per-s=10000",
    "--messages-per-s=100000",
    "--burst=100000",
    "--trust-proxy=127.0.0.1",
]
"""Flags without which the clients would be refused."""


@dataclass(slots=True)
class Window:
    """Measurements of one window of one set-up."""

    moves_per_s: float
    latencies_s: list[float]
    cores: dict[str, float]
    """Processors used, by kind of process."""

    @property
    def server_ms(self) -> float:
        """Processor time of all servers for a move, in ms."""
        return self.cores["boxroom"] / self.moves_per_s * 1000


@dataclass(slots=True)
class SetUp:
    """The processes of one set-up, by kind, and the port that clients connect to."""

    port: int
    is_cluster: bool = False
    processes: dict[str, list[int]] = field(default_factory=dict)

    def cpu_s(self) -> dict[str, float]:
        """Return the processor time of all processes so far, by kind."""
        used: dict[str, float] = {}
        for kind, pids in self.processes.items():
            used[kind] = sum([cpu_s(pid) for pid in pids])
        return used


def cpu_s(pid: int) -> float:
    """Return the processor time of a process, all of its threads."""
    words = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    """Return a port on which nothing listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def wait_for(port: int) -> None:
    """Wait until something listens on `port`."""
    deadline_s = time.monotonic() + START_S
    while time.monotonic() < deadline_s:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.05)
    raise TimeoutError(f"nothing listens on port {port}")


@contextmanager
def running(argv: Sequence[str], port: int, environment: dict[str, str]) -> Iterator[int]:
    """Run a program until the context ends, after it listens; yield its process id."""
    with subprocess.Popen(
        argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | environment
    ) as process:
        try:
            wait_for(port)
            yield process.pid
        finally:
            process.kill()


class Starter:
    """Starts the processes of set-ups, which end with `stack`."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self._stack = stack
        self._folder = folder

    def start(self, kind: str, into: SetUp, argv: Sequence[str], port: int, **env: str) -> None:
        """Start a process of that kind."""
        pid = self._stack.enter_context(running(argv, port, env))
        into.processes.setdefault(kind, []).append(pid)

    def server(self, into: SetUp, store: str, name: str = "") -> int:
        """Start a server with that store, and return its port."""
        port = free_port()
        serve = [sys.executable, "-m", "boxroom_client", "serve", *UNLIMITED]
        argv = [*serve, "--store", store, "--port", str(port)]
        self.start("boxroom", into, argv, port, BOXROOM_NODE_NAME=name)
        return port

    def etcd(self, into: SetUp, members: int) -> str:
        """Start an etcd cluster, and return its address."""
        ports = [(free_port(), free_port()) for _ in range(members)]
        initial = ",".join(f"m{peer}=http://127.0.0.1:{peer}" for _, peer in ports)
        with ExitStack() as waiting:  # no member listens for clients before it has a majority
            for client, peer in ports:
                argv = [
                    "etcd",
                    f"--name=m{peer}",
                    f"--data-dir={self._folder}/m{peer}",
                    f"--listen-client-urls=http://127.0.0.1:{client}",
                    f"--advertise-client-urls=http://127.0.0.1:{client}",
                    f"--listen-peer-urls=http://127.0.0.1:{peer}",
                    f"--initial-advertise-peer-urls=http://127.0.0.1:{peer}",
                    f"--initial-cluster={initial}",
                ]
                self.start("etcd", into, argv, peer)
                waiting.callback(wait_for, client)
        return "etcd://" + ",".join(f"127.0.0.1:{client}" for client, _ in ports)


def sqlite(starter: Starter, folder: Path) -> SetUp:
    """Start one server with its disk."""
    made = SetUp(0)
    made.port = starter.server(made, f"sqlite:{folder / 'data'}")
    return made


def etcd(starter: Starter, folder: Path) -> SetUp:
    """Start one server with one member of etcd."""
    made = SetUp(0)
    made.port = starter.server(made, starter.etcd(made, 1))
    return made


def cluster(starter: Starter, folder: Path, servers: int = 3, *, named: bool = True) -> SetUp:
    """Start servers and three members of etcd behind HAProxy."""
    made = SetUp(free_port(), is_cluster=True)
    store = starter.etcd(made, 3)
    nodes = {f"NODE{number}": f"127.0.0.1:{free_port()}" for number in (1, 2, 3)}
    for number in range(1, servers + 1):
        port = starter.server(made, store, f"node{number}" if named else "")
        nodes[f"NODE{number}"] = f"127.0.0.1:{port}"
    argv = ["haproxy", "-f", str(ROOT / "deploy" / "haproxy.cfg")]
    own = {"BIND": f"127.0.0.1:{made.port}", "PER_SOURCE": "10000"}
    starter.start("haproxy", made, argv, made.port, **own, **nodes)
    time.sleep(1.5)  # until it has found out which servers are ready
    return made


SET_UPS: dict[str, Callable[[Starter, Path], SetUp]] = {
    "sqlite": sqlite,
    "etcd": etcd,
    "cluster": cluster,
    "alone": partial(cluster, servers=1),
    "pair": partial(cluster, servers=2),
    "apart": partial(cluster, named=False),
}


async def measure(set_up: SetUp, load: Load, rate: float | None, first: int) -> Window:
    """Play in new rooms, the first of which has the number `first`; measure after a second."""
    rooms = []
    for number in range(load.rooms):
        known_s = KNOWN_S if set_up.is_cluster else 0.0
        members = await enter_boxroom(set_up.port, load, first + number, known_s)

        def due_s(step: int, number: int = number) -> float:
            assert rate is not None
            return (number + step * load.rooms) / rate

        due = None if rate is None else due_s
        rooms.append(RoomLoad(members, script(load, number), b'"played"', due))
    for room in rooms:
        room.start()
    await asyncio.sleep(1)
    known = [len(room.latencies_s) for room in rooms]
    before, began_s = set_up.cpu_s(), time.perf_counter()
    await asyncio.sleep(3)
    took_s, used = time.perf_counter() - began_s, set_up.cpu_s()
    late = [
        seconds
        for room, count in zip(rooms, known, strict=True)
        for seconds in room.latencies_s[count:]
    ]
    for room in rooms:
        room.close()
    await asyncio.sleep(0.5)
    cores = {kind: (used[kind] - before[kind]) / took_s for kind in used}
    return Window(len(late) / took_s, late, cores)


def report(measured: dict[str, list[Window]]) -> None:
    """Print a table; rates are medians, and times those of all windows."""
    print(f"{'set-up':10}{'moves/s':>9}{'p50 ms':>9}{'p99 ms':>9}{'ms':>9}  processors used")
    for name, windows in measured.items():
        late = sorted(seconds * 1000 for window in windows for seconds in window.latencies_s)
        kinds = windows[0].cores
        cores = ", ".join(
            f"{kind} {statistics.median(window.cores[kind] for window in windows):.2f}"
            for kind in kinds
        )
        print(
            f"{name:10}{statistics.median(window.moves_per_s for window in windows):>9,.0f}"
            f"{late[len(late) // 2]:>9.2f}{late[len(late) * 99 // 100]:>9.2f}"
            f"{statistics.median(window.server_ms for window in windows):>9.3f}  {cores}"
        )


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rooms", type=int, default=200)
    parser.add_argument("--rate", type=float, help="moves a second (default: what there can be)")
    parser.add_argument("--set-ups", default="sqlite,etcd,cluster", help=f"of {', '.join(SET_UPS)}")
    args = parser.parse_args()
    load = Load(args.rooms, members=4, size=20, moves=840)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        set_ups = {}
        for name in args.set_ups.split(","):
            (own := folder / name).mkdir()
            set_ups[name] = SET_UPS[name](Starter(stack, own), own)
        measured: dict[str, list[Window]] = {name: [] for name in set_ups}
        for number in range(args.rounds):
            for name, set_up in set_ups.items():
                window = await measure(set_up, load, args.rate, number * load.rooms)
                measured[name].append(window)
        report(measured)


if __name__ == "__main__":
    uvloop.run(main())
