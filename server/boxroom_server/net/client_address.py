"""IP addresses of clients, also behind trusted proxies, and how clients are told apart by them.

Addresses are texts, as `ipaddress` writes them; an IPv4-mapped IPv6 address (`::ffff:192.0.2.1`)
is the IPv4 address. They serve for counting and telling clients apart; they prove no identity.
"""

import ipaddress
from collections.abc import Iterable, Sequence
from functools import lru_cache

from boxroom_engine.wire.urls import ip_address_of

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

IPV6_SITE_BITS = 64
"""Prefix length of one customer's smallest IPv6 network (RFC 6177); it counts as one client."""


@lru_cache  # asked several times for each connection
def plain_address(text: str) -> str:
    """Return the IP address in `text` in canonical form, or "" if there is none."""
    address = ip_address_of(text.strip().partition("%")[0])
    return "" if address is None else str(address)


def is_within(address: str, networks: Iterable[Network]) -> bool:
    """Return whether a `plain_address` is in one of `networks`."""
    return bool(address) and any(ipaddress.ip_address(address) in each for each in networks)


def forwarded_for(peer: str, headers: Sequence[str], trusted: Sequence[Network]) -> str:
    """Return the client's address behind the proxy `peer`, by its X-Forwarded-For `headers`.

    Each proxy appends the address that it was called from. So the list is read from its end, as
    long as the proxy that added an entry is trusted; a client can have made up all entries before.
    Without a usable address the proxy itself counts as the client.
    """
    address = peer
    for text in reversed(",".join(headers).split(",")):
        before = plain_address(text)
        if not before or not is_within(address, trusted):
            break
        address = before
    return address


def counted_as(address: str) -> str:
    """Return what counts as one client: an IPv4 address, or the /64 of an IPv6 address."""
    if ":" not in address:
        return address
    return str(ipaddress.ip_network((address, IPV6_SITE_BITS), strict=False))
