"""Servers, etcds and clusters that a number of people need: a model, and its costs measured anew.

The people sit at tables of four, and each table makes a move every ten seconds. A cluster is some
servers with one etcd; beyond what one etcd takes there are several clusters beside each other, with
rooms of their own. `plan` computes what that comes to from `Costs`, which are figures of one
machine; `--measure` takes those that a machine decides on this one, and `--servers` compares the
model with two and three servers that play.

    python benchmarks/capacity.py
    python benchmarks/capacity.py --measure
    python benchmarks/capacity.py --measure --servers
"""

import argparse
import asyncio
import math
import os
import statistics
import tempfile
from bisect import bisect
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from urllib.request import urlopen

import cluster
import uvloop
from load import Load, RoomLoad, enter_boxroom, script
from raw_websocket import RawWebSocket

DAY_S = 86_400

POPULATIONS = (10_000, 1_000_000, 100_000_000)

RATES = (200, 2_000)
"""Moves a second at which costs are measured."""

COMPARED_RATE = 700
"""Moves a second at which the model is compared with servers."""

SPACE_IN_USE = "etcd_mvcc_db_total_size_in_use_in_bytes"


@dataclass(frozen=True, slots=True)
class Part:
    """A cost of a move, of which a part is shared by all moves that are committed together."""

    own: float
    commit: float

    def at(self, moves_per_s: float, commit_s: float) -> float:
        """Return the cost of a move of a server that has that many.

        While a commit takes `commit_s`, the moves of the next one gather.
        """
        return self.own + self.commit / (1 + moves_per_s * commit_s)

    @classmethod
    def fitted(cls, costs: tuple[float, float], commit_s: float) -> "Part":
        """Return the part that has these costs at `RATES`."""
        few, many = (1 / (1 + rate * commit_s) for rate in RATES)
        commit = (costs[0] - costs[1]) / (few - many)
        return cls(costs[0] - commit * few, commit)


@dataclass(frozen=True, slots=True)
class Costs:
    """Costs of each part; those of processors are milliseconds of one core.

    A move costs nothing on the servers that don't host its room.
    """

    move_ms: Part = Part(0.12, 1.4)
    """A move on its room's server: decided, saved in etcd, sent to the four members."""
    etcd_ms: Part = Part(0.1, 1.4)
    """A move in etcd: of its leader, or of the only member."""
    etcd_bytes: Part = Part(500.0, 9_000.0)
    """Bytes that a member of etcd writes to its disk for a move."""
    commit_s: float = 0.0025
    """The time that a commit takes."""
    idle_ms_per_s: float = 0.006
    """A connected member that does nothing, each second."""
    arrival_ms: float = 4.0
    """A member that comes: connection, hello, room."""
    member_kib: float = 9.0
    """Memory of a server for each connected member, its share of the room included."""
    etcd_room_kib: float = 32.0
    """etcd's space for a room in the middle of a game."""
    proxy_move_ms: float = 0.07
    """A move in HAProxy: one message to a server, four to clients (docs/how-to/cluster.md)."""
    wire_bytes: float = 800.0
    """A move on the wire: one message to a server, four to clients, with frames; not TCP's part."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one process or machine, and the share of each that a plan uses."""

    busy: float = 0.7
    """Share of a core that a server, a single process, may use: above it p99 grows."""
    etcd_entries_per_s: float = 6_000.0
    """Entries that one etcd saves (5,000 to 7,000 were measured, on two cores for everything)."""
    connections: int = 10_000
    """Connections of a server, by its default."""
    server_gib: float = 2.0
    """Memory of a server's machine."""
    etcd_gib: float = 1.0
    """etcd's space in use: half of its quota, above which Boxroom begins nothing new."""


@dataclass(frozen=True, slots=True)
class Population:
    """People at tables."""

    people: int
    table: int = 4
    """People at a table."""
    table_move_s: float = 10.0
    """Seconds between two moves of a table."""

    @property
    def moves_per_s(self) -> float:
        """Moves of all tables."""
        return self.people / self.table / self.table_move_s


