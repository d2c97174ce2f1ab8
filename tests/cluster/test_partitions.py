"""Three machines, each with etcd and a server, between which the network fails."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

from tests.cluster.etcd import EtcdMember, need_etcd, until_healthy
from tests.cluster.machines import Network, network
from tests.cluster.members import ANSWERS, Member, check_agreement
from tests.faults.server_process import NO_LIMITS, ServerProcess
from websockets.asyncio.client import unix_connect

PORT = 8765
MEMBERS = ("Ada", "Bob", "Cleo")

LIMIT_S = 30.0
"""Longest wait for a server to notice."""


async def is_ready(path: Path) -> bool:
    """Return whether the server behind a socket file says that it is ready."""
    reader, writer = await asyncio.open_unix_connection(path)
    writer.write(b"GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
    status = await reader.readline()
    writer.close()
    return b" 200 " in status


async def until_cut_off(*paths: Path) -> None:
    """Wait until the servers say that they aren't ready."""
    async with asyncio.timeout(LIMIT_S):
        for path in paths:
            while await is_ready(path):
                pass


@asynccontextmanager
async def cluster(folder: Path, net: Network) -> AsyncIterator[list[Member]]:
    """Run etcd and a server on each machine, with one member at each, all in one room."""
    need_etcd()
    etcds = [
        EtcdMember(f"etcd{number}", folder, 2379, 2380, host=machine.address, within=machine.within)
        for number, machine in enumerate(net.machines)
    ]
    endpoints = ",".join(etcd.endpoint for etcd in etcds)
    async with AsyncExitStack() as stack:
        for etcd in etcds:
            etcd.peers = etcds
            await stack.enter_async_context(etcd)
        await until_healthy(endpoints, within=net.machines[0].within)
        members = []
        for number, (machine, name) in enumerate(zip(net.machines, MEMBERS, strict=True)):
            # Each server asks its own member of etcd first.
            near = [*etcds[number:], *etcds[:number]]
            address = "etcd://" + ",".join(etcd.endpoint for etcd in near)
            log, path = folder / f"server{number}.log", folder / f"{number}.socket"
            server = ServerProcess(PORT, log, "--store", address, *NO_LIMITS, within=machine.within)
            await stack.enter_async_context(server)
            await stack.enter_async_context(machine.relay(path, PORT))
            members.append(Member(name, partial(unix_connect, str(path), "ws://127.0.0.1/")))
            await members[-1].call()
        await members[0].talk.do("create_room", token="a token of Ada", room="attic")
        for member in members[1:]:
            await member.talk.do("join_room", room="attic")
        yield members
        for member in members:
            await member.talk.hang_up()


async def test_no_partition_loses_or_doubles_anything(tmp_path: Path) -> None:
    with network(3) as net:
        async with cluster(tmp_path, net) as members:
            ada, bob, cleo = members
            one, two, three = net.machines
            await check_agreement(members)

            net.isolate(one)
            waiting = asyncio.create_task(ada.say())
            await asyncio.gather(bob.say_until_done(), cleo.say_until_done())
            await until_cut_off(tmp_path / "0.socket")
            net.heal()
            assert await waiting in ANSWERS
            await check_agreement(members)

            net.isolate(one)
            net.isolate(two)
            answers = [asyncio.create_task(member.say()) for member in members]
            await until_cut_off(*(tmp_path / f"{number}.socket" for number in range(3)))
            net.heal()
            assert {await answer for answer in answers} <= ANSWERS
            await check_agreement(members)

            net.cut_one_way(one, two)
            net.cut_one_way(one, three)
            waiting = asyncio.create_task(ada.say())
            await asyncio.gather(bob.say_until_done(), cleo.say_until_done())
            net.heal()
            assert await waiting in ANSWERS
            await check_agreement(members)

            net.cut(one, two)
            await asyncio.gather(*(member.say_until_done() for member in members))
            net.heal()
            await check_agreement(members)
