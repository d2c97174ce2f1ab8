"""Two servers on one etcd: whatever happens at one of them, the other one knows."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any

import pytest
from tests.cluster.shared import new_address
from tests.server.storage.etcd.proxied import proxied
from tests.server.talk import Lobby, Talk, lobby, say_hello, secret_of, until
from websockets.frames import CloseCode

from boxroom_engine.wire.messages import CLOSE_NOT_WELCOME, CLOSE_REPLACED
from boxroom_engine.wire.parts import COACH
from boxroom_server.admin import messages as admin
from boxroom_server.clock import SystemClock
from boxroom_server.rooms.activities.status import PUBLISH_AFTER_S
from boxroom_server.rooms.cell import RoomCell
from boxroom_server.rooms.hosting import UNNEEDED_S
from boxroom_server.server import NAME_WAIT_S
from boxroom_server.storage.etcd.address import EtcdAddress
from boxroom_server.storage.etcd.storage import etcd_storage

TWO_BY_TWO = {"options": {"rows": 2, "cols": 2}}


@asynccontextmanager
async def node(address: EtcdAddress, name: str = "", **options: Any) -> AsyncIterator[Lobby]:
    """Run a server on the etcd at `address`, with a name for the balancer or without."""
    async with (
        etcd_storage(address, SystemClock(), node_name=name) as storage,
        lobby(storage=storage, **options) as place,
    ):
        yield place


@pytest.fixture
async def nodes() -> AsyncIterator[tuple[Lobby, Lobby]]:
    address = new_address()
    async with node(address) as one, node(address) as other:
        yield one, other


async def known(place: Lobby, room: str = "attic") -> None:
    """Wait until a server has heard of `room`."""
    await until(lambda: room in place.server._directory._by_code)


async def gone(place: Lobby, room: str = "attic") -> None:
    await until(lambda: room not in place.server._directory._by_code)


async def at_both(nodes: tuple[Lobby, Lobby], **settings: Any) -> tuple[Talk, Talk]:
    """Have Ada make a room at one server, and Bob join it at the other one."""
    ada = await nodes[0].create("Ada", settings={**TWO_BY_TWO, **settings})
    await known(nodes[1])
    bob = await nodes[1].join("Bob")
    await ada.event("joined", member="Bob")
    return ada, bob


async def advance(nodes: tuple[Lobby, Lobby], seconds: float) -> None:
    for place in nodes:
        place.clock.advance(seconds)


async def test_a_game_between_two_servers(nodes: tuple[Lobby, Lobby]) -> None:
    ada, bob = await at_both(nodes)
    await ada.do("start")
    await bob.event("started")
    for ply, move in enumerate(["h0", "h1", "h2", "h3", "h4", "h5"]):
        player = (ada, bob)[ply % 2]
        seq = await player.do("play", seat=ply % 2, move=move, ply=ply)
        await ada.until_seq(seq)
        await bob.until_seq(seq)
    assert ada.room == bob.room == nodes[0].room() == nodes[1].room()


async def test_a_room_is_found_before_a_server_has_heard_of_it(nodes: tuple[Lobby, Lobby]) -> None:
    guests = [await nodes[1].call(f"Guest {number}") for number in range(10)]
    for number, guest in enumerate(guests):
        await nodes[0].create(f"Host {number}", room=f"Room {number}")
        await guest.do("join_room", room=f"ROOM {number}")


async def test_all_see_one_order_of_what_is_said_at_once(nodes: tuple[Lobby, Lobby]) -> None:
    ada, bob = await at_both(nodes)

    async def chat(talk: Talk) -> list[int]:
        return [await talk.do("say", text=f"{talk.name} {number}") for number in range(30)]

    seqs = await asyncio.gather(chat(ada), chat(bob))
    assert len({*seqs[0], *seqs[1]}) == 60
    last = max(seqs[0] + seqs[1])
    await ada.until_seq(last)
    await bob.until_seq(last)
    assert ada.room == bob.room


async def test_a_repeated_command_gets_its_answer_from_any_server(
    nodes: tuple[Lobby, Lobby],
) -> None:
    ada, _ = await at_both(nodes)
    seq = await ada.do("say", text="once")
    again = await nodes[1].join("Ada")
    assert await again.do("say", id=ada.last_id, text="once") == seq
    assert len(nodes[1].room().chat) == 1


async def test_who_comes_to_another_server_leaves_the_first_one(
    nodes: tuple[Lobby, Lobby],
) -> None:
    ada, bob = await at_both(nodes)
    elsewhere = await nodes[0].join("Bob")
    assert (await bob.close_code())[0] == CLOSE_REPLACED
    await ada.event("returned", member="Bob")
    assert await ada.do("say", text="are you here?")
    assert await elsewhere.do("say", text="I am")
    assert nodes[0].room().is_connected("Bob")


@pytest.mark.parametrize("watch", [False, True])
async def test_a_member_who_is_thought_gone_has_to_come_in_again(
    nodes: tuple[Lobby, Lobby], watch: bool
) -> None:
    ada = await nodes[0].create("Ada", settings=TWO_BY_TWO)
    await known(nodes[1])
    bob = await nodes[1].join("Bob", watch=watch)
    await ada.event("joined", member="Bob")
    nodes[0].host().drop("Bob", nodes[1].server._storage.peers.node)
    assert (await bob.close_code())[0] == CloseCode.SERVICE_RESTART


async def test_a_resumed_connection_is_sent_what_it_missed(nodes: tuple[Lobby, Lobby]) -> None:
    ada, bob = await at_both(nodes)
    assert bob.room is not None
    seen = bob.room.seq
    await bob.hang_up()
    await ada.event("dropped", member="Bob")
    last = await ada.do("say", text="you missed this")
    back = await nodes[0].call("Bob")
    back.room = bob.room
    await back.do("join_room", room="attic", log=nodes[0].room().log, after=seen)
    await back.until_seq(last)
    assert back.resumed_after == seen


async def test_the_coach_speaks_at_the_server_of_its_player(nodes: tuple[Lobby, Lobby]) -> None:
    """Also at one that doesn't own the room, and after a change of the server."""
    ada = await nodes[0].connect("Ada")
    await say_hello(ada, knows=[COACH])
    await ada.hear()
    settings = {"options": {"rows": 1, "cols": 2}}
    await ada.do("create_room", token="token of Ada", room="attic", settings=settings)
    await ada.do("fill", bot="greedy")
    await ada.do("coach", seat=0, on=True)
    await ada.do("start")
    for place in (nodes[0], nodes[1]):
        if place is nodes[1]:
            await ada.hang_up()
            ada = await place.connect("Ada")
            await say_hello(ada, knows=[COACH])
            await ada.hear()
            await ada.do("join_room", room="attic")
        while ada.seen.state is None or ada.seen.state.to_move != 0:
            await ada.hear()
        await ada.do("play", seat=0, move="h0", ply=ada.seen.ply)
        said = await ada.hear_until(lambda it: it["type"] == "coaching")
        assert (said["move"], said["can_undo"]) == ("h0", True)
        while ada.seen.state.to_move != 0:
            await ada.hear()
        await ada.do("undo", ply=ada.seen.ply)