@dataclass(frozen=True, slots=True)
class Cluster:
    """Servers with one etcd, and what they do."""

    servers: int
    people: float
    server_cores: float
    """Cores that each server uses."""
    etcd_cores: float
    proxy_cores: float


@dataclass(frozen=True, slots=True)
class Plan:
    """Clusters that a population needs, and their traffic."""

    clusters: int
    each: Cluster
    first_limit: str
    """The limit that is reached first when more people come into each cluster."""
    return_s: float
    """Seconds that the other servers work until the people of one that died are back."""
    wire_bytes_per_day: float
    disk_bytes_per_day: float
    """On all etcd members of all clusters, three in each, before compaction."""


def server_cores(costs: Costs, population: Population, servers: int) -> float:
    """Return the cores that each of `servers` uses, whose members sit with the room's owner."""
    rate = population.moves_per_s / servers
    idle_ms = population.people / servers * costs.idle_ms_per_s
    return (rate * costs.move_ms.at(rate, costs.commit_s) + idle_ms) / 1000


def most_people(costs: Costs, limits: Limits, servers: int) -> dict[str, float]:
    """Return the people whom each limit allows in a cluster of that many servers."""
    one = Population(1)
    kib_of_gib = 1024 * 1024
    return {
        "processor of the servers": _most(
            lambda people: server_cores(costs, Population(people), servers) <= limits.busy
        ),
        "etcd's entries": limits.busy * limits.etcd_entries_per_s / one.moves_per_s,
        "connections of the servers": float(servers * limits.connections),
        "memory of the servers": servers * limits.server_gib * kib_of_gib / costs.member_kib,
        "etcd's space": limits.etcd_gib * kib_of_gib / costs.etcd_room_kib * one.table,
    }


def _most(is_enough: Callable[[int], bool]) -> int:
    """Return the largest number for which it is."""
    return bisect(range(1_000_000_000), False, key=lambda number: not is_enough(number)) - 1


def largest_cluster(costs: Costs, limits: Limits) -> int:
    """Return the number of servers beyond which another one adds less than a tenth of its worth."""
    alone = min(most_people(costs, limits, 1).values())
    servers = 1
    while True:
        now, more = (min(most_people(costs, limits, n).values()) for n in (servers, servers + 1))
        if more - now < alone / 10:
            return servers
        servers += 1


def plan(costs: Costs, limits: Limits, population: Population) -> Plan:
    """Return the fewest clusters that hold `population`, each with the fewest servers."""
    largest = most_people(costs, limits, largest_cluster(costs, limits))
    clusters = math.ceil(population.people / min(largest.values()))
    each = replace(population, people=math.ceil(population.people / clusters))
    servers = 1
    while min((reached := most_people(costs, limits, servers)).values()) < each.people:
        servers += 1
    cores = server_cores(costs, each, servers)
    rate = each.moves_per_s / servers
    etcd_cores = each.moves_per_s * costs.etcd_ms.at(rate, costs.commit_s) / 1000
    proxy_cores = each.moves_per_s * costs.proxy_move_ms / 1000
    moves_per_day = population.moves_per_s * DAY_S
    free_cores = sum([1 - cores] * (servers - 1)) or 1.0  # a single server is started again
    return Plan(
        clusters,
        Cluster(servers, each.people, cores, etcd_cores, proxy_cores),
        min(reached, key=lambda limit: reached[limit]),
        each.people / servers * costs.arrival_ms / 1000 / free_cores,
        moves_per_day * costs.wire_bytes,
        moves_per_day * costs.etcd_bytes.at(rate, costs.commit_s) * 3,
    )


# The costs of this machine


