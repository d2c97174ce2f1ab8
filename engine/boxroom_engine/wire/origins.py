"""Origins of web pages (RFC 6454) and names of hosts, as users list them and browsers send them."""

import re
from collections.abc import Collection
from ipaddress import ip_address

LOCAL_NAMES = ".local"
"""Names that only the local network resolves (RFC 6762)."""

_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/\s,]+")
_HOST_NAME = re.compile(r"(?!-)[a-z0-9_-]+(?<!-)(\.(?!-)[a-z0-9_-]+(?<!-))*")
_HOST = re.compile(r"(\[(?P<ipv6>[^\]]*)\]|(?P<name>[^:]*))(:\d*)?")


def parse_origins(text: str) -> frozenset[str]:
    """Return the origins in `https://example.org,http://localhost:8000,…`, in lower case.

    Raises:
        ValueError: an entry is malformed; the sentence says which.
    """
    origins = _entries(text)
    for origin in origins:
        if not _ORIGIN.fullmatch(origin):
            raise ValueError(f"an origin is like https://example.org, without a path: {origin!r}")
    return origins


def parse_host_names(text: str) -> frozenset[str]:
    """Return the names in `boxroom,games.example.org,…`, in lower case.

    Raises:
        ValueError: an entry is malformed; the sentence says which.
    """
    names = _entries(text)
    for name in names:
        if not _HOST_NAME.fullmatch(name):
            raise ValueError(f"a host name is like games.example.org, without a port: {name!r}")
    return names


def is_trusted_host(host: str, names: Collection[str]) -> bool:
    """Return whether the value of a `Host` header is an IP address, localhost or one of `names`.

    The author of a web page can have the page's own name resolve to any machine (DNS rebinding),
    and then is of the same origin as that machine; but a browser sends that name and no other. Of
    `names`, which are in lower case, `LOCAL_NAMES` and others with a leading dot stand for all
    names that end so.
    """
    match = _HOST.fullmatch(host.strip().lower())
    if match is None:
        return False
    name = match["name"] or ""
    try:
        ip_address(match["ipv6"] or name)
    except ValueError:
        return match["ipv6"] is None and (name == "localhost" or _is_one_of(name, names))
    return True


def is_same_origin(origin: str, host: str, *, secure: bool) -> bool:
    """Return whether a page with that `Origin` came from the `Host` to which it sends a request."""
    return origin.lower() == f"{'https' if secure else 'http'}://{host.lower()}"


def _is_one_of(name: str, names: Collection[str]) -> bool:
    _, dot, rest = name.partition(".")
    while dot:
        if f".{rest}" in names:
            return True
        _, dot, rest = rest.partition(".")
    return name in names


def _entries(text: str) -> frozenset[str]:
    return frozenset(each.strip().lower() for each in text.split(",") if each.strip())
