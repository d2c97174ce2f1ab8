"""Addresses of servers: parsing and formatting."""

import ipaddress
import re
from dataclasses import dataclass, field
from typing import Self

from boxroom_engine.wire.links import PageUrl
from boxroom_engine.wire.origins import as_host, is_host_name
from boxroom_engine.wire.ports import DEFAULT_PORT, TLS_PORT

_PATH = re.compile(r"(/[A-Za-z0-9._~!$&'()*+,;=:@%-]*)*")


class AddressError(ValueError):
    """The text isn't an address of a server; the message shows the format."""


@dataclass(frozen=True, slots=True)
class Address:
    """A server's address; `parse` and `str` are a pair.

    `host` is an IP address or a name in ASCII and lower case, an IPv6 address without brackets.
    `path` is empty or starts with a slash.
    """

    host: str
    port: int = DEFAULT_PORT
    secure: bool = False
    path: str = ""
    ca_file: str | None = field(default=None, compare=False)
    """Certificate file of an authority to trust besides those of the system.

    It isn't part of the text of an address, nor compared.
    """

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse `HOST`, `HOST:PORT`, `[IPV6]:PORT`, `ws://…` or `wss://…`.

        Raises:
            AddressError: `text` has none of these forms.
        """
        before, is_url, after = text.strip().partition("://")
        scheme = before.lower() if is_url else "ws"
        if scheme not in ("ws", "wss"):
            raise AddressError(f"a server's address starts with ws:// or wss://, not {before}://")
        authority, slash, path = (after if is_url else before).partition("/")
        host, port = _split_port(authority)
        if slash and not is_url:
            raise AddressError(f"{text!r} has a path: write it as ws://{text.strip()}")
        return cls(
            _parse_host(host),
            _parse_port(port, TLS_PORT if scheme == "wss" else DEFAULT_PORT),
            scheme == "wss",
            _parse_path(slash + path),
        )

    @property
    def url(self) -> str:
        """The address as a WebSocket URL (RFC 6455, section 3)."""
        scheme = "wss" if self.secure else "ws"
        return f"{scheme}://{self._authority}{self.path}"

    @property
    def page(self) -> PageUrl:
        """The page for browsers that a server has at this address, if it has one."""
        return PageUrl(self.host, self.port, self.secure, self.path.rstrip("/") + "/")

    def __str__(self) -> str:
        return self.url if self.secure or self.path else self._authority

    @property
    def _authority(self) -> str:
        return f"{as_host(self.host)}:{self.port}"


def _split_port(authority: str) -> tuple[str, str | None]:
    """Return the host without brackets, and the text behind the colon, or None without a colon."""
    if authority.startswith("["):
        host, bracket, rest = authority[1:].partition("]")
        if not bracket or ":" not in host or (rest and not rest.startswith(":")):
            raise AddressError(f"{authority!r} isn't an address like [::1]:{DEFAULT_PORT}")
        return host, rest[1:] if rest else None
    if authority.count(":") > 1:
        return authority, None  # an IPv6 address without brackets can't have a port
    host, colon, port = authority.partition(":")
    return host, port if colon else None


def _parse_host(text: str) -> str:
    if ":" in text:
        try:
            host = ipaddress.IPv6Address(text)
        except ValueError:
            raise AddressError(f"{text!r} isn't an IPv6 address") from None
        if host.scope_id is not None:
            raise AddressError(f"{text!r} has a zone, which an address can't have here")
        return host.compressed
    try:
        name = text.encode("idna").decode("ascii").lower()
    except UnicodeError:
        name = ""
    if not is_host_name(name):
        raise AddressError(
            f"{text!r} isn't a host: an address is like 192.168.1.5, example.org:{DEFAULT_PORT} "
            "or wss://example.org"
        )
    return name


def _parse_port(text: str | None, default: int) -> int:
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and 1 <= int(text) <= 65_535):
        raise AddressError(f"{text!r} isn't a port: ports are numbers from 1 to 65535")
    return int(text)


def _parse_path(text: str) -> str:
    if not _PATH.fullmatch(text):
        raise AddressError(f"{text!r} can't be the path of a server's address")
    return "" if text == "/" else text
