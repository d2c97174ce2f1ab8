"""The faults of a cluster: what each one does, what undoes it, and what must hold meanwhile."""

import asyncio
import json
import os
import random
import signal
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from enum import Enum, auto

from tests.cluster.cluster import Cluster, Node
from tests.cluster.etcd import EtcdMember
from tests.faults.recorded_rooms import flaky

JUNK_BYTES = 1_000_000
"""Size of a value that fills etcd; it takes 1.5 MiB at most."""

JUMPS_S = (-86_400, -7_200, 7_200, 86_400)
"""Jumps of a clock, in seconds."""

GIVING_AWAY_S = 2.0
"""Most of the time in which a server that ends gives its rooms away."""

LIMIT_S = 30.0
"""Longest wait for etcd to be full, or to take in a new member."""


class Meanwhile(Enum):
    """State of the cluster while a fault lasts."""

    GOES_ON = auto()
    """All members come back, and their commands are accepted."""
    REFUSES = auto()
    """No server is ready."""
    UNKNOWN = auto()
    """Not checked: the fault lasts too short a time, or players can't reach any server."""


Happening = Callable[[Cluster, random.Random], AbstractAsyncContextManager[None]]
"""Does something to a cluster when it is entered, and undoes it when it is left."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One kind of fault."""

    happens: Happening
    meanwhile: Meanwhile = Meanwhile.GOES_ON
    lasts_s: float = 0.0
    """How long it lasts at least."""
    is_kill: bool = False
    """Whether one process gets SIGKILL: then commands are accepted again soon."""
    is_slow: bool = False
    """Whether it takes so long that a short run has it only once."""


def _drawn(cluster: Cluster, rng: random.Random) -> tuple[Node, Sequence[Node]]:
    """Return one node and the others."""
    one = rng.choice(cluster.nodes)
    return one, [node for node in cluster.nodes if node is not one]


# Killed processes


@asynccontextmanager
async def killed_leader(cluster: Cluster, rng: random.Random) -> AsyncIterator[None]:
    """Kill the leader of etcd."""
    leader = await cluster.leader()
    await leader.kill()
    yield
    await leader.start()


@asynccontextmanager
async def killed_follower(cluster: Cluster, rng: random.Random) -> AsyncIterator[None]:
    """Kill another member of etcd."""
    leader = await cluster.leader()
    member = rng.choice([node.etcd for node in cluster.nodes if node.etcd is not leader])
    await member.kill()
    yield
    await member.start()


@asynccontextmanager
async def killed_server(cluster: Cluster, rng: random.Random) -> AsyncIterator[None]:
    """Kill a server."""
    server = rng.choice(cluster.nodes).server
    await server.kill()
    yield
    await server.start()


@asynccontextmanager
async def killed_proxy(cluster: Cluster, rng: random.Random) -> AsyncIterator[None]:
    """Kill HAProxy."""
    await cluster.proxy.kill()
    yield
    await cluster.proxy.start()


@asynccontextmanager
async def killed_while_stopping(cluster: Cluster, rng: random.Random) -> AsyncIterator[None]:
    """Kill a server while another one ends, and members of that come over to it."""
    one, (other, _) = _drawn(cluster, rng)
    async with asyncio.TaskGroup() as ending:
        code = ending.create_task(one.server.stop())
        await asyncio.sleep(rng.random() * GIVING_AWAY_S)
        await other.server.kill()
    assert code.result() == 0
    yield
    await other.server.start()
    await one.server.start()


# Stopped and frozen processes


@asynccontextmanager
async def stopped_server(cluster: Cluster, rng: random.Random) -> AsyncIterator[None]:
    """End a server with SIGTERM."""
    server = rng.choice(cluster.nodes).server
    assert await server.stop() == 0
    yield
    await server.start()


@asynccontextmanager
async def frozen_leader(cluster: Cluster, rng: random.Random) -> AsyncIterator[None]:
    """Freeze the leader of etcd."""
    with _frozen((await cluster.leader()).pid):
        yield


@asynccontextmanager
async def frozen_member(cluster: Cluster, rng: random.Random) -> AsyncIterator[None]:
    """Freeze a member of etcd."""
    with _frozen(rng.choice(cluster.nodes).etcd.pid):
        yield


