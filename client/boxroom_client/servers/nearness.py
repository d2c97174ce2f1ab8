"""Which of a server's addresses leads to it from this machine.

A server announces all its addresses, and some are of no use elsewhere: those of bridges for
containers and of virtual machines are often the same on every machine.
"""

import ipaddress
from collections.abc import Iterable, Sequence

import ifaddr

IPInterface = ipaddress.IPv4Interface | ipaddress.IPv6Interface
IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


def own_interfaces() -> list[IPInterface]:
    """This machine's addresses with the networks that they are on."""
    return [
        ipaddress.ip_interface(
            f"{ip.ip if isinstance(ip.ip, str) else ip.ip[0]}/{ip.network_prefix}"
        )
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
    ]


def is_own(address: str, own: Sequence[IPInterface]) -> bool:
    """Whether the IP address `address` is this machine's."""
    return _is_own(ipaddress.ip_address(address), own)


def nearest(addresses: Iterable[str], own: Sequence[IPInterface]) -> str | None:
    """The one of a server's IP addresses to take, on a machine with the interfaces `own`.

    An address on a network that this machine is on comes first, then IPv4. An address that is
    this machine's own is taken only if all of them are, because then the server is here.
    IPv6 link-local addresses are left out: they need a zone.
    """
    usable = [
        address
        for address in map(ipaddress.ip_address, addresses)
        if not (address.is_multicast or address.is_unspecified)
        and (address.version == 4 or not address.is_link_local)
    ]
    elsewhere = [address for address in usable if not _is_own(address, own)]
    ranked = sorted(
        elsewhere or usable,
        key=lambda address: (
            not any(address in interface.network for interface in own),
            address.version,
            int(address),
        ),
    )
    return str(ranked[0]) if ranked else None


def _is_own(address: IPAddress, own: Sequence[IPInterface]) -> bool:
    return address.is_loopback or any(address == interface.ip for interface in own)