async def test_a_name_belongs_to_its_owner_everywhere(nodes: tuple[Lobby, Lobby]) -> None:
    await nodes[0].call("Ada")
    await until(lambda: nodes[1].server._names.is_known("Ada"))
    thief = await nodes[1].connect("Ada")
    await say_hello(thief, secret=secret_of("somebody else"))
    assert (await thief.hear())["code"] == "name_taken"
    await nodes[1].call("Ada")


async def test_a_server_proves_that_it_knows_a_name_of_which_it_hears_late(
    nodes: tuple[Lobby, Lobby],
) -> None:
    challenge = json.dumps({"type": "challenge", "name": "Ada", "nonce": "0123456789abcdef"})
    early, late = await nodes[1].connect("Ada"), await nodes[1].connect("Ada")
    await early.connection.send(challenge)
    await until(lambda: "ada" in nodes[1].server._names._awaited)
    await nodes[0].call("Ada")
    assert (await early.hear())["type"] == "server_proof"
    await late.connection.send(challenge)
    assert (await late.hear())["type"] == "server_proof"


async def test_a_name_that_no_server_knows_is_unknown_after_a_while(
    nodes: tuple[Lobby, Lobby],
) -> None:
    talk = await nodes[1].connect("Ada")
    challenge = {"type": "challenge", "name": "Ada", "nonce": "0123456789abcdef"}
    await talk.connection.send(json.dumps(challenge))
    await until(lambda: "ada" in nodes[1].server._names._awaited)
    nodes[1].clock.advance(NAME_WAIT_S)
    assert (await talk.hear())["code"] == "name_unknown"
    assert not nodes[1].server._names._awaited


