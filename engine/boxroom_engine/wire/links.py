"""Links to the page that a server serves for browsers, to a room on it, and for an identity."""

import re
import secrets
from dataclasses import dataclass
from ipaddress import IPv6Address
from typing import Self

from boxroom_engine.wire.origins import as_host, is_host_name

_URL = re.compile(
    r"(?P<scheme>https?)://(\[(?P<ipv6>[0-9a-f:.]+)\]|(?P<name>[^\[\]/:]+))(:(?P<port>\d{1,5}))?"
    r"(?P<path>(/[a-z0-9._~!$&'()*+,;=:@%-]*)*)",
    re.IGNORECASE | re.ASCII,
)
MOST_CHARS = 200
"""Length of an address with which the QR code of a room still fits on a screen."""

_MASKABLE = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
"""Characters of secrets that can be masked; each stands for its number in here."""

_PORTS = {"http": 80, "https": 443}
_UNESCAPED = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~'")
"""Bytes of rooms' codes that a fragment has as they are (RFC 3986, section 3.5)."""


@dataclass(frozen=True, slots=True)
class PageUrl:
    """The URL of a server's page; `parse` and `str` are a pair.

    `host` is an IP address or a name in lower case, an IPv6 address without brackets. `path` starts
    and ends with a slash.
    """

    host: str
    port: int
    secure: bool = False
    path: str = "/"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse `http://HOST`, `https://HOST:PORT/PATH` and the like.

        Raises:
            ValueError: `text` has none of these forms.
        """
        if len(text) > MOST_CHARS:
            raise ValueError(f"the address of a page has at most {MOST_CHARS} characters")
        match = _URL.fullmatch(text.strip())
        host = _host_in(match) if match else None
        if match is None or host is None:
            raise ValueError(f"the address of a page is like https://play.example.org: {text!r}")
        scheme, path = match["scheme"].lower(), match["path"]
        port = int(match["port"] or _PORTS[scheme])
        if not 1 <= port <= 65_535:
            raise ValueError(f"a port is 1 to 65535, as in http://192.168.1.5:8765: {text!r}")
        return cls(host, port, scheme == "https", path if path.endswith("/") else f"{path}/")

    @property
    def origin(self) -> str:
        """The page's origin, as browsers send it: without the scheme's own port."""
        scheme = "https" if self.secure else "http"
        port = "" if self.port == _PORTS[scheme] else f":{self.port}"
        return f"{scheme}://{as_host(self.host)}{port}"

    def __str__(self) -> str:
        return f"{self.origin}{self.path}"

    def to_room(self, code: str) -> str:
        """Return the link to the room with that code. It never holds a password.

        The code is in the fragment, which browsers don't send to servers, nor proxies log.
        """
        return f"{self}#{_quoted(code)}"

    def for_identity(self, pad: str, offer: str, room: str, *, watch: bool) -> str:
        """Return the link that brings an identity to a browser, and into the room with that code.

        `pad` is what its secret is masked by, and `offer` the server's code for the masked secret.
        """
        return f"{self}#identity={pad}.{_quoted(offer)}&room={_quoted(room)}" + "&watch=1" * watch


def new_pad(secret: str) -> str:
    """Return a random pad for `secret`."""
    return "".join(secrets.choice(_MASKABLE) for _ in secret)


def masked(secret: str, pad: str) -> str:
    """Return `secret` masked by `pad`, or a masked one unmasked (docs/protocol.md).

    Raises:
        ValueError: they have other characters than secrets that can be masked, or two lengths.
    """
    numbers = zip(map(_MASKABLE.index, secret), map(_MASKABLE.index, pad), strict=True)
    return "".join(_MASKABLE[one ^ other] for one, other in numbers)


def _quoted(text: str) -> str:
    return "".join(chr(byte) if byte in _UNESCAPED else f"%{byte:02X}" for byte in text.encode())


def _host_in(match: re.Match[str]) -> str | None:
    if match["name"]:
        name = match["name"].lower()
        return name if is_host_name(name) else None
    try:
        return IPv6Address(match["ipv6"]).compressed
    except ValueError:
        return None