@dataclass(slots=True)
class Machine:
    """Servers with names and one member of etcd, all on this machine."""

    processes: dict[str, list[int]]
    ports: list[int]
    etcd: str
    """Host and port of etcd."""
    rooms: int = 0
    """The number of rooms so far."""

    async def enter(self, load: Load, port: int) -> list[RawWebSocket]:
        """Return the members of a new room of the server at `port`."""
        self.rooms += 1
        return await enter_boxroom(port, load, self.rooms, cluster.KNOWN_S)

    def cpu_s(self, kind: str) -> list[float]:
        """Return the processor time of each process of that kind."""
        return [cluster.cpu_s(pid) for pid in self.processes[kind]]

    def etcd_kib(self) -> float:
        """Return etcd's space in use."""
        with urlopen(f"http://{self.etcd}/metrics") as metrics:
            lines = metrics.read().decode().splitlines()
        (used,) = [line for line in lines if line.startswith(f"{SPACE_IN_USE} ")]
        return float(used.split()[1]) / 1024


@contextmanager
def machine(servers: int) -> Iterator[Machine]:
    """Run that many servers and one member of etcd."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        made, starter = cluster.SetUp(0), cluster.Starter(stack, folder)
        store = starter.etcd(made, 1)
        ports = [starter.server(made, store, f"node{number + 1}") for number in range(servers)]
        yield Machine(made.processes, ports, store.removeprefix("etcd://"))


@dataclass(frozen=True, slots=True)
class Used:
    """Costs of a move, on the mean."""

    server_ms: list[float]
    """Of each server."""
    etcd_ms: float
    etcd_bytes: float
    """Written by etcd."""
    room_kib: float
    """etcd's space in the end, for each room."""
    late_s: float
    """The median of the times from when a move was due until its last member has it."""


async def play(on: Machine, ports: list[int], moves_per_s: float, seconds: float) -> Used:
    """Play in fifty rooms, shared among the servers at `ports`."""
    load = Load(50, members=4, size=20, moves=840)
    rooms, kib = [], on.etcd_kib()
    for number in range(load.rooms):

        def due_s(step: int, number: int = number) -> float:
            return (number + step * load.rooms) / moves_per_s

        members = await on.enter(load, ports[number % len(ports)])
        rooms.append(RoomLoad(members, script(load, number), b'"played"', due_s))
    for room in rooms:
        room.start()
    await asyncio.sleep(2)
    etcd = on.processes["etcd"][0]
    moves = sum(len(room.latencies_s) for room in rooms)
    servers_s, etcd_s, etcd_bytes = on.cpu_s("boxroom"), on.cpu_s("etcd")[0], written_bytes(etcd)
    await asyncio.sleep(seconds)
    servers_s = [now - then for now, then in zip(on.cpu_s("boxroom"), servers_s, strict=True)]
    etcd_s, etcd_bytes = on.cpu_s("etcd")[0] - etcd_s, written_bytes(etcd) - etcd_bytes
    moves = sum(len(room.latencies_s) for room in rooms) - moves
    kib = on.etcd_kib() - kib
    for room in rooms:
        room.close()
    return Used(
        server_ms=[used_s * 1000 / moves for used_s in servers_s],
        etcd_ms=etcd_s * 1000 / moves,
        etcd_bytes=etcd_bytes / moves,
        room_kib=kib / load.rooms,
        late_s=statistics.median(late for room in rooms for late in room.latencies_s),
    )


def written_bytes(pid: int) -> int:
    """Return the bytes that a process has caused to be written to disks (Linux: proc(5))."""
    lines = Path(f"/proc/{pid}/io").read_text(encoding="ascii").splitlines()
    return int(dict(line.split(": ") for line in lines)["write_bytes"])


