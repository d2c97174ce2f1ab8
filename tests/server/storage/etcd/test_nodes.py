"""Nodes: leases that run out, and rooms that get another owner."""

import msgspec
import pytest
from aetcd import rpc
from tests.cluster.shared import new_address
from tests.server.manual_clock import ManualClock
from tests.server.storage.etcd.proxied import client_of
from tests.server.storage.sqlite.data_folders import LIVING, begin_living_room
from tests.server.stores import ANSWER_S, EtcdStore
from tests.server.talk import until

from boxroom_server.storage.etcd.layout import Layout, put
from boxroom_server.storage.etcd.nodes import CLAIMS_AT_ONCE
from boxroom_server.storage.room_log import RoomRecord

ONE_LOOP = True


@pytest.fixture
def store() -> EtcdStore:
    return EtcdStore(new_address())


async def lease_of(store: EtcdStore, node: str) -> int:
    (lease,) = {it.lease for it in await store.read("node") if it.key.endswith(node.encode())}
    assert isinstance(lease, int)
    return lease


async def test_a_server_whose_lease_has_run_out_gets_another_and_its_rooms(
    store: EtcdStore,
) -> None:
    async with store.opened(ManualClock()) as storage:
        begin_living_room(storage)
        await until(lambda: storage.peers.owns(LIVING))
        old = await lease_of(store, storage.peers.node)
        async with client_of(store.address) as client:
            request = rpc.LeaseRevokeRequest(ID=old)
            await client.call(lambda it: rpc.LeaseStub(it).LeaseRevoke, request, ANSWER_S)
        await until(lambda: not storage.peers.owns(LIVING))
        await until(lambda: storage.peers.owns(LIVING))
        assert await lease_of(store, storage.peers.node) != old


async def test_many_rooms_without_an_owner_are_claimed_at_the_start(store: EtcdStore) -> None:
    logs = [f"{number:04}" for number in range(2 * CLAIMS_AT_ONCE + 1)]
    layout = Layout(store.address.prefix)
    async with store.opened(ManualClock()):
        pass
    await store.write(
        *(
            put(
                layout.key("room", log),
                msgspec.json.encode(RoomRecord(log, log, "Ada", "token", None, 0)),
            )
            for log in logs
        )
    )
    async with store.opened(ManualClock()) as storage:
        assert all(map(storage.peers.owns, logs))
        assert {it.value for it in await store.read("owner")} == {storage.peers.node.encode()}


async def test_a_room_that_another_server_makes_is_found_before_it_is_heard_of(
    store: EtcdStore,
) -> None:
    async with store.opened(ManualClock()) as one, store.opened(ManualClock()) as other:
        begin_living_room(one)
        await until(lambda: bool(one.room_log.room_records()))
        (record,) = one.room_log.room_records()
        assert await other.peers.find_room("cellar") == record
        assert await other.peers.find_room("attic") is None
