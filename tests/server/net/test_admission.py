"""How many connections there may be, in all and from one client."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from boxroom_server.net.admission import TOLD, Admission, Ticket
from boxroom_server.net.client_address import counted_as

ADDRESSES = ("192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2", "")


def status(ticket: Ticket | None) -> int:
    """The HTTP status that it is turned away with; 0 if it isn't, 444 if it is just cut."""
    if ticket is None:
        return 444
    return 0 if ticket.turned is None else ticket.turned.status


def test_an_address_has_so_many_and_a_site_of_ipv6_is_one_address() -> None:
    admission = Admission(most=100, most_from_one=2)
    entering = ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2"]
    assert [status(admission.enter(each)) for each in entering] == [0, 0, 429, 0, 0, 0]
    assert status(admission.enter("2001:db8::3")) == 429
    assert status(admission.enter("2001:db8:0:1::3")) == 0


def test_all_together_have_so_many() -> None:
    admission = Admission(most=2, most_from_one=100)
    tickets = [admission.enter(each) for each in ("192.0.2.1", "192.0.2.2", "192.0.2.3")]
    assert [status(each) for each in tickets] == [0, 0, 503]
    assert tickets[0] is not None
    admission.leave(tickets[0])
    assert status(admission.enter("192.0.2.3")) == 0


def test_few_are_told_and_the_others_cut() -> None:
    admission = Admission(most=0, most_from_one=0)
    tickets = [admission.enter("192.0.2.1") for _ in range(TOLD + 2)]
    assert [status(each) for each in tickets] == [503] * TOLD + [444] * 2
    assert tickets[0] is not None
    admission.leave(tickets[0])
    assert status(admission.enter("192.0.2.1")) == 503


def test_behind_a_proxy_each_client_is_counted() -> None:
    admission = Admission(most=100, most_from_one=1)
    tickets = [admission.enter("10.0.0.1", is_proxy=True) for _ in range(4)]
    for ticket, client in zip(tickets, ("192.0.2.1", "192.0.2.1", "192.0.2.2"), strict=False):
        assert ticket is not None
        admission.identify(ticket, client)
    assert [status(each) for each in tickets] == [0, 429, 0, 0]
    assert [each and each.address for each in tickets] == [
        "192.0.2.1",
        "192.0.2.1",
        "192.0.2.2",
        "10.0.0.1",
    ]


def test_who_was_turned_away_already_is_only_named() -> None:
    admission = Admission(most=0, most_from_one=5)
    ticket = admission.enter("10.0.0.1", is_proxy=True)
    assert ticket is not None
    admission.identify(ticket, "192.0.2.1")
    assert (ticket.address, status(ticket)) == ("192.0.2.1", 503)


@given(st.lists(st.tuples(st.sampled_from(ADDRESSES), st.booleans(), st.booleans()), max_size=60))
def test_nobody_is_forgotten_and_nobody_counted_twice(
    comings: list[tuple[str, bool, bool]],
) -> None:
    """Against counting who is in anew each time; `goes` has the oldest go first."""
    admission = Admission(most=6, most_from_one=2)
    inside: list[tuple[Ticket, str]] = []
    told: list[Ticket] = []
    for address, through_proxy, goes in comings:
        if goes and inside:
            admission.leave(inside.pop(0)[0])
        if goes and told:
            admission.leave(told.pop(0))
        ticket = admission.enter(address, is_proxy=through_proxy)
        assert ticket is not None
        if through_proxy:
            admission.identify(ticket, address)
        client = counted_as(address)
        if len(inside) >= 6:
            assert status(ticket) == 503
        elif Counter(each for _, each in inside)[client] >= 2:
            assert status(ticket) == 429
        else:
            assert status(ticket) == 0
        if ticket.turned is None:
            inside.append((ticket, client))
        else:
            told.append(ticket)