@asynccontextmanager
async def frozen_server(cluster: Cluster, rng: random.Random) -> AsyncIterator[None]:
    """Freeze a server."""
    with _frozen(rng.choice(cluster.nodes).server.pid):
        yield


@asynccontextmanager
async def frozen_proxy(cluster: Cluster, rng: random.Random) -> AsyncIterator[None]:
    """Freeze HAProxy."""
    with _frozen(cluster.proxy.pid):
        yield


@contextmanager
def _frozen(pid: int) -> Iterator[None]:
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


# Partitions


@asynccontextmanager
async def minority(cluster: Cluster, rng: random.Random) -> AsyncIterator[None]:
    """Cut one node off from the others, and perhaps also from HAProxy."""
    one, others = _drawn(cluster, rng)
    for other in others:
        cluster.net.cut(one.machine, other.machine)
    if rng.random() < 0.5:
        cluster.net.cut(one.machine, cluster.proxy_machine)
    yield
    cluster.net.heal()


@asynccontextmanager
async def no_majority(cluster: Cluster, rng: random.Random) -> AsyncIterator[None]:
    """Cut all nodes off from each other."""
    one, (second, third) = _drawn(cluster, rng)
    cluster.net.cut(one.machine, second.machine)
    cluster.net.cut(second.machine, third.machine)
    cluster.net.cut(third.machine, one.machine)
    yield
    cluster.net.heal()


@asynccontextmanager
async def one_way(cluster: Cluster, rng: random.Random) -> AsyncIterator[None]:
    """Lose all that one node sends to the others, or all that they send to it."""
    one, others = _drawn(cluster, rng)
    sends = rng.random() < 0.5
    for other in others:
        sender, receiver = (one, other) if sends else (other, one)
        cluster.net.cut_one_way(sender.machine, receiver.machine)
    yield
    cluster.net.heal()


@asynccontextmanager
async def bridge(cluster: Cluster, rng: random.Random) -> AsyncIterator[None]:
    """Cut two nodes off from each other, both of which reach the third one."""
    _, (one, other) = _drawn(cluster, rng)
    cluster.net.cut(one.machine, other.machine)
    yield
    cluster.net.heal()


# Players


@asynccontextmanager
async def cut_lines(cluster: Cluster, rng: random.Random) -> AsyncIterator[None]:
    """Cut the connections of all players, and for a while all that they make then."""
    for line in cluster.lines:
        line.allow(flaky(rng))
        line.cut()
    yield
    for line in cluster.lines:
        line.hold()


@asynccontextmanager
async def players_away(cluster: Cluster, rng: random.Random) -> AsyncIterator[None]:
    """Cut some players, or all of them, off from HAProxy."""
    lines = rng.sample(cluster.lines, rng.randint(1, len(cluster.lines)))
    for line in lines:
        line.close()
    yield
    for line in lines:
        line.open()


# What etcd has saved


