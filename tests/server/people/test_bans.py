"""Bans of names, addresses and networks."""

from ipaddress import ip_address, ip_network

from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.server.manual_clock import ManualClock

from boxroom_server.people.bans import Bans
from boxroom_server.storage.memory.storage import MemoryLedger

addresses = st.ip_addresses(v=4, network="10.0.0.0/28") | st.ip_addresses(
    v=6, network="2001:db8::/124"
)
networks = st.builds(
    lambda address, bits: f"{address}/{min(bits, address.max_prefixlen)}",
    addresses,
    st.sampled_from((0, 8, 28, 30, 31, 32, 124, 126, 128)),
)


def bans() -> Bans:
    return Bans(MemoryLedger(), ManualClock())


some_networks = st.lists(networks, max_size=5)


@given(banned=some_networks, unbanned=some_networks, who=addresses)
def test_an_address_is_banned_if_a_network_around_it_is(
    banned: list[str], unbanned: list[str], who: object
) -> None:
    kept, naive = bans(), set()
    for network in banned:
        kept.ban(network, "")
        naive.add(ip_network(network, strict=False))
    for network in unbanned:
        assert (kept.unban(network) is not None) == (ip_network(network, strict=False) in naive)
        naive.discard(ip_network(network, strict=False))
    is_banned = any(ip_address(str(who)) in network for network in naive)
    assert (kept.of_address(str(who)) is not None) == is_banned
    assert len(kept.all()) == len(naive)


@each("text", ["::ffff:192.0.2.1", "192.0.2.1"])
def test_addresses_are_compared_as_what_they_are(text: str) -> None:
    kept = bans()
    kept.ban("192.0.2.1", "")
    assert kept.of_address(text) is not None


def test_an_unknown_address_is_under_no_ban() -> None:
    kept = bans()
    kept.ban("0.0.0.0/0", "")
    assert kept.of_address("") is None
    assert kept.of_address("192.0.2.1") is not None


def test_a_name_is_banned_however_it_is_written() -> None:
    kept = bans()
    kept.ban("Ada", "rude")
    ban = kept.of_name("ＡDA")
    assert ban is not None
    assert (ban.who, ban.reason) == ("ada", "rude")
    assert kept.of_name("Adam") is None


def test_names_of_earlier_versions_can_be_banned() -> None:
    name = "Ada\U00016fe4"
    register = bans()
    assert register.ban(name, "") is not None
    assert register.of_name(name) is not None
    assert register.of_name("Ada") is None
