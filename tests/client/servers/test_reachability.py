"""The choice among the addresses of a server."""

import ipaddress
from types import SimpleNamespace

import ifaddr
import pytest
from tests.cases import each

from boxroom_client.servers.reachability import (
    best_address,
    is_own,
    lan_hosts,
    own_interfaces,
)
from boxroom_engine.wire.urls import is_loopback

OWN = [
    ipaddress.ip_interface(text)
    for text in ("127.0.0.1/8", "172.17.0.1/16", "192.168.1.3/24", "2001:db8::3/64", "::1/128")
]


@each(
    "addresses, taken",
    [
        (["192.168.1.20"], "192.168.1.20"),
        (["10.0.0.7", "192.168.1.20"], "192.168.1.20"),
        (["10.0.0.7", "2001:db8::7"], "2001:db8::7"),
        (["2001:db8::7", "192.168.1.20"], "192.168.1.20"),
        (["192.168.1.21", "192.168.1.20"], "192.168.1.20"),
        (["2001:db8:1::7", "10.0.0.7"], "10.0.0.7"),
        (["172.17.0.1", "192.168.1.20"], "192.168.1.20"),  # a bridge that every machine has
        (["172.17.0.1", "10.0.0.7"], "10.0.0.7"),
        (["172.17.0.1", "192.168.1.3"], "172.17.0.1"),  # the server runs here
        (["127.0.0.1", "192.168.1.20"], "192.168.1.20"),
        (["127.0.0.1"], "127.0.0.1"),
        (["fe80::1", "2001:db8::7"], "2001:db8::7"),
        (["fe80::1"], None),
        (["224.0.0.251", "0.0.0.0", "ff02::fb", "::"], None),
        ([], None),
    ],
)
def test_the_nearest_address_is_taken(addresses: list[str], taken: str | None) -> None:
    assert best_address(addresses, OWN) == taken
    assert best_address(addresses[::-1], OWN) == taken


def test_without_networks_one_takes_what_there_is() -> None:
    assert best_address(["2001:db8::7", "10.0.0.7"], []) == "10.0.0.7"


@each(
    "address, is_ours",
    [("192.168.1.3", True), ("127.0.0.9", True), ("192.168.1.4", False), ("2001:db8::3", True)],
)
def test_an_address_is_of_this_machine_or_not(address: str, is_ours: bool) -> None:
    assert is_own(address, OWN) is is_ours


def test_the_interfaces_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    ips = [("127.0.0.1", 8), (("fe80::1", 0, 2), 64)]
    adapter = SimpleNamespace(ips=[SimpleNamespace(ip=ip, network_prefix=n) for ip, n in ips])
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: [adapter])
    assert [str(interface) for interface in own_interfaces()] == ["127.0.0.1/8", "fe80::1/64"]


def test_addresses_for_others_are_this_machines_own() -> None:
    own = own_interfaces()
    for host in lan_hosts():
        assert is_own(host, own)
        assert not is_loopback(host)
