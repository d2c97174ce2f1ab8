"""Three members of etcd, three servers and HAProxy, of which any process is killed or frozen."""

import asyncio
import json
import os
import random
import signal
import statistics
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from tests.cluster.etcd import EtcdMember, ctl, etcd_cluster
from tests.cluster.members import Member, check_agreement
from tests.cluster.proxy import HaProxy
from tests.faults.server_process import NO_LIMITS, ServerProcess, free_port
from websockets.asyncio.client import ClientConnection, connect

FROZEN_S = 2.0
"""How long a frozen process stands still; the lease of a server ends later."""

LONG_FROZEN_S = 6.0
"""How long it stands still so that its lease ends."""

AGREE_EVERY = 5
"""Faults between two comparisons of what all members have seen."""

SHORT = 30
"""Faults of the short form."""

LONG = 1_000


class Cluster:
    """The processes, the members that come through HAProxy, and the faults."""

    def __init__(
        self,
        etcds: list[EtcdMember],
        servers: list[ServerProcess],
        proxy: HaProxy,
        rng: random.Random,
    ) -> None:
        self.members = [Member(name, self._connect) for name in ("Ada", "Bob", "Cleo")]
        self.waits_s: dict[str, list[float]] = {}
        """Times from a fault until something was accepted again, by kind."""
        self._etcds = etcds
        self._servers = servers
        self._proxy = proxy
        self._rng = rng

    async def _connect(self) -> ClientConnection:
        return await connect(
            f"ws://127.0.0.1:{self._proxy.port}", compression=None, ping_interval=None
        )

    async def come_in(self) -> None:
        """Have all members come into one room."""
        for member in self.members:
            await member.call()
        await self.members[0].talk.do("create_room", token="a token of Ada", room="attic")
        for member in self.members[1:]:
            await member.talk.do("join_room", room="attic")

    async def fail(self) -> None:
        """Let one thing go wrong, while the members go on saying things."""
        faults: list[Callable[[], Awaitable[None]]] = [
            self.kill_follower,
            self.kill_leader,
            self.freeze_member,
            self.kill_server,
            self.kill_server,
            self.freeze_server,
            self.freeze_server_for_long,
            self.stop_server,
            self.kill_proxy,
        ]
        fault = self._rng.choice(faults)
        await fault()

    async def _go_on(self, kind: str) -> None:
        """Have all members say something, and note how long that takes them."""
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        await asyncio.gather(*(member.say_until_done() for member in self.members))
        self.waits_s.setdefault(kind, []).append(loop.time() - began_s)

    async def _leader(self) -> EtcdMember:
        """Return the leader of etcd, once there is one."""
        for _ in range(100):
            for member in self._etcds:
                (found,) = json.loads(
                    await ctl(member.endpoint, *["endpoint", "status", "-w", "json"])
                )
                status = found["Status"]
                if status["leader"] == status["header"]["member_id"]:
                    return member
        raise TimeoutError("etcd has no leader")

    async def kill_leader(self) -> None:
        await self._kill_member(await self._leader(), "kill_leader")

    async def kill_follower(self) -> None:
        leader = await self._leader()
        others = [member for member in self._etcds if member is not leader]
        await self._kill_member(self._rng.choice(others), "kill_follower")

    async def _kill_member(self, member: EtcdMember, kind: str) -> None:
        await member.kill()
        await self._go_on(kind)
        await member.start()

    async def freeze_member(self) -> None:
        member = self._rng.choice(self._etcds)
        await self._freeze(member.pid, FROZEN_S, "freeze_member")

    async def kill_server(self) -> None:
        server = self._rng.choice(self._servers)
        await server.kill()
        await self._go_on("kill_server")
        await server.start()

    async def stop_server(self) -> None:
        server = self._rng.choice(self._servers)
        stopping = asyncio.create_task(server.stop())
        await self._go_on("stop_server")
        assert await stopping == 0
        await server.start()

    async def freeze_server(self) -> None:
        await self._freeze(self._rng.choice(self._servers).pid, FROZEN_S, "freeze_server")

    async def freeze_server_for_long(self) -> None:
        server = self._rng.choice(self._servers)
        await self._freeze(server.pid, LONG_FROZEN_S, "freeze_server_for_long")

    async def _freeze(self, pid: int, for_s: float, kind: str) -> None:
        os.kill(pid, signal.SIGSTOP)
        going_on = asyncio.create_task(self._go_on(kind))
        await asyncio.sleep(for_s)
        os.kill(pid, signal.SIGCONT)
        await going_on

    async def kill_proxy(self) -> None:
        await self._proxy.kill()
        await self._proxy.start()
        await self._go_on("kill_proxy")


@asynccontextmanager
async def cluster(folder: Path, rng: random.Random) -> AsyncIterator[Cluster]:
    """Run all processes, with the members in their room, while the context lasts."""
    async with AsyncExitStack() as stack:
        etcds = await stack.enter_async_context(etcd_cluster(folder, 3))
        store = "etcd://" + ",".join(member.endpoint for member in etcds)
        servers = []
        for number in range(3):
            log = folder / f"server{number}.log"
            flags = ("--store", store, "--trust-proxy", "127.0.0.1", *NO_LIMITS)
            server = ServerProcess(free_port(), log, *flags)
            servers.append(await stack.enter_async_context(server))
        ports = [server.port for server in servers]
        proxy = await stack.enter_async_context(HaProxy(free_port(), ports))
        made = Cluster(etcds, servers, proxy, rng)
        await made.come_in()
        yield made
        for member in made.members:
            await member.talk.hang_up()


async def check_faults(folder: Path, number: int) -> None:
    """Draw that many faults, after which nothing is lost, doubled, reordered or unanswered."""
    seed = int(os.environ.get("BOXROOM_SEED") or random.SystemRandom().getrandbits(32))
    print(f"seed {seed}")
    async with cluster(folder, random.Random(seed)) as made:
        for done in range(1, number + 1):
            await made.fail()
            if done % AGREE_EVERY == 0:
                await check_agreement(made.members)
        said = sum(len(member.said) for member in made.members)
        refused = sum(len(member.refused) for member in made.members)
        returns = sum(member.returns for member in made.members)
        print(f"{said} commands accepted, {refused} refused; {returns} times members came back")
        for kind, waits_s in sorted(made.waits_s.items()):
            median_s, worst_s = statistics.median(waits_s), max(waits_s)
            print(f"{kind}: {len(waits_s)}, median {median_s:.1f} s, worst {worst_s:.1f} s")


async def test_thirty_faults_lose_and_double_nothing(tmp_path: Path) -> None:
    await check_faults(tmp_path, SHORT)


@pytest.mark.long
async def test_a_thousand_faults_lose_and_double_nothing(tmp_path: Path) -> None:
    await check_faults(tmp_path, LONG)
