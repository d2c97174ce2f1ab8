"""Players who come to two servers through HAProxy, which says where they come from."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.cluster.proxy import HaProxy
from tests.cluster.shared import new_address
from tests.cluster.test_two_nodes import execute, known, node
from tests.faults.server_process import free_port
from tests.server.talk import Lobby, Talk, say_hello
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from boxroom_engine.wire.messages import CLOSE_NOT_WELCOME
from boxroom_server.admin import messages as admin

HOME, ELSEWHERE = "127.0.0.2", "127.0.0.3"


@asynccontextmanager
async def behind_proxy(**options: Any) -> AsyncIterator[tuple[tuple[Lobby, Lobby], HaProxy]]:
    """Run two servers that trust HAProxy, and HAProxy, whose third server is missing."""
    address = new_address()
    async with (
        node(address, trust_proxy="127.0.0.1", **options) as one,
        node(address, trust_proxy="127.0.0.1", **options) as other,
        HaProxy(free_port(), (one.server.port, other.server.port, free_port())) as proxy,
    ):
        yield (one, other), proxy


async def come(place: Lobby, proxy: HaProxy, name: str, address: str) -> Talk:
    """Connect from `address` through HAProxy, pretending to come from somewhere else."""
    connection = await connect(
        f"ws://127.0.0.1:{proxy.port}",
        compression=None,
        local_addr=(address, 0),
        additional_headers={"X-Forwarded-For": "198.51.100.7"},
    )
    talk = place.keep(connection, name)
    await say_hello(talk)
    assert (await talk.hear())["type"] == "welcome"
    return talk


async def test_a_banned_network_is_sent_away_from_all_servers() -> None:
    async with behind_proxy() as (nodes, proxy):
        ada = await nodes[0].create("Ada", settings={"options": {"rows": 2, "cols": 2}, "seats": 6})
        await known(nodes[1])
        banned = []
        for number in range(4):
            talk = await come(nodes[0], proxy, f"Guest {number}", HOME)
            await talk.do("join_room", room="attic")
            banned.append(talk)
        other = await come(nodes[0], proxy, "Bob", ELSEWHERE)
        await other.do("join_room", room="attic")
        at_each = [sum(it.address == HOME for it in place.server._sessions) for place in nodes]
        assert sum(at_each) == 4
        assert all(at_each), "HAProxy has sent all of them to one server"
        answer = await execute(nodes[0], admin.Ban("127.0.0.2/32", ""))
        assert isinstance(answer, admin.Done)
        for talk in banned:
            assert (await talk.close_code())[0] == CLOSE_NOT_WELCOME
        while ada.room is None or len(ada.room.barred) < 4:
            await ada.hear()
        assert await other.do("say", text="I may stay")
        for _ in nodes:
            with pytest.raises(InvalidStatus, match="403"):
                await come(nodes[0], proxy, "Guest 0", HOME)


async def test_connections_are_counted_by_the_address_before_the_proxy() -> None:
    async with behind_proxy(connections_per_address=1) as (nodes, proxy):
        for address in (HOME, ELSEWHERE):
            for _ in nodes:
                await come(nodes[0], proxy, f"Guest of {address}", address)
        for address in (HOME, ELSEWHERE):
            with pytest.raises(InvalidStatus, match="429"):
                await come(nodes[0], proxy, f"Guest of {address}", address)
