"""Lists of origins of web pages and of host names, and hosts that no stranger can direct here."""

import pytest
from tests.cases import each

from boxroom_engine.wire.origins import (
    LOCAL_NAMES,
    as_host,
    is_same_origin,
    is_trusted_host,
    parse_host_names,
    parse_origins,
)

NAMES = {"attic", "games.example.org"}


def test_origins_are_separated_by_commas() -> None:
    assert parse_origins("") == frozenset()
    assert parse_origins("https://A.example, http://localhost:8000") == {
        "https://a.example",
        "http://localhost:8000",
    }


@each("text", ["example.org", "*", "https://example.org/", "https://a b", "null"])
def test_a_malformed_origin_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"an origin is like https://example\.org"):
        parse_origins(text)


def test_host_names_are_separated_by_commas() -> None:
    assert parse_host_names(" Boxroom, games.example.org,") == {"boxroom", "games.example.org"}
    assert parse_host_names("") == frozenset()


@each("text", ["a:80", "https://a", "a b", ".example.org", "*.example.org", "a/", "-a", "[::1]"])
def test_a_malformed_host_name_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"a host name is like games\.example\.org"):
        parse_host_names(text)


@each(
    "host",
    [
        "127.0.0.1",
        "192.0.2.7:9464",
        "192.168.1.20:",
        "[::1]",
        "[::1]:9464",
        "localhost",
        "LocalHost:80",
        "attic:1",
        "Games.Example.org",
    ],
)
def test_addresses_and_given_names_are_trusted(host: str) -> None:
    assert is_trusted_host(host, NAMES)


@each(
    "host",
    [
        "",
        ":80",
        "evil.example",
        "evil.example:9464",
        "127.0.0.1.evil.example",
        "attic.evil.example",
        "evil.games.example.org",
        "localhost.",
        "localhost@evil.example",
        "[evil.example]",
        "[attic]",
        "localhost, evil.example",
        "a:b:c",
        "[]",
        ".",
        "my-pc.local",
        "local",
    ],
)
def test_other_names_are_not(host: str) -> None:
    assert not is_trusted_host(host, NAMES)


@each(
    "host, trusted",
    [
        ("my-pc.local:8765", True),
        ("a.b.LOCAL", True),
        ("local", False),
        ("local.evil.example", False),
        ("mylocal", False),
        ("my-pc.local.", False),
        (".local", False),
        ("evil.example/.local", False),
        ("evil.example@my-pc.local", False),
        ("evil.example\\.local", False),
        ("\u212alaus.local", False),
    ],
)
def test_a_name_with_a_leading_dot_stands_for_all_that_end_so(host: str, *, trusted: bool) -> None:
    assert is_trusted_host(host, {LOCAL_NAMES}) is trusted


@each(
    "origin, host, secure, same",
    [
        ("http://192.0.2.1:8765", "192.0.2.1:8765", False, True),
        ("HTTP://A.local", "a.LOCAL", False, True),
        ("https://a.example", "a.example", True, True),
        ("http://[::1]:8765", "[::1]:8765", False, True),
        ("https://192.0.2.1:8765", "192.0.2.1:8765", False, False),
        ("http://192.0.2.1:8765", "192.0.2.1:8765", True, False),
        ("http://192.0.2.1:8766", "192.0.2.1:8765", False, False),
        ("http://192.0.2.1", "192.0.2.1:8765", False, False),
        ("http://192.0.2.10:8765", "192.0.2.1:8765", False, False),
        ("null", "null", False, False),
        ("", "", False, False),
    ],
)
def test_a_page_is_of_the_same_origin_by_scheme_host_and_port(
    origin: str, host: str, *, secure: bool, same: bool
) -> None:
    assert is_same_origin(origin, host, secure=secure) is same


def test_ipv6_stands_in_brackets_before_a_port() -> None:
    assert as_host("2001:db8::2") == "[2001:db8::2]"
    assert as_host("192.168.1.3") == "192.168.1.3"
    assert as_host("localhost") == "localhost"
