"""Addresses at which a server listens, and those at which it is reached."""

import asyncio
import errno
import ipaddress
import logging
import socket
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress

import ifaddr

from boxroom_engine.errors import BoxroomError
from boxroom_engine.wire.origins import as_host

logger = logging.getLogger(__name__)

UNSPECIFIED = ("0.0.0.0", "::")
"""The addresses that stand for all IPv4 and all IPv6 addresses of a machine."""


class CannotListen(BoxroomError, OSError):
    """An address that can't be bound; `str(error)` is a sentence."""


_MOST_PORTS_TRIED = 20
"""The number of ports of the system's choice that are tried on all addresses."""


async def listen(
    protocol: Callable[[], asyncio.Protocol], host: str | None, port: int, *, port_flag: str
) -> asyncio.Server:
    """Listen on the addresses of `host`, or on all if it is None, with one port.

    Port 0 is any port that is free on all of them.

    Raises:
        CannotListen: one of them can't be bound; `port_flag` is the flag for another port.
    """
    listener = await _bind(protocol, host, port, port_flag)
    failures = 0
    while len(ports := {each.getsockname()[1] for each in listener.sockets}) > 1:
        # Port 0 was one port for IPv4 and another for IPv6. Either may be taken on the other one.
        listener.close()
        await listener.wait_closed()
        try:
            listener = await _bind(protocol, host, ports.pop(), port_flag)
        except CannotListen:
            failures += 1
            if failures == _MOST_PORTS_TRIED:
                raise
            listener = await _bind(protocol, host, 0, port_flag)
    return listener


async def _bind(
    protocol: Callable[[], asyncio.Protocol], host: str | None, port: int, port_flag: str
) -> asyncio.Server:
    try:
        return await asyncio.get_running_loop().create_server(protocol, host, port)
    except OSError as error:
        where = f"port {port}" if host is None else f"{as_host(host)}:{port}"
        reason = _reason_not_bound(error, port_flag)
        raise CannotListen(f"can't listen on {where}: {reason}") from error


def _reason_not_bound(error: OSError, port_flag: str) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return f"another program does, perhaps another server; {port_flag} takes another port"
        case errno.EACCES:
            return f"this user may not; {port_flag} takes another port, such as one above 1023"
        case errno.EADDRNOTAVAIL:
            return "this machine doesn't have that address; without --host it listens on all"
        case errno.EINVAL:
            return "a link-local address needs its zone, as in fe80::1%eth0"
        case _:
            return error.strerror or str(error)


def bound_addresses(sockets: Iterable[socket.socket]) -> list[str]:
    """Return the IP addresses to which `sockets` are bound, with zones.

    A socket for both versions of IP is bound to `::` and `0.0.0.0`.
    """
    addresses: list[str] = []
    for each in sockets:
        numeric = socket.NI_NUMERICHOST | socket.NI_NUMERICSERV
        address, _ = socket.getnameinfo(each.getsockname(), numeric)
        addresses.append(address)
        if address == "::" and not each.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY):
            addresses.append("0.0.0.0")
    return addresses


def reachable_hosts(bound: Collection[str]) -> list[str]:
    """Return how a server that is bound to `bound` is reached, ways for this machine alone last."""
    lan = reached_at(lan_addresses(), bound)
    others = [each for each in bound if each not in (*lan, *UNSPECIFIED)]
    loopback = reached_at(("127.0.0.1", "::1"), set(bound) & set(UNSPECIFIED))
    if loopback and reached_at(_addresses_of("localhost"), bound):
        loopback = ["localhost"]
    return [*lan, *others, *loopback[:1]]


def _addresses_of(name: str) -> set[str]:
    with suppress(OSError):
        found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
        return {str(address[0]) for *_, address in found}
    return set()


def lan_addresses() -> list[str]:
    """Return this machine's addresses on its local networks, IPv4 first, without loopback.

    IPv6 link-local addresses are left out: they need a zone that differs on every machine. There
    are none if the system doesn't tell them, as to a service without AF_NETLINK.
    """
    found: set[ipaddress.IPv4Address | ipaddress.IPv6Address] = set()
    try:
        adapters = list(ifaddr.get_adapters())
    except OSError as error:
        logger.warning("the system doesn't tell this machine's addresses: %s", error.strerror)
        return []
    for adapter in adapters:
        for ip in adapter.ips:
            text = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
            address = ipaddress.ip_address(text)
            if not (address.is_loopback or address.is_unspecified or address.is_multicast):
                found.add(address)
    usable = [address for address in found if address.version == 4 or not address.is_link_local]
    return [str(address) for address in sorted(usable, key=lambda one: (one.version, int(one)))]


def reached_at(addresses: Iterable[str], bound: Collection[str]) -> list[str]:
    """Return those of this machine's `addresses` that reach sockets bound to `bound`."""
    return [
        address
        for address in addresses
        if address in bound or ("::" if ":" in address else "0.0.0.0") in bound
    ]
