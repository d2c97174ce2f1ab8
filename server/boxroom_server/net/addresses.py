"""This machine's addresses on its local networks, and those at which a server is reached."""

import ipaddress
import logging
from collections.abc import Collection, Iterable

import ifaddr

logger = logging.getLogger(__name__)


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
