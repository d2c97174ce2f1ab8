"""Opening etcd as a storage: damage, crashes, and clocks that disagree."""

import asyncio

import pytest
from aetcd import rpc
from tests.cluster.shared import new_address
from tests.server.manual_clock import NOON_MS, ManualClock
from tests.server.storage.etcd.proxied import client_of
from tests.server.storage.sqlite.data_folders import LIVING, begin_living_room
from tests.server.stores import ANSWER_S, EtcdStore
from tests.server.talk import until

from boxroom_server.storage.etcd import storage as etcd_storage
from boxroom_server.storage.etcd.client import EtcdClient
from boxroom_server.storage.etcd.layout import Layout, put
from boxroom_server.storage.storage import Storage, StorageError

ONE_LOOP = True


@pytest.fixture
def store() -> EtcdStore:
    return EtcdStore(new_address())


async def open_once(store: EtcdStore, clock: ManualClock) -> Storage:
    async with store.opened(clock) as storage:
        return storage


@pytest.mark.parametrize(
    "key", ["name/ada", "ban/name/ada", "room/4711", "status/4711", "meta/alive"]
)
async def test_a_server_does_not_start_on_damaged_values(store: EtcdStore, key: str) -> None:
    await open_once(store, ManualClock())
    await store.write(put(Layout(store.address.prefix).key(*key.split("/")), b"{"))
    with pytest.raises(StorageError, match=f"the value of {key} in etcd is damaged"):
        await open_once(store, ManualClock())


async def test_a_server_that_starts_alone_owns_all_rooms_at_once(store: EtcdStore) -> None:
    async with store.opened(ManualClock()) as storage:
        begin_living_room(storage)
    async with store.opened(ManualClock()) as storage:
        assert storage.peers.owns(LIVING)
        async with store.opened(ManualClock()) as other:
            assert not other.peers.owns(LIVING)
            assert storage.peers.owns(LIVING)


async def test_the_time_without_a_server_is_known_to_the_next_one(store: EtcdStore) -> None:
    clock = ManualClock()
    async with store.opened(clock) as storage:
        assert storage.down_ms == 0
        clock.advance(20)
    clock.advance(3600)
    assert (await open_once(store, clock)).down_ms == 3_600_000


# A server that has crashed, whose lease has not run out yet


async def leave_a_dead_node(client: EtcdClient, store: EtcdStore) -> int:
    """Leave a node and a room of its in etcd, as a crash at noon does; return the lease."""
    grant = rpc.LeaseGrantRequest(TTL=60)
    granted = await client.call(lambda it: rpc.LeaseStub(it).LeaseGrant, grant, ANSWER_S)
    layout = Layout(store.address.prefix)
    await store.write(
        put(layout.key("node", "dead"), b"0", granted.ID),
        put(layout.key("owner", LIVING), b"dead", granted.ID),
        put(layout.key("meta", "alive"), b"%d" % NOON_MS),
    )
    lease: int = granted.ID
    return lease


async def revoke(client: EtcdClient, lease: int) -> None:
    request = rpc.LeaseRevokeRequest(ID=lease)
    await client.call(lambda it: rpc.LeaseStub(it).LeaseRevoke, request, ANSWER_S)


async def test_a_server_that_comes_back_soon_takes_over_when_the_lease_has_run_out(
    store: EtcdStore,
) -> None:
    async with store.opened(ManualClock()) as storage:
        begin_living_room(storage)
    async with client_of(store.address) as client:
        lease = await leave_a_dead_node(client, store)
        async with store.opened(ManualClock()) as storage:
            assert storage.down_ms is None
            assert storage.peers.is_here("dead")
            assert not storage.peers.owns(LIVING)
            await revoke(client, lease)
            await until(lambda: storage.peers.owns(LIVING))
            assert not storage.peers.is_here("dead")


async def test_a_lease_that_outlives_a_long_failure_is_waited_for(store: EtcdStore) -> None:
    """etcd that starts again extends all leases, however long ago their nodes have stopped."""
    clock = ManualClock()
    await open_once(store, clock)
    clock.advance(3600)
    async with client_of(store.address) as client:
        lease = await leave_a_dead_node(client, store)
        opening = asyncio.create_task(open_once(store, clock))
        while not await store.read("meta"):
            pass
        assert not opening.done()
        await revoke(client, lease)
        assert (await opening).down_ms == 3_600_000


@pytest.mark.parametrize(("is_ahead", "told"), [(True, "3 h ahead of"), (False, "3 h behind")])
async def test_a_server_whose_time_of_day_is_another_does_not_start(
    is_ahead: bool, told: str, store: EtcdStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(etcd_storage, "START_S", 0.5)
    early, late = ManualClock(), ManualClock()
    late.advance(10_800)
    async with store.opened(early if is_ahead else late):
        with pytest.raises(StorageError, match=f"is {told} that of the other servers"):
            await open_once(store, late if is_ahead else early)
