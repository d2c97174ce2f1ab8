"""Announcement of a server on the local network, by which clients discover it.

It is a service of DNS-SD (RFC 6763) over multicast DNS (RFC 6762). These properties are its TXT
record; other records have the server's name, addresses and port.
"""

from collections.abc import Mapping

from boxroom_engine.wire.messages import PROTOCOL

SERVICE_TYPE = "_boxroom._tcp.local."

_PROTOCOL = "protocol"
_VERSION = "version"
_MOST_DIGITS = 9


def properties(version: str) -> dict[str, str]:
    """Return the properties of a server with the program version `version`."""
    return {_PROTOCOL: str(PROTOCOL), _VERSION: version}


def protocol_in(announced: Mapping[bytes, bytes | None]) -> int | None:
    """Return the protocol version in the properties of a server, or None if they have none."""
    number = announced.get(_PROTOCOL.encode()) or b""
    return int(number) if number.isdigit() and len(number) <= _MOST_DIGITS else None
