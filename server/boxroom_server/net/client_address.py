"""Whose a connection is, as far as an address tells, also behind proxies that are trusted.

Addresses are texts, as `ipaddress` writes them; an IPv4 address in the clothes of IPv6
(`::ffff:192.0.2.1`) is the IPv4 address. This is about counting and telling apart; it proves
nothing about people.
"""

import ipaddress
from collections.abc import Iterable, Sequence

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

IPV6_SITE_BITS = 64
"""What one customer gets at least of IPv6 (RFC 6177): all of its addresses count as one."""


def parse_networks(text: str) -> tuple[Network, ...]:
    """The networks in `CIDR,CIDR,…`; a single address is a network, and no text is none.

    Raises:
        ValueError: one of them is none; the sentence says which.
    """
    return tuple(_parse_network(each.strip()) for each in text.split(",") if each.strip())


def _parse_network(text: str) -> Network:
    try:
        return ipaddress.ip_network(text)
    except ValueError as error:
        raise ValueError(f"a network is like 10.0.0.0/8 or 2001:db8::/32: {error}") from None


def plain_address(text: str) -> str:
    """The IP address in `text` as it is written here, or "" if there is none."""
    try:
        address = ipaddress.ip_address(text.strip().partition("%")[0])
    except ValueError:
        return ""
    mapped = getattr(address, "ipv4_mapped", None)
    return str(mapped or address)


def is_within(address: str, networks: Iterable[Network]) -> bool:
    """Whether a `plain_address` is in one of `networks`."""
    return bool(address) and any(ipaddress.ip_address(address) in each for each in networks)


def forwarded_for(peer: str, headers: Sequence[str], trusted: Sequence[Network]) -> str:
    """The client's address behind the proxy `peer`, by its X-Forwarded-For `headers`.

    Every proxy adds the address that it was called from at the end. So they are read from the
    end as long as who added them is trusted; what stands further ahead anybody may have made
    up. Where there is no address, the proxy itself counts as the client.
    """
    address = peer
    for text in reversed(",".join(headers).split(",")):
        before = plain_address(text)
        if not before or not is_within(address, trusted):
            break
        address = before
    return address


def counted_as(address: str) -> str:
    """What counts as one client: an IPv4 address, or the /64 of an IPv6 address."""
    if ":" not in address:
        return address
    return str(ipaddress.ip_network((address, IPV6_SITE_BITS), strict=False))
