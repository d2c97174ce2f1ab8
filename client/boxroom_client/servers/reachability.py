"""Choice of the address, among all that a server announces, that reaches it from this machine.

Some addresses are of no use on other machines: those of bridges for containers and of virtual
machines are often the same on every machine.
"""

import ipaddress
import socket
from collections.abc import Iterable, Sequence

import ifaddr

IPInterface = ipaddress.IPv4Interface | ipaddress.IPv6Interface
IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

_ELSEWHERE = "192.0.2.1", 9
"""An address that no machine has (RFC 5737)."""


def own_interfaces() -> list[IPInterface]:
    """Return the addresses of this machine, with their networks."""
    return [
        ipaddress.ip_interface(
            f"{ip.ip if isinstance(ip.ip, str) else ip.ip[0]}/{ip.network_prefix}"
        )
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
    ]


def lan_hosts() -> list[str]:
    """Return this machine's addresses on its local networks, the one with the way out first.

    IPv6 link-local addresses are left out: they need a zone.
    """
    addresses = {interface.ip for interface in own_interfaces()}
    usable = [
        address
        for address in addresses
        if not address.is_loopback and (address.version == 4 or not address.is_link_local)
    ]
    way_out = _address_on_the_way_out()
    return [
        str(address)
        for address in sorted(usable, key=lambda one: (str(one) != way_out, one.version, int(one)))
    ]


def _address_on_the_way_out() -> str:
    """Return the address that packets to the internet have; empty if there is no way."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ELSEWHERE)  # which sends nothing
        except OSError:
            return ""
        address: str = probe.getsockname()[0]
    return address


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
