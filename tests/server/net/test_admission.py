"""Limits on the number of connections, in all and from one client."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from tests.server.net.manual_loop import ManualLoop

from boxroom_server.net.admission import MOST_REJECTED, Admission, ConnectionSlot
from boxroom_server.net.client_address import counted_as

ADDRESSES = ("192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2", "")


def admitting(most: int, most_per_client: int) -> Admission:
    return Admission(most, most_per_client, ManualLoop())


def status(slot: ConnectionSlot | None) -> int:
    """Return the HTTP status of the rejection; 0 without one, 444 if there is no answer."""
    if slot is None:
        return 444
    return 0 if slot.rejection is None else slot.rejection.status


def test_an_address_has_so_many_and_a_site_of_ipv6_is_one_address() -> None:
    admission = admitting(most=100, most_per_client=2)
    addresses = ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2"]
    assert [status(admission.acquire(each)) for each in addresses] == [0, 0, 429, 0, 0, 0]
    assert status(admission.acquire("2001:db8::3")) == 429
    assert status(admission.acquire("2001:db8:0:1::3")) == 0


def test_all_together_have_so_many() -> None:
    admission = admitting(most=2, most_per_client=100)
    slots = [admission.acquire(each) for each in ("192.0.2.1", "192.0.2.2", "192.0.2.3")]
    assert [status(each) for each in slots] == [0, 0, 503]
    assert slots[0] is not None
    admission.release(slots[0])
    assert status(admission.acquire("192.0.2.3")) == 0


def test_few_rejected_ones_get_an_answer_and_the_others_none() -> None:
    admission = admitting(most=0, most_per_client=0)
    slots = [admission.acquire("192.0.2.1") for _ in range(MOST_REJECTED + 2)]
    assert [status(each) for each in slots] == [503] * MOST_REJECTED + [444] * 2
    assert slots[0] is not None
    admission.release(slots[0])
    assert status(admission.acquire("192.0.2.1")) == 503


def test_behind_a_proxy_each_client_is_counted() -> None:
    admission = admitting(most=100, most_per_client=1)
    slots = [admission.acquire("10.0.0.1", is_proxy=True) for _ in range(4)]
    for slot, client in zip(slots, ("192.0.2.1", "192.0.2.1", "192.0.2.2"), strict=False):
        assert slot is not None
        admission.identify(slot, client)
    assert [status(each) for each in slots] == [0, 429, 0, 0]
    assert [each and each.address for each in slots] == [
        "192.0.2.1",
        "192.0.2.1",
        "192.0.2.2",
        "10.0.0.1",
    ]


def test_a_rejected_connection_gets_an_address_and_stays_rejected() -> None:
    admission = admitting(most=0, most_per_client=5)
    slot = admission.acquire("10.0.0.1", is_proxy=True)
    assert slot is not None
    admission.identify(slot, "192.0.2.1")
    assert (slot.address, status(slot)) == ("192.0.2.1", 503)


@given(st.lists(st.tuples(st.sampled_from(ADDRESSES), st.booleans(), st.booleans()), max_size=60))
def test_every_connection_is_counted_once(
    connections: list[tuple[str, bool, bool]],
) -> None:
    """Compare with counting all open connections each time; `closes` closes the oldest first."""
    admission = admitting(most=6, most_per_client=2)
    admitted: list[tuple[ConnectionSlot, str]] = []
    rejected: list[ConnectionSlot] = []
    for address, through_proxy, closes in connections:
        if closes and admitted:
            admission.release(admitted.pop(0)[0])
        if closes and rejected:
            admission.release(rejected.pop(0))
        slot = admission.acquire(address, is_proxy=through_proxy)
        assert slot is not None
        if through_proxy:
            admission.identify(slot, address)
        client = counted_as(address)
        if len(admitted) >= 6:
            assert status(slot) == 503
        elif Counter(each for _, each in admitted)[client] >= 2:
            assert status(slot) == 429
        else:
            assert status(slot) == 0
        if slot.rejection is None:
            admitted.append((slot, client))
        else:
            rejected.append(slot)
