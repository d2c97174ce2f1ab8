"""A member who comes in at a server that the room's owner doesn't know, for now or for good."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
from tests.cluster.shared import new_address
from tests.cluster.test_two_nodes import TWO_BY_TWO, node
from tests.server.storage.log_recorder import LogRecorder
from tests.server.stores import EtcdStore
from tests.server.talk import Lobby, Talk, until

from boxroom_engine.room.events import Entry, Joined
from boxroom_server.clock import SystemClock
from boxroom_server.rooms.hosting import LATE_S
from boxroom_server.storage.etcd.layout import Layout, put
from boxroom_server.storage.storage import Storage

ONE_LOOP = True


@dataclass(frozen=True)
class Other:
    """The storage of another server of the cluster."""

    storage: Storage
    came: LogRecorder
    """Appends to the log of the room."""
    _store: EtcdStore

    async def begin(self, node: str) -> None:
        """Let a server with that id be heard of."""
        await self._store.write(put(Layout(self._store.address.prefix).key("node", node), b"0"))


@asynccontextmanager
async def owned_room() -> AsyncIterator[tuple[Lobby, Talk, Other]]:
    """Have Ada in a room that her server owns, and yield another server beside it."""
    store = EtcdStore(new_address())
    async with node(store.address) as place, store.opened(SystemClock()) as storage:
        ada = await place.create("Ada", settings=TWO_BY_TWO)
        await place.until_owned()
        # Entries and nodes have watches of their own, so an entry may come first.
        await until(lambda: place.server._storage.peers.is_here(storage.peers.node))
        (record,) = place.server._storage.room_log.room_records()
        await storage.room_log.read(record.log)
        yield place, ada, Other(storage, LogRecorder(storage.room_log, record.log), store)


@pytest.mark.parametrize("is_here", [False, True])
async def test_a_member_drops_out_unless_the_server_is_heard_of_in_time(is_here: bool) -> None:
    async with owned_room() as (place, ada, other):
        last = place.room().seq
        await other.came.save(
            Entry(last + 1, 0, (Joined("Bob", "late"), Joined("Cem", other.storage.peers.node)))
        )
        await ada.event("joined", member="Cem")
        if is_here:
            await other.begin("late")
            await until(lambda: place.server._storage.peers.is_here("late"))
        place.clock.advance(LATE_S)
        if not is_here:
            await ada.event("left", member="Bob")
        await ada.do("say", text="who is here?")
        assert ("Bob" in place.room().members) == is_here
        assert "Cem" in place.room().members


async def test_a_server_has_its_time_though_another_is_looked_for() -> None:
    async with owned_room() as (place, ada, other):
        last = place.room().seq
        for seq, name in enumerate(("Bob", "Cem"), last + 1):
            await other.came.save(Entry(seq, 0, (Joined(name, name),)))
            await ada.event("joined", member=name)
            if name == "Bob":
                await other.begin(name)
                await until(lambda: place.server._storage.peers.is_here("Bob"))
            place.clock.advance(LATE_S / 2)
        await ada.do("say", text="who is here?")
        assert "Cem" in place.room().members
        place.clock.advance(LATE_S / 2)
        await ada.event("left", member="Cem")
        assert "Bob" in place.room().members
