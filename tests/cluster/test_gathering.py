"""The members of a room meet on the server of its owner, if servers have names for a balancer."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any

import pytest
from tests.client.update_reader import UpdateReader, quick_backoff
from tests.cluster.proxy import HaProxy
from tests.cluster.shared import new_address
from tests.cluster.test_two_nodes import TWO_BY_TWO, known, node
from tests.faults.server_process import free_port
from tests.server.talk import Lobby, Message, Talk, say_hello, until
from websockets.asyncio.client import connect

from boxroom_client.link.connection import Create, Join, JoinRequest, RoomConnection
from boxroom_client.link.updates import EnteredRoom, EventApplied
from boxroom_client.profile.identity import Identity
from boxroom_client.servers.address import Address
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.room import Settings
from boxroom_engine.wire.messages import CLOSE_REPLACED
from boxroom_server.ops.readiness import LEAVING
from boxroom_server.rooms.activities.gathering import AGAIN_S, SPREAD_S
from boxroom_server.rooms.activities.status import PUBLISH_AFTER_S

KNOWS = ["elsewhere"]


@pytest.fixture
async def nodes() -> AsyncIterator[tuple[Lobby, Lobby]]:
    address = new_address()
    async with node(address, "one") as one, node(address, "other") as other:
        other.server._directory._rng.seed(2)  # the logs of its rooms are others
        yield one, other


async def call(place: Lobby, name: str, at: str = "", knows: list[str] = KNOWS) -> Talk:
    """Connect and say hello, perhaps with the name of a node in the address."""
    query = f"?at={at}" if at else ""
    connection = await connect(f"ws://127.0.0.1:{place.server.port}/{query}", compression=None)
    talk = place.keep(connection, name)
    await say_hello(talk, knows=knows)
    assert (await talk.hear())["type"] == "welcome"
    return talk


async def room_of_ada(nodes: tuple[Lobby, Lobby], **fields: Any) -> Talk:
    """Have Ada make a room at the first server, which the other one has heard of."""
    ada = await call(nodes[0], "Ada")
    settings = {**TWO_BY_TWO, "private": "password" in fields, "seats": 4}
    await ada.do("create_room", token="token of Ada", room="attic", settings=settings, **fields)
    await known(nodes[1])
    await nodes[0].until_owned()
    nodes[0].clock.advance(PUBLISH_AFTER_S)
    cell = nodes[1].server._directory.find("attic")
    await until(lambda: cell.status.connected == ("Ada",))
    return ada


async def join(place: Lobby, name: str, **how: Any) -> Talk:
    talk = await call(place, name, **how)
    await talk.do("join_room", room="attic")
    return talk


async def asked_to_go(talk: Talk) -> Message:
    return await talk.hear_until(lambda it: it["type"] == "elsewhere")


async def owned_by(place: Lobby) -> None:
    log = place.server._directory.find("attic").record.log
    await until(partial(place.server._storage.peers.owns, log))


async def test_who_comes_to_another_server_is_sent_to_the_owner(
    nodes: tuple[Lobby, Lobby],
) -> None:
    ada = await room_of_ada(nodes)
    bob = await call(nodes[1], "Bob")
    answer = await bob.ask("join_room", room="Attic")
    assert answer == {"type": "elsewhere", "id": bob.last_id, "at": "one"}
    there = await join(nodes[0], "Bob", at="one")
    await ada.event("joined", member="Bob")
    assert there.room is not None
    assert nodes[1].server._directory.find("attic").host is None


async def test_lists_and_looks_tell_where_the_members_of_a_room_meet(
    nodes: tuple[Lobby, Lobby],
) -> None:
    await room_of_ada(nodes)
    for place in nodes:
        guest = await call(place, "Cleo")
        for request in ("list_rooms", "look"):
            fields = {"room": "attic"} if request == "look" else {}
            (listed,) = (await guest.ask(request, **fields))["rooms"]
            assert listed["at"] == "one"


async def test_a_password_is_only_checked_where_the_members_meet(
    nodes: tuple[Lobby, Lobby],
) -> None:
    await room_of_ada(nodes, password="quiet")
    bob = await call(nodes[1], "Bob")
    assert (await bob.ask("join_room", room="attic", password="wrong"))["type"] == "elsewhere"
    there = await call(nodes[0], "Bob", at="one")
    assert await there.refusal("join_room", room="attic", password="wrong") == "wrong_password"


async def test_who_was_sent_is_sent_nowhere_else(nodes: tuple[Lobby, Lobby]) -> None:
    ada = await room_of_ada(nodes)
    await join(nodes[1], "Bob", at="gone")
    await ada.event("joined", member="Bob")


async def test_being_sent_counts_for_one_room(nodes: tuple[Lobby, Lobby]) -> None:
    await room_of_ada(nodes)
    bob = await join(nodes[1], "Bob", at="other")
    await bob.do("leave")
    assert (await bob.ask("join_room", room="attic"))["type"] == "elsewhere"


async def test_clients_that_do_not_know_it_stay_where_they_come(
    nodes: tuple[Lobby, Lobby],
) -> None:
    ada = await room_of_ada(nodes)
    bob = await join(nodes[1], "Bob", knows=[])
    await ada.event("joined", member="Bob")
    nodes[1].clock.advance(SPREAD_S)
    nodes[1].clock.advance(AGAIN_S)
    await bob.do("say", text="here I am")
    assert not any(it["type"] == "elsewhere" for it in bob.heard)


async def test_who_goes_from_room_to_room_is_asked_to_come_over_later(
    nodes: tuple[Lobby, Lobby],
) -> None:
    await room_of_ada(nodes)
    bob = await call(nodes[1], "Bob")
    await bob.do("create_room", token="token of Bob", room="cellar", settings=TWO_BY_TWO)
    await bob.do("join_room", room="attic")
    nodes[1].clock.advance(SPREAD_S)
    assert await asked_to_go(bob) == {"type": "elsewhere", "id": 0, "at": "one"}


async def test_members_apart_are_asked_again_until_they_come_over(
    nodes: tuple[Lobby, Lobby],
) -> None:
    ada = await room_of_ada(nodes)
    bob = await join(nodes[1], "Bob", at="other")
    await ada.event("joined", member="Bob")
    assert nodes[0].server.status().rooms_split == 1
    assert nodes[1].server.status().rooms_split == 0, "only the owner counts it"
    for seconds in (SPREAD_S, AGAIN_S):
        nodes[1].clock.advance(seconds)
        assert (await asked_to_go(bob))["at"] == "one"
    assert bob.room is not None
    seq = await bob.do("say", text="I am still here")
    there = await call(nodes[0], "Bob", at="one")
    there.room = bob.room
    await there.do("join_room", room="attic", log=nodes[0].room().log, after=bob.room.seq)
    assert there.resumed_after == seq
    assert await there.do("say", id=bob.last_id, text="I am still here") == seq
    assert (await bob.close_code())[0] == CLOSE_REPLACED
    assert nodes[0].server.status().rooms_split == 0


async def test_a_room_in_which_nobody_is_belongs_to_the_server_of_who_comes(
    nodes: tuple[Lobby, Lobby],
) -> None:
    ada = await room_of_ada(nodes)
    await ada.hang_up()
    cell = nodes[1].server._directory.find("attic")
    await until(lambda: not nodes[0].room().is_connected("Ada"))
    nodes[0].clock.advance(PUBLISH_AFTER_S)
    await until(lambda: not cell.status.connected)
    await join(nodes[1], "Bob")
    await owned_by(nodes[1])
    back = await call(nodes[0], "Ada")
    assert (await back.ask("join_room", room="attic"))["at"] == "other"


async def test_a_room_moves_with_its_members(nodes: tuple[Lobby, Lobby]) -> None:
    ada = await room_of_ada(nodes)
    await join(nodes[1], "Bob", at="other")
    await ada.hang_up()
    await owned_by(nodes[1])
    await until(lambda: nodes[1].server.status().rooms_split == 0)


async def test_a_server_that_stops_gives_its_rooms_away_first(
    nodes: tuple[Lobby, Lobby],
) -> None:
    ada = await room_of_ada(nodes)
    leaving = nodes[0].server
    stopping = asyncio.create_task(leaving._directory.give_away())
    log = nodes[0].room().log
    await until(lambda: leaving._storage.peers.owner_name(log) == "other")
    nodes[0].clock.advance(SPREAD_S)
    nodes[0].clock.advance(AGAIN_S)
    assert (await asked_to_go(ada))["at"] == "other"
    assert await ada.do("say", text="not gone yet")
    await join(nodes[1], "Ada", at="other")
    await stopping
    assert nodes[1].room().is_connected("Ada")
    late = await call(nodes[0], "Bob")
    assert (await late.ask("join_room", room="attic"))["at"] == "other"


async def test_a_server_without_others_keeps_its_rooms() -> None:
    async with node(new_address(), "one") as place:
        ada = await call(place, "Ada")
        await ada.do("create_room", token="token of Ada", room="attic", settings=TWO_BY_TWO)
        await place.until_owned()
        await place.server._directory.give_away()
        await owned_by(place)


async def test_a_server_that_gives_its_rooms_away_keeps_sessions_in_haproxy(
    nodes: tuple[Lobby, Lobby],
) -> None:
    nodes[0].server._readiness.set(LEAVING, "the server gives its rooms to others")
    reader, writer = await asyncio.open_connection("127.0.0.1", nodes[0].server.port)
    writer.write(b"GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert b" 404 " in await reader.readline()
    writer.close()


async def test_a_server_without_a_name_sends_members_to_one_that_has_a_name() -> None:
    address = new_address()
    async with node(address, "one") as one, node(address) as nameless:
        ada = await room_of_ada((one, nameless))
        bob = await call(nameless, "Bob")
        assert (await bob.ask("join_room", room="attic"))["at"] == "one"
        await join(nameless, "Bob", at="one")
        await ada.event("joined", member="Bob")


async def test_nobody_is_sent_to_a_server_without_a_name() -> None:
    address = new_address()
    async with node(address) as nameless, node(address, "one") as one:
        ada = await room_of_ada((nameless, one))
        await join(one, "Bob")
        await ada.event("joined", member="Bob")
        one.clock.advance(SPREAD_S)
        assert nameless.server.status().rooms_split == 1


# The real client, through HAProxy


@asynccontextmanager
async def behind_proxy() -> AsyncIterator[tuple[tuple[Lobby, Lobby], HaProxy]]:
    """Run two servers with the names that HAProxy has for them, and HAProxy."""
    address = new_address()
    async with (
        node(address, "node1", trust_proxy="127.0.0.1") as one,
        node(address, "node2", trust_proxy="127.0.0.1") as other,
        HaProxy(free_port(), (one.server.port, other.server.port, free_port())) as proxy,
    ):
        yield (one, other), proxy


def member(proxy: HaProxy, name: str, request: JoinRequest, at: str = "") -> RoomConnection:
    """Return a connection through HAProxy, which may lead to a certain server."""
    address = Address("127.0.0.1", proxy.port, at=at)
    return RoomConnection(address, Identity.make(name), request, backoff=quick_backoff())


CREATE = Create(Settings(options={"rows": 2, "cols": 2}, seats=6), room="attic")


async def test_haproxy_leads_members_to_each_other() -> None:
    async with behind_proxy() as (nodes, proxy), AsyncExitStack() as stack:
        await stack.enter_async_context(member(proxy, "Ada", CREATE, at="node1"))
        await known(nodes[1])
        await nodes[0].until_owned()
        log = nodes[0].room().log
        await until(lambda: nodes[1].server._storage.peers.owner_name(log) == "node1")
        for number in range(4):
            guest = member(proxy, f"Guest {number}", Join("attic"))
            await stack.enter_async_context(guest)
        assert len(nodes[0].host().connections.names) == 5
        assert not nodes[1].server._directory.find("attic").host


async def test_a_member_goes_to_the_others_without_noticing() -> None:
    async with (
        behind_proxy() as (nodes, proxy),
        member(proxy, "Ada", CREATE, at="node1"),
    ):
        await known(nodes[1])
        async with member(proxy, "Bob", Join("attic"), at="node2") as bob:
            await until(lambda: nodes[1].room().is_connected("Bob"))
            updates = UpdateReader(bob)
            saying = asyncio.gather(*(bob.ask(cmd.Say(1, f"line {n}")) for n in range(30)))
            await nodes[0].until_owned()
            log = nodes[0].room().log
            await until(lambda: nodes[1].server._storage.peers.owner_name(log) == "node1")
            nodes[1].clock.advance(SPREAD_S)
            nodes[1].clock.advance(AGAIN_S)
            await until(lambda: "Bob" in nodes[0].host().connections.names)
            await saying
            assert (await bob.ask(cmd.Say(1, "the last"))).seq == nodes[0].room().seq
            await updates.until_said("the last")
            assert updates.said() == [*(f"line {n}" for n in range(30)), "the last"]
            changes = {type(each) for each in updates.read}
            assert changes == {EnteredRoom, EventApplied}
            assert nodes[0].server.status().rooms_split == 0


async def test_a_name_that_haproxy_does_not_know_leads_to_any_server() -> None:
    async with (
        behind_proxy() as (_, proxy),
        member(proxy, "Ada", CREATE, at="nowhere") as ada,
        member(proxy, "Bob", Join("attic"), at="node3") as bob,
    ):
        assert (await bob.ask(cmd.Say(1, "node 3 is missing"))).seq
        assert ada.room is not None