async def test_of_two_first_claims_one_holds(nodes: tuple[Lobby, Lobby]) -> None:
    one, other = await nodes[0].connect("Ada"), await nodes[1].connect("Ada")
    await asyncio.gather(
        say_hello(one, secret=secret_of("one Ada")), say_hello(other, secret=secret_of("other"))
    )
    verifiers = [place.server._names for place in nodes]
    await until(
        lambda: (
            verifiers[0].verifier("Ada") == verifiers[1].verifier("Ada") is not None
            and sum(len(place.server._sessions.with_name("Ada")) for place in nodes) == 1
        )
    )
    closing = [asyncio.create_task(talk.close_code()) for talk in (one, other)]
    closed, open_ = await asyncio.wait(closing, return_when=asyncio.FIRST_COMPLETED)
    assert [task.result()[0] for task in closed] == [CLOSE_NOT_WELCOME]
    for task in open_:
        task.cancel()


async def test_lists_show_the_rooms_of_all_servers(nodes: tuple[Lobby, Lobby]) -> None:
    await nodes[0].create("Ada", settings=TWO_BY_TWO)
    await known(nodes[1])
    cleo = await nodes[1].call("Cleo")
    cell = nodes[1].server._directory.find("attic")
    await until(lambda: bool(nodes[0].host().activities))
    await nodes[0].until_owned()
    nodes[0].clock.advance(PUBLISH_AFTER_S)
    await until(lambda: cell.status.listed is not None)
    (listed,) = (await cleo.ask("list_rooms"))["rooms"]
    assert (listed["room"], listed["people"], listed["empty_seats"]) == ("attic", 1, 1)
    assert nodes[1].server._directory.is_in_a_room("Ada")
    assert not nodes[1].server._directory.is_in_a_room("Dan")


async def test_a_list_still_shows_a_room_that_is_not_hosted_there_any_more(
    nodes: tuple[Lobby, Lobby],
) -> None:
    ada, bob = await at_both(nodes)
    cell = nodes[1].server._directory.find("attic")
    await nodes[0].until_owned()
    nodes[1].clock.advance(UNNEEDED_S)  # while Bob is there; then it looks again as he leaves
    await bob.do("leave")
    await ada.event("left", member="Bob")
    nodes[0].clock.advance(PUBLISH_AFTER_S)
    await until(partial(has_connected, cell, ("Ada",)))
    host = nodes[1].host()
    nodes[1].clock.advance(UNNEEDED_S)
    await until(lambda: cell.host is None)
    await host.sleep()
    (listed,) = (await bob.ask("list_rooms"))["rooms"]
    assert (listed["room"], listed["people"]) == ("attic", 1)
    assert nodes[1].server._directory.is_in_a_room("Ada")


async def test_a_room_closed_by_an_operator_is_closed_everywhere(
    nodes: tuple[Lobby, Lobby],
) -> None:
    ada, bob = await at_both(nodes)
    answer = await nodes[1].server.admin_commands.execute(admin.CloseRoom("attic"), lambda: None)
    assert isinstance(answer, admin.Done)
    await bob.close_code()
    await ada.close_code()
    await gone(nodes[0])
    again = await nodes[0].create("Cleo")
    assert again.room is not None
    assert again.room.code == "attic"


async def test_a_ban_holds_everywhere(nodes: tuple[Lobby, Lobby]) -> None:
    ada, bob = await at_both(nodes)
    answer = await nodes[0].server.admin_commands.execute(admin.Ban("Bob", ""), lambda: None)
    assert isinstance(answer, admin.Done)
    assert (await bob.close_code())[0] == CLOSE_NOT_WELCOME
    await ada.event("kicked", member="Bob")
    back = await nodes[1].connect("Bob")
    await say_hello(back)
    assert (await back.hear())["code"] == "banned"
    await nodes[0].server.admin_commands.execute(admin.Unban("Bob"), lambda: None)
    await until(lambda: nodes[1].server._bans.of_name("Bob") is None)
    await nodes[1].call("Bob")


