"""This machine's addresses, and those at which a server is reached."""

import asyncio
import ipaddress
import socket
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from types import SimpleNamespace
from typing import Any

import ifaddr
import pytest
from tests.cases import each
from tests.deploy.system_calls import skip_without_library

from boxroom_server.net import addresses as module
from boxroom_server.net.addresses import (
    bound_addresses,
    lan_addresses,
    listen,
    reachable_hosts,
    reached_at,
)

ROOT = Path(__file__).parents[3]


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="needs IPv6")
async def test_port_0_is_tried_again_if_another_program_takes_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loop = asyncio.get_running_loop()
    create_server = loop.create_server
    with socket.socket() as other:

        async def late(protocol: Any, host: Any, port: int) -> asyncio.Server:
            if port != 0 and other.getsockname()[1] == 0:
                other.bind(("0.0.0.0", port))
                other.listen()
            return await create_server(protocol, host, port)

        monkeypatch.setattr(loop, "create_server", late)
        listener = await listen(asyncio.Protocol, None, 0, port_flag="--port")
        ports = {each.getsockname()[1] for each in listener.sockets}
        listener.close()
        await listener.wait_closed()
        assert len(ports) == 1
        assert other.getsockname()[1] not in {0, *ports}


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


def test_a_server_goes_without_addresses_that_it_may_not_learn() -> None:
    skip_without_library()
    program = dedent("""
        import errno, socket
        from tests.deploy.system_calls import Filter
        from boxroom_server.net.addresses import lan_addresses

        without_netlink = Filter()
        without_netlink.add("socket", 0, 255, socket.AF_NETLINK, refusal=errno.EAFNOSUPPORT)
        without_netlink.install()
        print(lan_addresses())
    """)
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, cwd=ROOT, capture_output=True, text=True
    )
    assert done.stdout == "[]\n"
    assert "Address family not supported" in done.stderr


@each(
    "bound, reached",
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


@each("v6_only, bound", [(True, ["::"]), (False, ["::", "0.0.0.0"])])
def test_a_socket_for_both_versions_is_bound_to_both(v6_only: bool, bound: list[str]) -> None:
    with socket.create_server(
        ("::", 0), family=socket.AF_INET6, dualstack_ipv6=not v6_only
    ) as listening:
        assert bound_addresses([listening]) == bound


@pytest.mark.parametrize(
    ("bound", "hosts"),
    [
        (["0.0.0.0", "::"], ["192.168.1.3", "2001:db8::2", "localhost"]),
        (["0.0.0.0"], ["192.168.1.3", "localhost"]),
        (["::"], ["2001:db8::2", "::1"]),
        (["192.168.1.3"], ["192.168.1.3"]),
        (["127.0.0.1", "::1"], ["127.0.0.1", "::1"]),
        (["fe80::1%eth0"], ["fe80::1%eth0"]),
    ],
)
def test_hosts_are_shown_that_reach_the_sockets(
    bound: list[str], hosts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "lan_addresses", lambda: ["192.168.1.3", "2001:db8::2"])
    monkeypatch.setattr(module, "_addresses_of", lambda name: {"127.0.0.1"})
    assert reachable_hosts(bound) == hosts