@asynccontextmanager
async def full_etcd(cluster: Cluster, rng: random.Random) -> AsyncIterator[None]:
    """Fill etcd's space with what isn't Boxroom's, and make room again as its manual says."""
    junk = rng.randbytes(JUNK_BYTES // 2).hex().encode()
    async with asyncio.timeout(LIMIT_S):
        while "NOSPACE" not in await cluster.ctl("alarm", "list"):
            await asyncio.gather(*(_put(cluster, f"junk/{number}", junk) for number in range(4)))
    yield
    await cluster.ctl("del", "--prefix", "junk/")
    status = json.loads(await cluster.ctl("endpoint", "status", "-w", "json"))
    revision = max(each["Status"]["header"]["revision"] for each in status)
    await cluster.ctl("compact", "--physical", str(revision))
    await _defragment(cluster)


async def _defragment(cluster: Cluster) -> None:
    """Have etcd use the space again that was made."""
    await cluster.ctl("defrag")
    await cluster.ctl("alarm", "disarm")


async def _put(cluster: Cluster, key: str, value: bytes) -> None:
    """Save a value, or nothing if there is no space."""
    with suppress(AssertionError):
        await cluster.ctl("put", key, given=value)


@asynccontextmanager
async def replaced_member(cluster: Cluster, rng: random.Random) -> AsyncIterator[None]:
    """Delete all that a member of etcd has, and put an empty one in its place.

    It may repeat all that happened since the beginning, and be full as the others once were.
    """
    member = rng.choice(cluster.nodes).etcd
    listed = json.loads(await cluster.ctl("member", "list", "-w", "json"))
    (number,) = (each["ID"] for each in listed["members"] if each["name"] == member.name)
    await member.kill()
    await member.wipe()
    await _ctl_at_last(cluster, member, "member", "remove", f"{number:x}")
    yield
    peer_urls = f"--peer-urls={member.peer_url}"
    await _ctl_at_last(cluster, member, "member", "add", member.name, peer_urls)
    await member.start()
    await cluster.until_healthy()
    await _defragment(cluster)


async def _ctl_at_last(cluster: Cluster, without: EtcdMember, *words: str) -> None:
    """Run etcdctl until it succeeds: etcd changes its members only when all others are well."""
    async with asyncio.timeout(LIMIT_S):
        while True:
            try:
                await cluster.ctl(*words, without=without)
                return
            except AssertionError:
                await asyncio.sleep(0.1)


# Others


@asynccontextmanager
async def clock_jump(cluster: Cluster, rng: random.Random) -> AsyncIterator[None]:
    """Set the time of day of a server wrong, and right again."""
    file = rng.choice(cluster.nodes).offset_file
    file.write_text(f"{rng.choice(JUMPS_S):+d}")
    yield
    file.write_text("+0")


@asynccontextmanager
async def rolling_restart(cluster: Cluster, rng: random.Random) -> AsyncIterator[None]:
    """Restart everything, one process after the other."""
    yield
    for node in cluster.nodes:
        assert await node.server.stop() == 0
        await node.server.start()
    for node in cluster.nodes:
        await node.etcd.kill()
        await node.etcd.start()
        await cluster.until_healthy()
    await cluster.proxy.kill()
    await cluster.proxy.start()


FAULTS = {
    "killed leader of etcd": Fault(killed_leader, is_kill=True),
    "killed follower of etcd": Fault(killed_follower, is_kill=True),
    "killed server": Fault(killed_server, is_kill=True),
    "killed HAProxy": Fault(killed_proxy, Meanwhile.UNKNOWN, is_kill=True),
    "stopped server": Fault(stopped_server),
    "frozen leader of etcd": Fault(frozen_leader),
    "frozen member of etcd for a moment": Fault(frozen_member, Meanwhile.UNKNOWN, lasts_s=1.0),
    "frozen server for a moment": Fault(frozen_server, Meanwhile.UNKNOWN, lasts_s=1.0),
    "frozen server until its lease ends": Fault(frozen_server, lasts_s=6.0, is_slow=True),
    "frozen HAProxy": Fault(frozen_proxy, Meanwhile.UNKNOWN, lasts_s=1.0),
    "partition: one node": Fault(minority, is_slow=True),
    "partition: no majority": Fault(no_majority, Meanwhile.REFUSES, is_slow=True),
    "partition: one way": Fault(one_way, is_slow=True),
    "partition: bridge": Fault(bridge),
    "full etcd": Fault(full_etcd, Meanwhile.REFUSES, is_slow=True),
    "replaced member of etcd": Fault(replaced_member, is_slow=True),
    "killed server while another one stops": Fault(killed_while_stopping),
    "cut connections": Fault(cut_lines, Meanwhile.UNKNOWN, lasts_s=1.0),
    "players away": Fault(players_away, Meanwhile.UNKNOWN, lasts_s=1.0),
    "jump of a clock": Fault(clock_jump, lasts_s=1.5),
    "rolling restart": Fault(rolling_restart, Meanwhile.UNKNOWN, is_slow=True),
}
"""All kinds of faults."""


def drawn(rng: random.Random, number: int) -> Iterator[tuple[str, Fault]]:
    """Yield that many faults: all kinds in a random order, and again and again.

    If that ends before a last turn is complete, it has no slow ones.
    """
    while number > 0:
        kinds = list(FAULTS)
        rng.shuffle(kinds)
        if number < len(kinds):
            kinds.sort(key=lambda kind: FAULTS[kind].is_slow)
        for kind in kinds[:number]:
            yield kind, FAULTS[kind]
        number -= len(kinds)
