"""Addresses of clients, behind trusted and untrusted proxies."""

from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_server.net.client_address import (
    counted_as,
    forwarded_for,
    is_within,
    plain_address,
)
from boxroom_server.options import parse_networks

PROXY, FRONT_PROXY = "10.0.0.1", "10.0.0.2"
TRUSTED = parse_networks("10.0.0.0/8, fd00::/8")
ADDRESSES = st.ip_addresses().map(str)


@each(
    "headers, client",
    [
        (["192.0.2.7"], "192.0.2.7"),
        ([" 2001:db8::7 "], "2001:db8::7"),
        (["::ffff:192.0.2.7"], "192.0.2.7"),
        (["198.51.100.9, 192.0.2.7"], "192.0.2.7"),
        (["198.51.100.9", "192.0.2.7"], "192.0.2.7"),
        ([f"192.0.2.7, {FRONT_PROXY}"], "192.0.2.7"),
        ([f"198.51.100.9, 192.0.2.7, fd00::1, {FRONT_PROXY}"], "192.0.2.7"),
        ([f"{FRONT_PROXY}"], FRONT_PROXY),
        ([], PROXY),
        ([""], PROXY),
        (["unknown"], PROXY),
        (["192.0.2.7, unknown"], PROXY),
        (["192.0.2.7,"], PROXY),
    ],
)
def test_the_client_is_who_the_last_trusted_proxy_was_called_by(
    headers: list[str], client: str
) -> None:
    assert forwarded_for(PROXY, headers, TRUSTED) == client


def test_who_isnt_trusted_can_say_what_it_likes() -> None:
    assert forwarded_for("192.0.2.7", ["198.51.100.9"], TRUSTED) == "192.0.2.7"
    assert forwarded_for(PROXY, ["198.51.100.9"], ()) == PROXY


@given(st.lists(ADDRESSES, max_size=5), ADDRESSES)
def test_what_a_client_makes_up_changes_nothing(made_up: list[str], client: str) -> None:
    alone = forwarded_for(PROXY, [client], TRUSTED)
    if not is_within(plain_address(client), TRUSTED):
        assert forwarded_for(PROXY, [", ".join([*made_up, client])], TRUSTED) == alone


@each("text", ["", "localhost", "1.2.3", "1.2.3.4:80", "[::1]", "1.2.3.4/8"])
def test_what_is_no_address(text: str) -> None:
    assert plain_address(text) == ""


def test_the_zone_of_an_address_says_nothing_about_whose_it_is() -> None:
    assert plain_address("fe80::1%eth0") == "fe80::1"


def test_nobody_is_in_no_network() -> None:
    assert is_within(PROXY, TRUSTED)
    assert not is_within("192.0.2.7", TRUSTED)
    assert not is_within("", TRUSTED)


def test_ipv4_addresses_count_alone_and_those_of_an_ipv6_site_together() -> None:
    assert counted_as("192.0.2.7") == "192.0.2.7"
    assert counted_as("") == ""
    assert counted_as("2001:db8:0:1::7") == counted_as("2001:db8:0:1:ffff::") == "2001:db8:0:1::/64"
    assert counted_as("2001:db8:0:2::7") != counted_as("2001:db8:0:1::7")
