"""A whole cluster on machines of its own: etcd, servers and HAProxy, each process of them real.

Three machines have a member of etcd and a server each, and a fourth one has HAProxy, which listens
at a socket file: that is where players come in.
"""

import asyncio
import json
import re
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.client.cutting_proxy import CuttingProxy
from tests.cluster.etcd import EtcdMember, ctl, need_etcd, until_healthy
from tests.cluster.machines import Machine, Network, network
from tests.cluster.proxy import HaProxy
from tests.faults.server_process import NO_LIMITS, ServerProcess

NAMES = ("node1", "node2", "node3")
"""Names of the servers in HAProxy."""

PORT = 8765
"""Port of every server."""

METRICS_PORT = 9464
"""Port of every server's metrics."""

READ_METRICS = f"""
from urllib.request import urlopen
print(urlopen("http://127.0.0.1:{METRICS_PORT}/metrics").read().decode())
"""
"""Program that prints the metrics of the server on its machine."""

QUOTA_BYTES = 32 * 1024 * 1024
"""Space of etcd, little enough that a test can fill it."""

ETCD_FLAGS = (
    f"--quota-backend-bytes={QUOTA_BYTES}",
    "--auto-compaction-mode=periodic",
    "--auto-compaction-retention=1m",
    "--snapshot-count=5000",  # so that old parts of its log are deleted soon
)


@dataclass(frozen=True)
class Node:
    """One machine with a member of etcd and a server."""

    machine: Machine
    etcd: EtcdMember
    server: ServerProcess
    offset_file: Path
    """Holds by how much the server's time of day is ahead, in seconds with a sign."""


@dataclass(frozen=True)
class Cluster:
    """The processes of a cluster, and the network between their machines."""

    net: Network
    nodes: Sequence[Node]
    proxy_machine: Machine
    proxy: HaProxy
    lines: list[CuttingProxy] = field(default_factory=list)
    """Connections of players to HAProxy, one for each player who may lose it."""

    async def ctl(self, *words: str, without: EtcdMember | None = None, given: bytes = b"") -> str:
        """Run etcdctl on HAProxy's machine, for all members of etcd or all but one."""
        endpoints = (node.etcd.endpoint for node in self.nodes if node.etcd is not without)
        return await ctl(",".join(endpoints), *words, within=self.proxy_machine.within, given=given)

    async def until_healthy(self) -> None:
        """Wait until all members of etcd answer."""
        endpoints = ",".join(node.etcd.endpoint for node in self.nodes)
        await until_healthy(endpoints, within=self.proxy_machine.within)

    async def leader(self) -> EtcdMember:
        """Return the leader of etcd, of which all members answer."""
        found = json.loads(await self.ctl("endpoint", "status", "-w", "json"))
        (endpoint,) = {
            each["Endpoint"]
            for each in found
            if each["Status"]["leader"] == each["Status"]["header"]["member_id"]
        }
        return next(node.etcd for node in self.nodes if node.etcd.endpoint == endpoint)

    async def rooms_split(self) -> int:
        """Return how many rooms have members on several servers, as the servers count them."""
        return sum(await asyncio.gather(*(_rooms_split(node.machine) for node in self.nodes)))

    def logged_errors(self) -> str:
        """Return what all servers have written to standard error."""
        return "".join(node.server.logged_errors() for node in self.nodes)


async def _rooms_split(machine: Machine) -> int:
    process = await asyncio.create_subprocess_exec(
        *(*machine.within, sys.executable, "-I", "-S", "-c", READ_METRICS),
        stdout=asyncio.subprocess.PIPE,
    )
    text, _ = await process.communicate()
    (line,) = re.findall(rb"(?m)^boxroom_rooms_split (\d+)", text)
    return int(line)


@asynccontextmanager
async def cluster(folder: Path) -> AsyncIterator[Cluster]:
    """Run a cluster while the context lasts; skip the test where that is impossible."""
    need_etcd()
    with network(4) as net:
        *machines, proxy_machine = net.machines
        etcds = [
            EtcdMember(
                name, folder, 2379, 2380, host=it.address, flags=ETCD_FLAGS, within=it.within
            )
            for name, it in zip(("one", "two", "three"), machines, strict=True)
        ]
        nodes = [
            _node(folder, machine, name, [*etcds[number:], *etcds[:number]], proxy_machine)
            for number, (name, machine) in enumerate(zip(NAMES, machines, strict=True))
        ]
        addresses = [f"{machine.address}:{PORT}" for machine in machines]
        proxy = HaProxy(folder / "haproxy.socket", addresses, within=proxy_machine.within)
        made = Cluster(net, nodes, proxy_machine, proxy)
        async with AsyncExitStack() as stack:
            for etcd in etcds:
                etcd.peers = etcds
                await stack.enter_async_context(etcd)
            await made.until_healthy()
            for node in nodes:
                await stack.enter_async_context(node.server)
            await stack.enter_async_context(proxy)
            yield made


def _node(
    folder: Path,
    machine: Machine,
    name: str,
    etcds: Sequence[EtcdMember],
    proxy_machine: Machine,
) -> Node:
    """Return a node that isn't running, whose server asks the first of `etcds` first.

    `name` is the server's in HAProxy.
    """
    near, store = etcds[0], "etcd://" + ",".join(etcd.endpoint for etcd in etcds)
    offset_file = folder / f"{near.name}.offset"
    offset_file.write_text("+0")
    server = ServerProcess(
        PORT,
        folder / f"server {near.name}.log",
        *("--host", machine.address, "--store", store, "--node-name", name),
        *("--trust-proxy", proxy_machine.address, *NO_LIMITS),
        *("--metrics-port", str(METRICS_PORT)),
        environment=_faked_time(offset_file),
        within=machine.within,
    )
    return Node(machine, near, server, offset_file)


def _faked_time(offset_file: Path) -> dict[str, str]:
    """Return the environment in which a process reads its time of day through `offset_file`.

    Its monotonic clock, by which it waits, is the real one, as it is when someone sets a clock.
    """
    if shutil.which("faketime") is None:
        pytest.skip("missing here: Debian's faketime")
    program = "import os; print(os.environ['LD_PRELOAD'])"
    command = ["faketime", "-f", "+0", sys.executable, "-c", program]
    found = subprocess.run(command, capture_output=True, check=True, text=True)
    return {
        "LD_PRELOAD": found.stdout.strip(),
        "FAKETIME_TIMESTAMP_FILE": str(offset_file),
        "FAKETIME_CACHE_DURATION": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
