"""This machine's addresses, and those at which a server is reached."""

import ipaddress
from types import SimpleNamespace

import ifaddr
import pytest

from boxroom_server.net.addresses import lan_addresses, reached_at


def test_addresses_of_this_machine_are_addresses_and_not_loopback() -> None:
    for text in lan_addresses():
        assert not ipaddress.ip_address(text).is_loopback


def test_ipv4_comes_first_and_unusable_addresses_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ips = [
        ("fe80::1", 0, 2),
        ("2001:db8::2", 0, 0),
        ("::1", 0, 0),
        "127.0.0.1",
        "192.168.1.20",
        "192.168.1.3",
        "192.168.1.3",
    ]
    adapters = [SimpleNamespace(ips=[SimpleNamespace(ip=ip)]) for ip in ips]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters)
    assert lan_addresses() == ["192.168.1.3", "192.168.1.20", "2001:db8::2"]


@pytest.mark.parametrize(
    ("bound", "reached"),
    [
        (["0.0.0.0", "::"], ["192.168.1.3", "10.0.0.3", "2001:db8::2"]),
        (["0.0.0.0"], ["192.168.1.3", "10.0.0.3"]),
        (["::"], ["2001:db8::2"]),
        (["10.0.0.3"], ["10.0.0.3"]),
        (["127.0.0.1", "::1"], []),
    ],
)
def test_a_server_is_reached_where_it_listens(bound: list[str], reached: list[str]) -> None:
    assert reached_at(["192.168.1.3", "10.0.0.3", "2001:db8::2"], bound) == reached
