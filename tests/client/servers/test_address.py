import ipaddress
import re
import traceback
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_client.servers.address import Address, Destination
from boxroom_engine.room.text import clean
from boxroom_engine.wire.ports import DEFAULT_PORT, HTTP_PORT, TLS_PORT
from boxroom_engine.wire.urls import UrlError

labels = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?", fullmatch=True).filter(
    lambda label: not label.startswith("xn--")
)
hosts = (
    st.lists(labels, min_size=1, max_size=4).map(".".join)
    | st.ip_addresses(v=4).map(str)
    | st.ip_addresses(v=6).map(lambda ip: str(ipaddress.IPv6Address(ip).ipv4_mapped or ip))
    | st.sampled_from(["fe80::1%eth0", "fe80::2:1%br-4.7", "fe80::1%3"])
)
paths = st.lists(st.from_regex(r"[A-Za-z0-9._~%-]{1,8}", fullmatch=True), max_size=3).map(
    lambda parts: "".join(f"/{part}" for part in parts)
)
addresses = st.builds(
    Address, host=hosts, port=st.integers(1, 65_535), secure=st.booleans(), path=paths
)
rooms = st.text(min_size=1).map(clean).filter(lambda room: room and room.encode())


@given(addresses)
def test_parse_and_str_are_a_pair(address: Address) -> None:
    assert Address.parse(str(address)) == address
    assert Address.parse(address.url) == address


@given(addresses, rooms)
def test_every_form_that_is_printed_leads_to_the_same_room(address: Address, room: str) -> None:
    destination = Destination(address, room)
    assert Destination.parse(str(destination)) == destination
    assert Destination.parse(str(address)) == Destination(address)
    if address.page is not None:
        assert Destination.parse(str(address.page)) == Destination(address)
        assert Destination.parse(address.page.to_room(room)) == destination


@given(addresses, st.sampled_from(["{}/", "  {} ", "<{}>", "{}#", "\u200b{}\n"]))
def test_however_it_is_written_it_is_one_server(address: Address, form: str) -> None:
    text = form.format(address.url.replace("ws", "WS", 1))
    written = Destination.parse(text).address
    assert written == address
    assert written.canonical.url == address.url
    assert Address.parse(written.url).url == written.url, "a proxy may need the final slash"


@given(st.text() | st.text("ws:/[].1a%", max_size=20))
def test_any_text_is_an_address_or_a_clear_error(text: str) -> None:
    with suppress(UrlError):
        address = Address.parse(text)
        assert Address.parse(str(address)) == address
        assert address.url.isascii()


@each(
    "text, address",
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
        ("localhost.", Address("localhost")),
        ("LOCALHOST.:9000/", Address("localhost", 9000)),
        ("localhost/", Address("localhost")),
        ("localhost/boxroom", Address("localhost", path="/boxroom")),
        ("http://192.168.1.5:8765/", Address("192.168.1.5")),
        ("HTTP://192.168.1.5", Address("192.168.1.5", HTTP_PORT)),
        ("https://play.example.org/", Address("play.example.org", TLS_PORT, True)),
        ("https://play.example.org:8765/b/", Address("play.example.org", 8765, True, "/b")),
        ("<http://192.168.1.5:8765/>", Address("192.168.1.5")),
        ("ws://::1", Address("::1")),
        ("0:0:0:0:0:0:0:1", Address("::1")),
        ("[FE80::1%eth0]:9000", Address("fe80::1%eth0", 9000)),
        ("fe80::1%Eth0", Address("fe80::1%Eth0")),
        ("http://[fe80::1%25eth0]:9000/", Address("fe80::1%eth0", 9000)),
        ("[fe80::1%255]", Address("fe80::1%255")),
        ("::ffff:192.168.1.5", Address("192.168.1.5")),
        ("[::ffff:c0a8:105]:80", Address("192.168.1.5", 80)),
    ],
)
def test_what_people_type(text: str, address: Address) -> None:
    assert Address.parse(text) == address


