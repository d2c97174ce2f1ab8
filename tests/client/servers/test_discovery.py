"""Discovery of servers, by real multicast on the loopback interface."""

import asyncio
import ipaddress
import socket
import struct
from collections.abc import Callable

import pytest
from tests.cases import each
from tests.loopback import LOOPBACK, hurry, needs_multicast, own_name
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from boxroom_client.servers import discovery as module
from boxroom_client.servers.address import Address
from boxroom_client.servers.discovery import (
    NAME_CHARS,
    Discovery,
    FoundServer,
    SearchResult,
    find_servers,
    read_announcement,
)
from boxroom_engine.wire.announcement import SERVICE_TYPE
from boxroom_engine.wire.messages import PROTOCOL
from boxroom_server.ops.announce import announced

LIMIT_S = 20.0
OWN = [ipaddress.ip_interface("192.168.1.3/24")]


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch)


def service(
    label: str = "Boxroom on kiwa",
    *,
    port: int | None = 8765,
    protocol: str | None = str(PROTOCOL),
    addresses: tuple[str, ...] = ("192.168.1.20",),
) -> AsyncServiceInfo:
    return AsyncServiceInfo(
        SERVICE_TYPE,
        f"{label}.{SERVICE_TYPE}",
        port,
        properties={} if protocol is None else {"protocol": protocol},
        server="kiwa.local.",
        parsed_addresses=list(addresses),
    )