async def test_another_device_takes_an_identity_at_another_server(
    nodes: tuple[Lobby, Lobby],
) -> None:
    ada, elsewhere = await nodes[0].call("Ada"), await nodes[1].call("Ada")
    offered = await ada.ask("offer_identity", masked="0123456789abcdefABCDEF_-")
    phones = [await place.connect("Ada") for place in nodes]
    taking = json.dumps({"type": "take_identity", "code": offered["code"]})
    for phone in phones:
        await phone.connection.send(taking)
    answers = [await phone.hear() for phone in phones]
    assert sorted(answer["type"] for answer in answers) == ["identity", "refused"]
    for device in (ada, elsewhere):
        notice = await device.hear_until(lambda it: it["type"] == "notice")
        assert notice["code"] == "identity_taken"


# Administration


async def execute(place: Lobby, request: admin.Request) -> admin.Answer:
    """Have an operator ask one of the servers."""
    return await place.server.admin_commands.execute(request, lambda: None)


async def test_a_room_that_another_server_hosts_is_listed_as_it_is(
    nodes: tuple[Lobby, Lobby],
) -> None:
    settings = {**TWO_BY_TWO, "private": True}
    ada = await nodes[0].create("Ada", settings=settings, password="quiet")
    await ada.do("fill", bot="greedy")
    await ada.do("start")
    await known(nodes[1])
    cell = nodes[1].server._directory.find("attic")
    await until(lambda: nodes[0].server._storage.peers.owns(cell.record.log))
    await nodes[0].until_owned()
    nodes[0].clock.advance(PUBLISH_AFTER_S)
    await until(lambda: cell.status.phase == "playing")
    assert cell.host is None
    lists = [await execute(place, admin.ListRooms()) for place in nodes]
    assert lists[0] == lists[1]
    assert isinstance(lists[1], admin.RoomList)
    (room,) = lists[1].rooms
    assert (room.phase, room.game, room.people, room.bots) == ("playing", "dots", 1, 1)


async def test_a_room_is_shown_with_the_servers_of_its_members(nodes: tuple[Lobby, Lobby]) -> None:
    _, bob = await at_both(nodes)
    shown = [await execute(place, admin.ShowRoom("attic")) for place in nodes]
    members = [each.members for each in shown if isinstance(each, admin.RoomDetails)]
    nodes_of = [place.server._storage.peers.node for place in nodes]
    for here, name in enumerate(("Ada", "Bob")):
        mine, other = sorted(members[here], key=lambda it: it.name != name)
        assert (mine.address, mine.node) == ("127.0.0.1", "")
        assert (other.address, other.node) == (None, nodes_of[1 - here])
    await bob.hang_up()
    await until(lambda: not nodes[0].room().is_connected("Bob"))
    shown_later = await execute(nodes[0], admin.ShowRoom("attic"))
    assert isinstance(shown_later, admin.RoomDetails)
    assert admin.MemberInfo("Bob", None, None) in shown_later.members


def has_connected(cell: RoomCell, names: tuple[str, ...]) -> bool:
    """Return whether a server has heard that these members of a room are connected."""
    return cell._reported is not None and cell._reported.connected == names


async def test_names_are_listed_with_who_is_in_a_room_anywhere(nodes: tuple[Lobby, Lobby]) -> None:
    ada = await nodes[0].create("Ada", settings=TWO_BY_TWO)
    dan = await nodes[0].call("Dan")
    await dan.hang_up()
    await known(nodes[1])
    await until(lambda: nodes[1].server._names.is_known("Dan"))
    cell = nodes[1].server._directory.find("attic")
    await nodes[0].until_owned()
    for connected in (("Ada",), ()):
        nodes[0].clock.advance(PUBLISH_AFTER_S)
        await until(partial(has_connected, cell, connected))
        names = await execute(nodes[1], admin.ListNames())
        assert isinstance(names, admin.NameList)
        assert [it.name for it in names.names] == ["Ada", "Dan"]
        assert tuple(it.name for it in names.names if it.is_here) == connected
        await ada.hang_up()
        await until(lambda: not nodes[0].room().is_connected("Ada"))


async def test_a_member_is_kicked_from_any_server(nodes: tuple[Lobby, Lobby]) -> None:
    ada, bob = await at_both(nodes)
    answer = await execute(nodes[0], admin.Kick("attic", "Bob"))
    assert isinstance(answer, admin.Done)
    await bob.event("kicked", member="Bob")
    await ada.event("kicked", member="Bob")
    assert await bob.refusal("say", text="still here?") == "not_in_a_room"
    back = await nodes[1].call("Bob")
    assert await back.refusal("join_room", room="attic") == "barred"


