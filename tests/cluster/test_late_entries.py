"""A member who comes in at a server that the room's owner doesn't know, for now or for good."""

import pytest
from tests.cluster.shared import new_address
from tests.cluster.test_two_nodes import TWO_BY_TWO, node
from tests.server.storage.log_recorder import LogRecorder
from tests.server.stores import EtcdStore
from tests.server.talk import until

from boxroom_engine.room.events import Entry, Joined
from boxroom_server.clock import SystemClock
from boxroom_server.rooms.hosting import LATE_S
from boxroom_server.storage.etcd.layout import Layout, put

ONE_LOOP = True


@pytest.mark.parametrize("is_here", [False, True])
async def test_a_member_drops_out_unless_the_server_is_heard_of_in_time(is_here: bool) -> None:
    address = new_address()
    store = EtcdStore(address)
    async with node(address) as place, store.opened(SystemClock()) as other:
        ada = await place.create("Ada", settings=TWO_BY_TWO)
        await place.until_owned()
        (record,) = place.server._storage.room_log.room_records()
        await other.room_log.read(record.log)
        last = place.room().seq
        came = LogRecorder(other.room_log, record.log)
        await came.save(
            Entry(last + 1, 0, (Joined("Bob", "late"), Joined("Cem", other.peers.node)))
        )
        await ada.event("joined", member="Cem")
        if is_here:
            await store.write(put(Layout(address.prefix).key("node", "late"), b"0"))
            await until(lambda: place.server._storage.peers.is_here("late"))
        place.clock.advance(LATE_S)
        if not is_here:
            await ada.event("left", member="Bob")
        await ada.do("say", text="who is here?")
        assert ("Bob" in place.room().members) == is_here
        assert "Cem" in place.room().members


async def test_a_server_has_its_time_though_another_is_looked_for() -> None:
    address = new_address()
    store = EtcdStore(address)
    async with node(address) as place, store.opened(SystemClock()) as other:
        ada = await place.create("Ada", settings=TWO_BY_TWO)
        await place.until_owned()
        (record,) = place.server._storage.room_log.room_records()
        await other.room_log.read(record.log)
        last = place.room().seq
        came = LogRecorder(other.room_log, record.log)
        for seq, name in enumerate(("Bob", "Cem"), last + 1):
            await came.save(Entry(seq, 0, (Joined(name, name),)))
            await ada.event("joined", member=name)
            if name == "Bob":
                await store.write(put(Layout(address.prefix).key("node", name), b"0"))
                await until(lambda: place.server._storage.peers.is_here("Bob"))
            place.clock.advance(LATE_S / 2)
        await ada.do("say", text="who is here?")
        assert "Cem" in place.room().members
        place.clock.advance(LATE_S / 2)
        await ada.event("left", member="Cem")
        assert "Bob" in place.room().members