@each(
    "address, text, url",
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


@each(
    "text, hint",
    [
        ("", "isn't a host"),
        ("ftp://localhost", "starts with ws://, wss://, http:// or https://"),
        ("localhost:port", "ports are numbers"),
        ("localhost:", "ports are numbers"),
        ("localhost:0", "ports are numbers"),
        ("localhost:65536", "ports are numbers"),
        ("localhost:٣", "ports are numbers"),
        ("[::1", "like [2001:db8::5]:8765"),
        ("[::1]8765", "like [2001:db8::5]:8765"),
        ("[localhost]:80", "like [2001:db8::5]:8765"),
        ("1:2:3", "isn't an IPv6 address"),
        ("fe80::1%", "zone"),
        ("fe80::1%a b", "zone"),
        ("[fe80::1%eth0/8]", "like [2001:db8::5]:8765"),
        ("a b", "isn't a host"),
        ("-a", "isn't a host"),
        ("a..b", "isn't a host"),
        (".", "isn't a host"),
        ("a" * 10_000, "isn't a host"),
        ("ws://localhost/a b", "can't be the path"),
        ("ws://localhost/a?b", "no question mark"),
        ("http://localhost/?a#b", "no question mark"),
        ("ws://localhost#b", "no room here"),
    ],
)
def test_mistakes_are_answered_with_what_is_wrong(text: str, hint: str) -> None:
    with pytest.raises(UrlError, match=re.escape(hint)) as raised:
        Address.parse(text)
    assert len(str(raised.value)) < 300


@each(
    "text",
    [
        "ann:s3cret@localhost",
        "ws://ann:s3cret@localhost:9000/boxroom",
        "https://s3cret@localhost/#kiwa",
        "ws://ann:s3/cret@localhost",
        "ws://ann:s3#cret@localhost",
        "s3cret://ann@localhost",
        "<ws://ann:s3cret@[::1]>",
    ],
)
def test_a_password_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(UrlError, match="leave out user name and password") as raised:
        Destination.parse(text)
    shown = "".join(traceback.format_exception(raised.value, chain=True))
    assert "cret" not in str(raised.value)
    assert "s3" not in shown.rpartition("UrlError")[2]


@each(
    "text, room",
    [
        ("http://192.168.1.5:8765/#kiwa-tobe", "kiwa-tobe"),
        ("192.168.1.5#Kiwa", "Kiwa"),
        ("ws://192.168.1.5/#Zo%C3%AB%202", "Zoë 2"),
        ("192.168.1.5:8765/#Zoë 2", "Zoë 2"),
        ("192.168.1.5#", None),
        ("<http://192.168.1.5:8765/#a%2Fb>", "a/b"),
    ],
)
def test_the_room_is_behind_the_hash(text: str, room: str | None) -> None:
    assert Destination.parse(text) == Destination(Address("192.168.1.5"), room)


def test_a_room_that_isnt_text_is_refused() -> None:
    with pytest.raises(UrlError, match="can't be the room"):
        Destination.parse("localhost#%ff")


def test_the_link_of_an_identity_is_for_a_browser_and_its_secret_isnt_repeated() -> None:
    page = Address("192.168.1.5").page
    assert page is not None
    link = page.for_identity("the-pad", "c0de", "kiwa", watch=True)
    with pytest.raises(UrlError, match="open it there") as raised:
        Destination.parse(link)
    assert "pad" not in str(raised.value)


@each(
    "text, is_here",
    [
        ("ws://a.org:8765/b/", True),
        ("ws://a.org:8765/b", True),
        ("a.org/b", True),
        ("ws://a.org:8765", False),
        ("wss://a.org:8765/b", False),
        ("?", False),
    ],
)
def test_what_is_stored_is_found_however_it_was_spelt(text: str, is_here: bool) -> None:
    assert Address("a.org", path="/b").is_stored_as(text) == is_here


@each(
    "address, page",
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


def test_browsers_take_no_zone() -> None:
    assert Address.parse("fe80::1%eth0").page is None


def test_a_server_of_a_cluster_stands_in_the_url_alone() -> None:
    for text, url in (
        ("play.example.org", "ws://play.example.org:8765/?at=node+2"),
        ("wss://play.example.org/games", "wss://play.example.org:443/games?at=node+2"),
        ("wss://play.example.org/games/", "wss://play.example.org:443/games/?at=node+2"),
    ):
        anywhere = Address.parse(text)
        there = replace(anywhere, at="node 2")
        assert there.url == url
        assert (str(there), there) == (str(anywhere), anywhere)
        assert there.canonical.url == anywhere.canonical.url