async def measure(costs: Costs) -> Costs:
    """Return `costs` with those that this machine decides."""
    with machine(1) as on:
        await play(on, on.ports, RATES[0], 1)  # imports, caches
        few, many = [await play(on, on.ports, rate, 10) for rate in RATES]
    commit_s = few.late_s
    with machine(1) as on:
        pid = on.processes["boxroom"][0]
        load = Load(20, members=4, size=20, moves=0)
        seated = [await on.enter(load, on.ports[0])]
        cpu_s, kib = cluster.cpu_s(pid), resident_kib(pid)
        for _ in range(25):
            entering = [on.enter(load, on.ports[0]) for _ in range(load.rooms)]
            seated += await asyncio.gather(*entering)
        people = 25 * load.rooms * load.members
        arrived_s, kib = cluster.cpu_s(pid) - cpu_s, resident_kib(pid) - kib
        cpu_s = cluster.cpu_s(pid)
        await asyncio.sleep(30)
        idle_s = (cluster.cpu_s(pid) - cpu_s) / 30
    return replace(
        costs,
        move_ms=Part.fitted((few.server_ms[0], many.server_ms[0]), commit_s),
        etcd_ms=Part.fitted((few.etcd_ms, many.etcd_ms), commit_s),
        etcd_bytes=Part.fitted((few.etcd_bytes, many.etcd_bytes), commit_s),
        commit_s=commit_s,
        idle_ms_per_s=idle_s * 1000 / people,
        arrival_ms=arrived_s * 1000 / people,
        member_kib=kib / people,
        etcd_room_kib=few.room_kib,
    )


def resident_kib(pid: int) -> float:
    """Return the memory that a process holds (Linux: proc(5))."""
    pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE") / 1024


async def compare(costs: Costs) -> None:
    """Print what servers that play take for a move, beside the model."""
    print(f"{'servers':>7}{'ms for a move':>15}{'the model':>11}{'ratio':>7}")
    for servers in (1, 2, 3):
        with machine(servers) as on:
            await play(on, on.ports, COMPARED_RATE, 1)
            used = await play(on, on.ports, COMPARED_RATE, 10)
        measured_ms = sum(used.server_ms)
        everybody = Population(COMPARED_RATE * 40)
        cores = server_cores(replace(costs, idle_ms_per_s=0), everybody, servers) * servers
        model_ms = cores * 1000 / COMPARED_RATE
        print(f"{servers:>7}{measured_ms:>15.3f}{model_ms:>11.3f}{measured_ms / model_ms:>7.2f}")


def report(costs: Costs, limits: Limits) -> None:
    """Print what each population needs."""
    for people in POPULATIONS:
        need = plan(costs, limits, Population(people))
        each = need.each
        print(
            f"{people:,} people: {Population(people).moves_per_s:,.0f} moves/s",
            f"  {need.clusters:,} clusters of {each.servers} servers for {each.people:,.0f} people",
            f"  cores used in each: servers {each.servers} x {each.server_cores:.2f}, "
            f"etcd {each.etcd_cores:.2f}, HAProxy {each.proxy_cores:.2f}",
            f"  reached first by more people: {need.first_limit}",
            f"  a server dies: its people are back after {need.return_s:.0f} s of the others' work",
            f"  a day: {need.wire_bytes_per_day / 1e9:,.0f} GB on the wire, "
            f"{need.disk_bytes_per_day / 1e9:,.0f} GB written by etcd's members",
            sep="\n",
        )


def shown(costs: Costs) -> Iterator[tuple[str, str]]:
    """Yield the names and the values of all costs."""
    for one in fields(costs):
        value = getattr(costs, one.name)
        if isinstance(value, Part):
            yield one.name, f"{value.own:.4g} + {value.commit:.4g} for each commit"
        else:
            yield one.name, f"{value:.4g}"


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--measure", action="store_true", help="take costs of this machine")
    parser.add_argument("--servers", action="store_true", help="compare the model with servers")
    args = parser.parse_args()
    costs = await measure(Costs()) if args.measure else Costs()
    for name, value in shown(costs):
        print(f"{name:>16} {value}")
    if args.servers:
        await compare(costs)
    report(costs, Limits())


if __name__ == "__main__":
    uvloop.run(main())
