"""Addresses of etcd clusters."""

from pathlib import Path

import pytest
from tests.cases import each

from boxroom_server.storage.etcd.address import EtcdAddress, TlsFiles, parse_address

ONE_LOOP = True


@each(
    "text, address",
    [
        ("etcd://one", EtcdAddress(("one:2379",))),
        ("etcd://one:1,two", EtcdAddress(("one:1", "two:2379"))),
        ("etcd://[2001:db8::1]:99,[::1]", EtcdAddress(("[2001:db8::1]:99", "[::1]:2379"))),
        ("etcd://one/games/boxroom/", EtcdAddress(("one:2379",), "games/boxroom")),
        ("etcd://ada:p%40ss@one", EtcdAddress(("one:2379",), user="ada", password="p@ss")),
        ("etcds://one", EtcdAddress(("one:2379",), tls=TlsFiles())),
    ],
)
def test_an_address_has_endpoints_a_prefix_a_login_and_tls(text: str, address: EtcdAddress) -> None:
    assert parse_address(text) == address


def test_files_for_tls_count_with_tls_alone() -> None:
    files = TlsFiles(Path("ca.pem"))
    assert parse_address("etcds://one", files).tls == files
    assert parse_address("etcd://one", files).tls is None


def test_a_password_is_not_shown() -> None:
    assert "secret" not in repr(parse_address("etcd://ada:secret@one"))


@each("text", ["one", "http://one", "etcd://", "etcd://one,", "etcd://one:0", "etcd://one:70000"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"etcd|HOST"):
        parse_address(text)
