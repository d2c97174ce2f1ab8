"""Three machines, each with etcd and a server, between which the network fails."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.cluster.etcd import EtcdMember, need_etcd, until_healthy
from tests.cluster.machines import Network, network
from tests.faults.server_process import NO_LIMITS, ServerProcess
from tests.server.talk import Talk, say_hello
from websockets.asyncio.client import unix_connect
from websockets.exceptions import ConnectionClosed

from boxroom_engine.room.room import Room

PORT = 8765
MEMBERS = ("Ada", "Bob", "Cleo")

ANSWERS = {"done", "cannot_save"}
"""Answers to a command whose server is cut off, depending on how far it has come."""

LIMIT_S = 30.0
"""Longest wait for an answer, and for the members to agree."""


@dataclass
class Member:
    """A member who says one thing after the other, at a server of its own."""

    talk: Talk
    path: Path
    """Socket file that leads to the server."""
    said: list[str] = field(default_factory=list)
    """Texts that were accepted, in order."""
    refused: list[str] = field(default_factory=list)
    """Texts that were refused, of which none may be in the log."""

    @property
    def room(self) -> Room:
        """The room as this member sees it."""
        assert self.talk.room is not None
        return self.talk.room

    async def say(self) -> str:
        """Say something new; return "done", or the code of the refusal."""
        text = f"{self.talk.name} {len(self.said) + len(self.refused)}"
        id = self.talk.last_id + 1
        async with asyncio.timeout(LIMIT_S):
            while True:
                try:
                    answer = await self.talk.ask("say", id=id, text=text)
                    break
                except ConnectionClosed:
                    await self.come_in_again()
        (self.said if answer["type"] == "done" else self.refused).append(text)
        return str(answer.get("code", "done"))

    async def come_in_again(self) -> None:
        """Connect anew, as clients do, and resume."""
        before = self.room
        self.talk = await connected(self.path, self.talk.name)
        self.talk.room = before
        await self.talk.do("join_room", room="attic", log=before.log, after=before.seq)

    async def say_until_done(self) -> None:
        """Say things until one is accepted: a new leader of etcd may be long in coming."""
        async with asyncio.timeout(LIMIT_S):
            while await self.say() == "cannot_save":
                await self.until_ready()

    async def is_ready(self) -> bool:
        """Return whether the server says that it is ready."""
        reader, writer = await asyncio.open_unix_connection(self.path)
        writer.write(b"GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        status = await reader.readline()
        writer.close()
        return b" 200 " in status

    async def until_ready(self, *, is_ready: bool = True) -> None:
        """Wait until the server is ready, or isn't any more."""
        async with asyncio.timeout(LIMIT_S):
            while await self.is_ready() != is_ready:
                pass


async def connected(path: Path, name: str) -> Talk:
    """Connect to the server behind a socket file, and say hello."""
    talk = Talk(
        await unix_connect(str(path), "ws://127.0.0.1/", compression=None, ping_interval=None), name
    )
    await say_hello(talk)
    assert (await talk.hear())["type"] == "welcome"
    return talk


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
            log, path = folder / f"server{number}.log", folder / f"server{number}.socket"
            server = ServerProcess(PORT, log, "--store", address, *NO_LIMITS, within=machine.within)
            await stack.enter_async_context(server)
            await stack.enter_async_context(machine.relay(path, PORT))
            members.append(Member(await connected(path, name), path))
        await members[0].talk.do("create_room", token="a token of Ada", room="attic")
        for member in members[1:]:
            await member.talk.do("join_room", room="attic")
        yield members
        for member in members:
            await member.talk.hang_up()


async def check_agreement(members: list[Member]) -> None:
    """Wait until all members have seen the same, and compare it with what they were answered."""
    for member in members:
        await member.until_ready()
        await member.say_until_done()
    last = [member.said[-1] for member in members]
    for member in members:
        async with asyncio.timeout(LIMIT_S):
            while not set(last) <= {line.text for line in member.room.chat}:
                try:
                    await member.talk.hear()
                except ConnectionClosed:
                    await member.come_in_again()
    rooms = [member.room for member in members]
    assert rooms[0] == rooms[1] == rooms[2]
    said = [line.text for line in rooms[0].chat]
    for member in members:
        mine = [text for text in said if text.startswith(member.talk.name)]
        kept = member.said[-len(mine) :]  # a room keeps the last lines of its chat
        assert mine == kept, "lost, doubled, or out of order"
        assert not set(member.refused) & set(said), "refused, and saved all the same"


async def test_no_partition_loses_or_doubles_anything(tmp_path: Path) -> None:
    with network(3) as net:
        async with cluster(tmp_path, net) as members:
            ada, bob, cleo = members
            one, two, three = net.machines
            await check_agreement(members)

            net.isolate(one)
            waiting = asyncio.create_task(ada.say())
            await asyncio.gather(bob.say_until_done(), cleo.say_until_done())
            await ada.until_ready(is_ready=False)
            net.heal()
            assert await waiting in ANSWERS
            await check_agreement(members)

            net.isolate(one)
            net.isolate(two)
            answers = [asyncio.create_task(member.say()) for member in members]
            for member in members:
                await member.until_ready(is_ready=False)
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