async def until(discovery: Discovery, condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(LIMIT_S):
        while not condition():
            await discovery.changed()


# By multicast


@needs_multicast
async def test_a_server_comes_and_goes() -> None:
    name = own_name()
    expected = FoundServer(name, Address("127.0.0.1", 4000), PROTOCOL)
    async with Discovery(LOOPBACK) as discovery:
        assert discovery.error is None
        async with announced(4000, name=name, version="1", addresses=LOOPBACK, interfaces=LOOPBACK):
            await until(discovery, lambda: expected in discovery.servers)
        await until(discovery, lambda: expected not in discovery.servers)


@needs_multicast
async def test_a_server_that_was_there_before_is_found() -> None:
    name = own_name()
    registered = asyncio.Event()
    async with (
        announced(
            4000,
            name=name,
            version="1",
            addresses=LOOPBACK,
            interfaces=LOOPBACK,
            report=lambda _: registered.set(),
        ),
        asyncio.timeout(LIMIT_S),
    ):
        await registered.wait()
        async with Discovery(LOOPBACK) as discovery:
            await until(discovery, lambda: name in {one.name for one in discovery.servers})


@needs_multicast
async def test_a_search_takes_its_time_and_no_longer() -> None:
    async with asyncio.timeout(LIMIT_S):
        result = await find_servers(wait_s=0.01, interfaces=LOOPBACK)
    assert result.error is None


# Reading announcements


@each(
    "announcement, name",
    [
        (service(), "Boxroom on kiwa"),
        (service("\u202e\u200bdoor\u2066"), "door"),
        (service("x" * 60), "x" * NAME_CHARS),
        (service("x" * (NAME_CHARS - 1) + "  y"), "x" * (NAME_CHARS - 1)),
        (service("\u202e"), "192.168.1.20:8765"),
        (service("a.b"), "a.b"),
    ],
)
def test_a_name_is_fit_to_be_shown(announcement: AsyncServiceInfo, name: str) -> None:
    server = read_announcement(announcement, OWN)
    assert server == FoundServer(name, Address("192.168.1.20"), PROTOCOL)


@each(
    "announcement",
    [
        service(port=None),
        service(port=0),
        service(protocol=None),
        service(protocol="one"),
        service(addresses=()),
        service(addresses=("fe80::1",)),
    ],
)
def test_what_nobody_could_join_is_left_out(announcement: AsyncServiceInfo) -> None:
    assert read_announcement(announcement, OWN) is None


@each("protocol, why", [(PROTOCOL, None), (PROTOCOL - 1, "older"), (PROTOCOL + 1, "newer")])
def test_a_server_with_another_protocol_says_why_not(protocol: int, why: str | None) -> None:
    server = read_announcement(service(protocol=str(protocol)), OWN)
    assert server is not None
    assert server.protocol == protocol
    if why is None:
        assert server.incompatibility is None
    else:
        assert server.incompatibility is not None
        assert f"it is {why} than this program" in server.incompatibility


# Strange networks


def pointer(label: str, ttl_s: int = 4500) -> bytes:
    """Return a message that announces the service `label`, or withdraws it if `ttl_s` is 0."""
    labels = [part.encode() for part in SERVICE_TYPE.split(".")]
    kind = b"".join(bytes([len(part)]) + part for part in labels)
    alias = bytes([len(label.encode())]) + label.encode() + kind
    # RFC 1035, section 4.1: an authoritative response with one answer, a PTR in the class IN.
    head = struct.pack(">6H", 0, 0x8400, 0, 1, 0, 0)
    return head + kind + struct.pack(">HHIH", 12, 1, ttl_s, len(alias)) + alias


def shout(*messages: bytes) -> None:
    """Send the packets by multicast."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        here = socket.inet_aton(LOOPBACK[0])
        sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, here)
        for message in messages:
            sender.sendto(message, ("224.0.0.251", 5353))


@needs_multicast
async def test_more_is_asked_about_a_name_without_an_address() -> None:
    name = own_name()
    async with AsyncZeroconf(LOOPBACK) as zeroconf, Discovery(LOOPBACK) as discovery:
        zeroconf.zeroconf.registry.async_add(service(name, addresses=("127.0.0.1",)))
        shout(pointer(name))
        await until(discovery, lambda: name in {one.name for one in discovery.servers})


@needs_multicast
async def test_what_is_no_name_or_leads_nowhere_does_no_harm() -> None:
    name = own_name()
    async with Discovery(LOOPBACK) as discovery:
        shout(
            b"nonsense",
            pointer("\x07\x1b[31mbell"),
            pointer(f"{name} that goes"),
            pointer(f"{name} that goes", ttl_s=0),
            pointer(f"{name} that never answers"),
        )
        async with announced(4000, name=name, version="1", addresses=LOOPBACK, interfaces=LOOPBACK):
            await until(discovery, lambda: name in {one.name for one in discovery.servers})
        assert not any("bell" in one.name or " that " in one.name for one in discovery.servers)


@needs_multicast
async def test_what_can_no_longer_be_joined_is_taken_off_the_list() -> None:
    name = own_name()
    announcement = service(name, addresses=("127.0.0.1",))
    async with AsyncZeroconf(LOOPBACK) as zeroconf, Discovery(LOOPBACK) as discovery:
        await (await zeroconf.async_register_service(announcement))
        await until(discovery, lambda: name in {one.name for one in discovery.servers})
        without_protocol = service(name, protocol=None, addresses=("127.0.0.1",))
        await (await zeroconf.async_update_service(without_protocol))
        await until(discovery, lambda: name not in {one.name for one in discovery.servers})


@needs_multicast
async def test_two_names_for_one_address_are_one_server() -> None:
    name = own_name()
    async with (
        Discovery(LOOPBACK) as discovery,
        announced(4001, name=name, version="1", addresses=LOOPBACK, interfaces=LOOPBACK),
    ):
        await until(discovery, lambda: name in {one.name for one in discovery.servers})
        again = f"{name} again"
        async with announced(
            4001, name=again, version="1", addresses=LOOPBACK, interfaces=LOOPBACK
        ):
            await until(discovery, lambda: again in {one.name for one in discovery.servers})
            assert name not in {one.name for one in discovery.servers}


@needs_multicast
async def test_there_is_an_end_to_the_list() -> None:
    name = own_name()
    async with (
        Discovery(LOOPBACK, most=0) as full,
        Discovery(LOOPBACK) as discovery,
        announced(4000, name=name, version="1", addresses=LOOPBACK, interfaces=LOOPBACK),
    ):
        await until(discovery, lambda: name in {one.name for one in discovery.servers})
        assert full.servers == ()


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (PermissionError(13, "Permission denied"), "Permission denied"),
        (RuntimeError("No interfaces to listen on"), "there is no IPv4 network here"),
        (OSError(), "OSError()"),
    ],
)
async def test_a_network_that_cant_be_searched_is_told(
    error: Exception, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(interfaces: object) -> AsyncZeroconf:
        raise error

    monkeypatch.setattr(module, "AsyncZeroconf", fail)
    async with asyncio.timeout(LIMIT_S):
        assert await find_servers(wait_s=LIMIT_S) == SearchResult((), message)
