"""Sessions through HAProxy when nothing can be saved: at no server, or at one of them."""

import asyncio
from contextlib import AsyncExitStack, suppress
from pathlib import Path

from tests.cluster.etcd import EtcdMember, etcd_cluster, until_healthy
from tests.cluster.proxy import HaProxy
from tests.cluster.shared import new_address
from tests.cluster.test_two_nodes import node
from tests.faults.server_process import NO_LIMITS, ServerProcess, free_port
from tests.server.http_requests import http_request
from tests.server.manual_clock import ManualClock
from tests.server.storage.etcd.proxied import proxied
from tests.server.talk import Talk, say_hello
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

GUESTS = 6
"""So many that each server has some."""

LIMIT_S = 30.0


async def call(proxy: HaProxy, name: str) -> Talk:
    talk = Talk(await connect(f"ws://127.0.0.1:{proxy.port}", compression=None), name)
    await say_hello(talk)
    assert (await talk.hear())["type"] == "welcome"
    return talk


async def come_in(proxy: HaProxy, guests: int) -> list[Talk]:
    """Return the connections of that many guests in one room, some of them at each server."""
    talks = [await call(proxy, f"Guest {number}") for number in range(guests)]
    await talks[0].do("create_room", token="first guest's", room="attic")
    for talk in talks[1:]:
        await talk.do("join_room", room="attic")
    return talks


async def until_refused(talk: Talk) -> None:
    """Wait for the notice that nothing can be saved, and try."""
    await talk.hear_until(lambda it: it.get("code") == "cannot_save")
    assert await talk.refusal("say", text="Hello?") == "cannot_save"


async def until_accepted(talk: Talk) -> None:
    async with asyncio.timeout(LIMIT_S):
        while (await talk.ask("say", text="Hello?"))["type"] == "refused":  # noqa: ASYNC110
            await asyncio.sleep(0.1)


async def test_no_session_ends_while_etcd_has_no_majority(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        members = await stack.enter_async_context(etcd_cluster(tmp_path, 3))
        store = "etcd://" + ",".join(member.endpoint for member in members)
        servers = [
            ServerProcess(free_port(), tmp_path / f"log {number}", "--store", store, *NO_LIMITS)
            for number in range(3)
        ]
        for server in servers:
            await stack.enter_async_context(server)
        ports = [server.port for server in servers]
        proxy = await stack.enter_async_context(HaProxy(free_port(), ports))
        talks = await come_in(proxy, GUESTS)
        for member in members[1:]:
            await member.kill()
        await asyncio.gather(*map(until_refused, talks))
        await proxy.until_ready(is_ready=False)
        await is_told_why(proxy)
        await start_again(members)
        await asyncio.gather(*map(until_accepted, talks))
        for port in ports:
            assert (await http_request(port, "/readyz")).status == 200
        for talk in talks:
            await talk.do("say", text="Still here.")
            await talk.hang_up()


async def is_told_why(proxy: HaProxy) -> None:
    """Have a newcomer come in, and hear that nothing can be saved."""
    talk = await call(proxy, "Newcomer")
    await talk.hear_until(lambda it: it.get("code") == "cannot_save")
    await talk.hang_up()


async def start_again(members: list[EtcdMember]) -> None:
    for member in members[1:]:
        await member.start()
    await until_healthy(",".join(member.endpoint for member in members))


async def test_sessions_of_a_server_that_alone_cannot_save_go_to_another() -> None:
    address = new_address()
    async with (
        proxied(address) as (cut, through_cut),
        node(through_cut) as alone,
        node(address) as other,
        HaProxy(free_port(), (alone.server.port, other.server.port, free_port())) as proxy,
    ):
        talks = await come_in(proxy, GUESTS)
        at_alone = [talk for talk in talks if alone.server._sessions.with_name(talk.name)]
        assert 0 < len(at_alone) < len(talks)
        cut.close()
        await asyncio.gather(*map(until_refused, at_alone))
        passing = asyncio.create_task(let_time_pass(alone.clock))
        await asyncio.gather(*map(until_cut, at_alone))
        passing.cancel()
        for talk in set(talks) - set(at_alone):
            await talk.do("say", text="Still here.")
        again = await call(proxy, "Newcomer")
        await again.do("join_room", room="attic")


async def let_time_pass(clock: ManualClock) -> None:
    """Have HAProxy's checks come at later and later times."""
    while True:
        await asyncio.sleep(0.1)
        clock.advance(0.5)


async def until_cut(talk: Talk) -> None:
    with suppress(ConnectionClosed):
        while True:
            await talk.hear()