async def test_a_name_is_released_from_any_server(nodes: tuple[Lobby, Lobby]) -> None:
    ada, bob = await at_both(nodes)
    await until(lambda: nodes[0].server._names.is_known("Bob"))
    assert isinstance(await execute(nodes[0], admin.Release("Bob")), admin.Done)
    assert (await bob.close_code())[0] == CLOSE_NOT_WELCOME
    await ada.event("dropped", member="Bob")
    heir = await nodes[1].connect("Bob")
    await say_hello(heir, secret=secret_of("somebody else"))
    assert (await heir.hear())["type"] == "welcome"
    await heir.do("join_room", room="attic")
    assert heir.room is not None
    assert heir.room.seats[1].member == "Bob"


async def test_a_second_room_with_the_same_code_is_refused(nodes: tuple[Lobby, Lobby]) -> None:
    ada, bob = await nodes[0].call("Ada"), await nodes[1].call("Bob")
    fields = {"room": "attic", "settings": TWO_BY_TWO}
    answers = await asyncio.gather(
        ada.ask("create_room", token="a token of Ada", **fields),
        bob.ask("create_room", token="a token of Bob", **fields),
    )
    assert sorted(answer["type"] for answer in answers) == ["done", "refused"]
    assert {answer.get("code") for answer in answers} == {None, "room_exists"}
    for place in nodes:
        await known(place)
        assert len(place.server._directory) == 1


async def test_the_other_server_takes_over_when_one_stops() -> None:
    address = new_address()
    async with node(address) as stays:
        async with AsyncExitStack() as stack:
            stops = await stack.enter_async_context(node(address))
            ada, bob = await at_both((stops, stays))
            await ada.do("stand")
            await ada.do("seat_bot", bot="greedy", seat=0)
            await bob.event("bot_sat", seat=0)
        log = stays.room().log
        await until(lambda: stays.server._storage.peers.owns(log))
        await bob.event("left", member="Ada")
        await until(lambda: stays.room().host == "Bob")
        await bob.do("start")
        await bob.event("played", by="bot")


async def test_a_stopping_server_wakes_no_room_that_becomes_its_own(
    caplog: pytest.LogCaptureFixture,
) -> None:
    address = new_address()
    async with node(address) as stops:
        async with node(address) as other:
            await other.create("Ada")
            await known(stops)
            (log,) = stops.server._directory._by_log
            await stops.server._directory.sleep()
        await until(lambda: stops.server._storage.peers.owns(log))
        for _ in range(10):  # as long as it takes to wake a room, and longer
            await stops.server._storage.peers.find_room("attic")
        assert stops.server._directory._by_log[log].host is None
    assert caplog.messages == []


async def test_who_comes_in_while_the_log_is_lost_comes_in_when_it_is_read_again() -> None:
    async with proxied(new_address()) as (proxy, address), node(address) as place:
        ada = await place.create("Ada")
        bob = await place.call("Bob")
        proxy.close()
        coming = asyncio.create_task(bob.do("join_room", room="attic"))
        lost = place.host()
        await until(lambda: lost.is_busy)
        lost.log_lost()
        proxy.open()
        assert (await ada.close_code())[0] == CloseCode.SERVICE_RESTART
        await coming
        assert place.host() is not lost
        assert "Bob" in place.room().members


async def test_an_empty_room_expires_once(nodes: tuple[Lobby, Lobby]) -> None:
    ada, bob = await at_both(nodes)
    await ada.do("leave")
    await bob.do("leave")
    await until(lambda: not nodes[0].host().room.members)
    for place in nodes:
        place.clock.advance(place.options.empty_room_s + 1)
    await gone(nodes[0])
    await gone(nodes[1])


async def test_data_of_another_version_is_left_alone() -> None:
    address = new_address()
    async with node(address):
        pass
    from aetcd import rpc

    from boxroom_server.storage.etcd.client import EtcdClient
    from boxroom_server.storage.etcd.layout import Layout, put

    client = EtcdClient(address)
    key = Layout(address.prefix).key("meta", "version")
    await client.txn(rpc.TxnRequest(success=[put(key, b"2")]), 5.0)
    await client.close()
    from boxroom_server.storage.storage import StorageError

    with pytest.raises(StorageError, match="another Boxroom"):
        async with etcd_storage(address, SystemClock()):
            pass
