"""Origins of web pages (RFC 6454) and names of hosts, as users list them and browsers send them."""

import re
from collections.abc import Collection
from ipaddress import ip_address

LOCAL_NAMES = ".local"
"""Names that only the local network resolves (RFC 6762)."""

_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/\s,@]+")
_HOST_NAME = re.compile(r"(?!-)[a-z0-9_-]+(?<!-)(\.(?!-)[a-z0-9_-]+(?<!-))*")
_HOST = re.compile(
    rf"(\[(?P<ipv6>[^\]]{{2,100}})\]|(?P<name>{_HOST_NAME.pattern}))(:\d*)?",
    re.IGNORECASE | re.ASCII,
)


def parse_origins(text: str) -> frozenset[str]:
    """Return the origins in `https://example.org,http://localhost:8000,…`, in lower case.

    Raises:
        ValueError: an entry is malformed; the sentence says which.
    """
    return _parse_list(text, _ORIGIN, "an origin is like https://example.org, without a path")


def parse_host_names(text: str) -> frozenset[str]:
    """Return the names in `boxroom,games.example.org,…`, in lower case.

    Raises:
        ValueError: an entry is malformed; the sentence says which.
    """
    return _parse_list(text, _HOST_NAME, "a host name is like games.example.org, without a port")


def _parse_list(text: str, entry: re.Pattern[str], rule: str) -> frozenset[str]:
    entries = [each.strip().lower() for each in text.split(",") if each.strip()]
    for each in entries:
        if not entry.fullmatch(each):
            shown = "without a user name or password" if "@" in each else repr(each)
            raise ValueError(f"{rule}: {shown}")
    return frozenset(entries)


def is_host_name(text: str) -> bool:
    """Return whether `text` has the form of a host name in ASCII and lower case."""
    return _HOST_NAME.fullmatch(text) is not None


def as_host(address: str) -> str:
    """Return `address` as the host of a URL: IPv6 in brackets."""
    return f"[{address}]" if ":" in address else address


def is_trusted_host(host: str, names: Collection[str]) -> bool:
    """Return whether the value of a `Host` header is an IP address, localhost or one of `names`.

    The author of a web page can have the page's own name resolve to any machine (DNS rebinding),
    and then is of the same origin as that machine; but a browser sends that name and no other. Of
    `names`, which are in lower case, `LOCAL_NAMES` and others with a leading dot stand for all
    names that end so.
    """
    match = _HOST.fullmatch(host.strip())
    if match is None:
        return False
    try:
        ip_address(match["ipv6"] or match["name"])
    except ValueError:
        return match["name"] is not None and _is_one_of(match["name"].lower(), names)
    return True


def is_same_origin(origin: str, host: str, *, secure: bool) -> bool:
    """Return whether a page with that `Origin` came from the `Host` to which it sends a request."""
    return origin.lower() == f"{'https' if secure else 'http'}://{host.lower()}"


def _is_one_of(name: str, names: Collection[str]) -> bool:
    endings = tuple(each for each in names if each.startswith("."))
    return name == "localhost" or name in names or name.endswith(endings)
