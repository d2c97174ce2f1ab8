"""The contract of all implementations of `Offers`: a server's own in memory, and those in etcd."""

import asyncio

from tests.server.manual_clock import NOON_MS, ManualClock
from tests.server.stores import Store
from tests.server.talk import until

from boxroom_server.storage.offers import Offer, Offers

ONE_LOOP = True

EXPIRES_MS = NOON_MS + 300_000
ADA = Offer("Ada", "masked secret of Ada", EXPIRES_MS)
BOB = Offer("Bob", "masked secret of Bob", EXPIRES_MS)


def taken_from(offers: Offers) -> list[tuple[str, int]]:
    """Return a list that grows as offers are taken."""
    taken: list[tuple[str, int]] = []
    offers.on_taken.append(lambda name, at_ms: taken.append((name, at_ms)))
    return taken


async def test_an_offer_is_taken_once(store: Store) -> None:
    async with store.opened(ManualClock()) as storage:
        taken = taken_from(storage.offers)
        await storage.offers.add("code", ADA)
        await storage.offers.add("other", BOB)
        await until(lambda: storage.offers.knows("code"))
        assert not storage.offers.knows("unknown")
        got = await asyncio.gather(*(storage.offers.take("code", NOON_MS) for _ in range(5)))
        assert sorted(got, key=bool) == [None, None, None, None, ADA]
        assert taken == [("Ada", NOON_MS)]
        assert await storage.offers.take("code", NOON_MS) is None
        assert await storage.offers.take("unknown", NOON_MS) is None
        assert await storage.offers.take("other", EXPIRES_MS - 1) == BOB


async def test_an_offer_that_has_expired_is_none(store: Store) -> None:
    async with store.opened(ManualClock()) as storage:
        taken = taken_from(storage.offers)
        await storage.offers.add("code", ADA)
        assert await storage.offers.take("code", EXPIRES_MS) is None
        assert taken == []


async def test_a_person_has_one_offer_the_last(store: Store) -> None:
    async with store.opened(ManualClock()) as storage:
        await storage.offers.add("first", ADA)
        await storage.offers.add("second", Offer("ADA", "another", EXPIRES_MS))
        assert await storage.offers.take("first", NOON_MS) is None
        found = await storage.offers.take("second", NOON_MS)
        assert found is not None
        assert (found.name, found.masked) == ("ADA", "another")
