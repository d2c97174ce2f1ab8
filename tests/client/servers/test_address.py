import ipaddress
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxroom_client.servers.address import Address, AddressError
from boxroom_engine.wire.ports import DEFAULT_PORT, TLS_PORT

labels = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?", fullmatch=True).filter(
    lambda label: not label.startswith("xn--")
)
hosts = (
    st.lists(labels, min_size=1, max_size=4).map(".".join)
    | st.ip_addresses(v=4).map(str)
    | st.ip_addresses(v=6).map(lambda ip: ipaddress.IPv6Address(ip).compressed)
)
paths = st.lists(st.from_regex(r"[A-Za-z0-9._~%-]{1,8}", fullmatch=True), max_size=3).map(
    lambda parts: "".join(f"/{part}" for part in parts)
)
addresses = st.builds(
    Address, host=hosts, port=st.integers(1, 65_535), secure=st.booleans(), path=paths
)


@given(addresses)
def test_parse_and_str_are_a_pair(address: Address) -> None:
    assert Address.parse(str(address)) == address
    assert Address.parse(address.url) == address


@given(st.text() | st.text("ws:/[].1a%", max_size=20))
def test_any_text_is_an_address_or_a_clear_error(text: str) -> None:
    with suppress(AddressError):
        address = Address.parse(text)
        assert Address.parse(str(address)) == address
        assert address.url.isascii()


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("localhost", Address("localhost", DEFAULT_PORT)),
        ("  LocalHost:9000 ", Address("localhost", 9000)),
        ("192.168.1.5:1", Address("192.168.1.5", 1)),
        ("[::1]:9000", Address("::1", 9000)),
        ("[::1]", Address("::1", DEFAULT_PORT)),
        ("::1", Address("::1", DEFAULT_PORT)),
        ("fe80:0:0:0::1", Address("fe80::1", DEFAULT_PORT)),
        ("ws://example.org", Address("example.org", DEFAULT_PORT)),
        ("WS://[::1]:80/", Address("::1", 80)),
        ("wss://example.org", Address("example.org", TLS_PORT, secure=True)),
        ("wss://example.org:8765/boxroom", Address("example.org", 8765, True, "/boxroom")),
        ("bücher.example", Address("xn--bcher-kva.example", DEFAULT_PORT)),
    ],
)
def test_what_people_type(text: str, address: Address) -> None:
    assert Address.parse(text) == address


@pytest.mark.parametrize(
    ("address", "text", "url"),
    [
        (Address("localhost"), "localhost:8765", "ws://localhost:8765"),
        (Address("::1", 80), "[::1]:80", "ws://[::1]:80"),
        (Address("a.b", 443, True), "wss://a.b:443", "wss://a.b:443"),
        (Address("a.b", 80, path="/x"), "ws://a.b:80/x", "ws://a.b:80/x"),
    ],
)
def test_how_it_is_written(address: Address, text: str, url: str) -> None:
    assert str(address) == text
    assert address.url == url


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "isn't a host"),
        ("http://localhost", "not http://"),
        ("localhost:port", "ports are numbers"),
        ("localhost:", "ports are numbers"),
        ("localhost:0", "ports are numbers"),
        ("localhost:65536", "ports are numbers"),
        ("localhost:٣", "ports are numbers"),
        ("localhost/room", "write it as ws://localhost/room"),
        ("[::1", "like [::1]:8765"),
        ("[::1]8765", "like [::1]:8765"),
        ("[localhost]:80", "like [::1]:8765"),
        ("1:2:3", "isn't an IPv6 address"),
        ("fe80::1%eth0", "zone"),
        ("a b", "isn't a host"),
        ("-a", "isn't a host"),
        ("a..b", "isn't a host"),
        ("ann@localhost", "isn't a host"),
        ("ws://localhost/a b", "can't be the path"),
        ("ws://localhost/a?b", "can't be the path"),
        ("ws://localhost#b", "isn't a host"),
    ],
)
def test_mistakes_are_answered_with_what_is_wrong(text: str, hint: str) -> None:
    with pytest.raises(AddressError, match=hint.replace("[", r"\[")):
        Address.parse(text)


@pytest.mark.parametrize(
    ("address", "page"),
    [
        ("192.168.1.5", "http://192.168.1.5:8765/"),
        ("[2001:db8::1]:80", "http://[2001:db8::1]/"),
        ("wss://example.org", "https://example.org/"),
        ("wss://example.org:8765/boxroom", "https://example.org:8765/boxroom/"),
        ("ws://a.org/b/", "http://a.org:8765/b/"),
    ],
)
def test_the_page_of_a_server_is_at_its_address(address: str, page: str) -> None:
    assert str(Address.parse(address).page) == page
