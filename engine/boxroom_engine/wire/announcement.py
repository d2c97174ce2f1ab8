"""What a server says of itself on the local network, for clients that have no address yet.

It is a service of DNS-SD (RFC 6763) over multicast DNS (RFC 6762). The record with the
properties stands beside the server's name, addresses and port.
"""

from collections.abc import Mapping

from boxroom_engine.wire.messages import PROTOCOL

SERVICE_TYPE = "_boxroom._tcp.local."

_PROTOCOL = "protocol"
_VERSION = "version"
_MOST_DIGITS = 9


def properties(version: str) -> dict[str, str]:
    """The properties of a server of this protocol whose program is `version`."""
    return {_PROTOCOL: str(PROTOCOL), _VERSION: version}


def protocol_in(announced: Mapping[bytes, bytes | None]) -> int | None:
    """The protocol that the server with these properties speaks, or None if they don't say."""
    number = announced.get(_PROTOCOL.encode()) or b""
    return int(number) if number.isdigit() and len(number) <= _MOST_DIGITS else None
