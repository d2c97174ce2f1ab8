"""Choice of the address, among all that a server announces, that reaches it from this machine.

Some addresses are of no use on other machines: those of bridges for containers and of virtual
machines are often the same on every machine.
"""

import ipaddress
from collections.abc import Iterable, Sequence

import ifaddr

IPInterface = ipaddress.IPv4Interface | ipaddress.IPv6Interface
IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


def own_interfaces() -> list[IPInterface]:
    """Return the addresses of this machine, with their networks."""
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


def best_address(addresses: Iterable[str], own: Sequence[IPInterface]) -> str | None:
    """Choose one of a server's IP addresses on a machine with the interfaces `own`.

    An address on a network that this machine is on comes first, then IPv4. An address of this
    machine itself is chosen only if all are, because then the server runs here.
    IPv6 link-local addresses are skipped: they need a zone. None if no address is left.
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
