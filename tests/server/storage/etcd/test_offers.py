"""Offers in etcd, which any server takes; the contract is in `tests.server.storage.test_offers`."""

import asyncio
from functools import partial
from typing import Any

import pytest
from tests.cluster.shared import new_address
from tests.server.manual_clock import NOON_MS, ManualClock
from tests.server.storage.etcd.proxied import proxied
from tests.server.storage.test_offers import ADA, BOB, taken_from
from tests.server.stores import EtcdStore
from tests.server.talk import until

from boxroom_server.storage.etcd import offers as offers_module
from boxroom_server.storage.etcd.layout import Layout, has_value, put
from boxroom_server.storage.etcd.offers import EtcdOffers
from boxroom_server.storage.offers import Offer, Offers
from boxroom_server.storage.room_log import CannotSave

ONE_LOOP = True


@pytest.fixture
def store() -> EtcdStore:
    return EtcdStore(new_address())


def hears_of(offers: Offers, number: int) -> bool:
    """Return whether a server has heard of that many offers."""
    assert isinstance(offers, EtcdOffers)
    return len(offers._offers.values) >= min(number, 3)


async def test_of_two_servers_that_take_an_offer_one_gets_it_and_both_report(
    store: EtcdStore,
) -> None:
    async with (
        store.opened(ManualClock()) as home,
        store.opened(ManualClock()) as one,
        store.opened(ManualClock()) as other,
    ):
        taken = [taken_from(each.offers) for each in (home, one, other)]
        for number in range(1, 11):
            await home.offers.add(f"code {number}", ADA)
            got = await asyncio.gather(
                *(each.offers.take(f"code {number}", NOON_MS) for each in (one, other))
            )
            assert sorted(got, key=bool) == [None, ADA]
        await until(lambda: all(len(each) >= 10 for each in taken))
        assert taken == [[("Ada", NOON_MS)] * 10] * 3


async def test_a_taking_whose_answer_is_lost_succeeds_once(
    store: EtcdStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with store.opened(ManualClock()) as home, proxied(store.address) as (proxy, address):
        taken = taken_from(home.offers)
        await home.offers.add("code", ADA)
        async with EtcdStore(address).opened(ManualClock()) as storage:

            def lose_the_answer(key: bytes, value: bytes) -> Any:
                proxy.mute()
                return has_value(key, value)

            monkeypatch.setattr(offers_module, "has_value", lose_the_answer)
            taking = asyncio.create_task(storage.offers.take("code", NOON_MS))
            await until(lambda: bool(taken))
            proxy.cut()
            proxy.open()
            assert await taking == ADA
        assert await home.offers.take("code", NOON_MS) is None
        assert taken == [("Ada", NOON_MS)]


async def test_offers_and_takings_are_gone_with_their_lease(store: EtcdStore) -> None:
    async with store.opened(ManualClock()) as storage:
        await storage.offers.add("code", ADA)
        await storage.offers.add("other", BOB)
        await storage.offers.take("code", NOON_MS)
        kept = [*await store.read("offer"), *await store.read("offer-of")]
        assert len(kept) == 4
        assert all(pair.lease for pair in kept)
        assert not any(ADA.masked.encode() in pair.value for pair in kept)


async def test_one_offer_more_than_there_may_be_replaces_the_oldest(
    store: EtcdStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offers_module, "MOST_OFFERS", 3)
    async with store.opened(ManualClock()) as storage:
        names = [f"player {number}" for number in range(4)]
        for number, name in enumerate(names, 1):
            await storage.offers.add(name, Offer(name, "masked", ADA.expires_ms))
            await until(partial(hears_of, storage.offers, number))
        got = [await storage.offers.take(name, NOON_MS) for name in names]
        assert [offer is not None for offer in got] == [False, True, True, True]


async def test_without_etcd_nothing_is_offered_or_taken(
    store: EtcdStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offers_module, "ANSWER_S", 0.1)
    async with (
        proxied(store.address) as (proxy, address),
        EtcdStore(address).opened(ManualClock()) as storage,
    ):
        await storage.offers.add("code", ADA)
        proxy.close()
        for asking in (storage.offers.add("other", BOB), storage.offers.take("code", NOON_MS)):
            with pytest.raises(CannotSave):
                await asking
        proxy.open()


async def test_a_damaged_offer_is_refused(store: EtcdStore) -> None:
    async with store.opened(ManualClock()) as storage:
        await store.write(put(Layout(store.address.prefix).key("offer", "code"), b"{"))
        with pytest.raises(CannotSave, match="damaged"):
            await storage.offers.take("code", NOON_MS)
