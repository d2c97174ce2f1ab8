"""URLs of servers and of their pages: the parser for every form that people write.

::

    example.org            127.0.0.1:8765         fe80::1%eth0          [::1]:8765/path/
    ws://example.org       wss://example.org      http://10.0.0.5:8765/#kiwa-tobe
    <HTTPS://Example.org.:443/path/#kiwa%20tobe>
"""

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Self

from boxroom_engine.phrases import LocalizedError, phrase
from boxroom_engine.room.text import clean
from boxroom_engine.wire.origins import is_host_name

SCHEMES = {"ws": False, "wss": True, "http": False, "https": True}
"""Schemes of URLs, and whether each stands for TLS."""

_IDENTITY = "identity="
"""Beginning of the fragment of a link that brings an identity; see `links.PageUrl`."""

_PATH = re.compile(r"(/[A-Za-z0-9._~!$&'()*+,;=:%-]*)*")
_ESCAPED = re.compile(rb"%([0-9A-Fa-f]{2})")
_UNESCAPED = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~'")
"""Bytes of rooms' codes that a fragment has as they are (RFC 3986, section 3.5)."""

_ZONE = re.compile(r"[A-Za-z0-9._~-]+")
_MOST_HOST_CHARS = 253
_MOST_SHOWN = 60


class UrlError(LocalizedError, ValueError):
    """The text isn't the URL of a server; the message says why, and never repeats a password."""


@dataclass(frozen=True, slots=True)
class Url:
    """The parts of a server's URL in their normal form, without defaults."""

    scheme: str | None
    """One of `SCHEMES`, or None."""
    host: str
    """An IP address, or a name in ASCII and lower case without a final dot. No brackets."""
    port: int | None
    path: str
    """Empty, or a slash and more."""
    room: str | None
    """Code of the room in the fragment."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse one of the forms above.

        Spaces and angle brackets around it are ignored, and so are invisible characters.

        Raises:
            UrlError: `text` has none of these forms.
        """
        bare = clean(text).strip("<> ")
        _refuse_login(bare)
        url, _, fragment = bare.partition("#")
        before, has_scheme, after = url.partition("://")
        authority, slash, path = (after if has_scheme else url).partition("/")
        host, port = _split_port(authority)
        return cls(
            _parse_scheme(before) if has_scheme else None,
            parse_host(host),
            _parse_port(port),
            _parse_path(slash + path),
            _parse_fragment(fragment),
        )


def parse_host(text: str) -> str:
    """Return the normal form of a host: a name, or an IP address, with or without brackets.

    An IPv4 address that is written as an IPv6 one becomes the former.

    Raises:
        UrlError: it is none of them.
    """
    _refuse_login(text)
    if ":" in text:
        return _parse_ipv6(text.removeprefix("[").removesuffix("]"))
    try:
        name = text[:_MOST_HOST_CHARS].encode("idna").decode("ascii").lower().removesuffix(".")
    except UnicodeError:
        name = ""
    if not is_host_name(name) or len(text) > _MOST_HOST_CHARS:
        raise UrlError(phrase("address.host", text=_shown(text)))
    return name


def ip_address_of(host: str) -> IPv4Address | IPv6Address | None:
    """Return the IP address that is written as `host`; None if that is a name."""
    try:
        ip = ip_address(host)
    except ValueError:
        return None
    return getattr(ip, "ipv4_mapped", None) or ip


def is_loopback(host: str) -> bool:
    """Whether `host`, a name or an IP address, means the machine that uses it (RFC 6761)."""
    ip = ip_address_of(host)
    if ip is not None:
        return ip.is_loopback
    return host.lower().rstrip(".").rpartition(".")[2] == "localhost"


def is_link_local(host: str) -> bool:
    """Whether `host` is an IP address that is valid on one network only."""
    ip = ip_address_of(host)
    return ip is not None and ip.is_link_local


def _refuse_login(text: str) -> None:
    if "@" in text:
        raise UrlError(phrase("address.login"))


def _parse_scheme(text: str) -> str:
    if text.lower() not in SCHEMES:
        schemes = [f"{scheme}://" for scheme in SCHEMES]
        raise UrlError(phrase("address.scheme", schemes=schemes, text=_shown(text)))
    return text.lower()


def _split_port(authority: str) -> tuple[str, str | None]:
    """Return the host, and the text behind the colon, or None without a colon."""
    if authority.startswith("["):
        address, bracket, rest = authority.partition("]")
        if not bracket or ":" not in address or (rest and not rest.startswith(":")):
            raise UrlError(phrase("address.brackets", text=_shown(authority)))
        return address + bracket, rest[1:] if rest else None
    if authority.count(":") > 1:
        return authority, None  # an IPv6 address without brackets can't have a port
    host, colon, port = authority.partition(":")
    return host, port if colon else None


def _parse_ipv6(text: str) -> str:
    address, percent, zone = text.partition("%")
    if zone.startswith("25") and not zone.isdigit():
        zone = zone.removeprefix("25")  # the percent sign as URLs quote it (RFC 6874)
    try:
        ip = IPv6Address(address)
    except ValueError:
        raise UrlError(phrase("address.ipv6", text=_shown(text))) from None
    if not percent:
        return str(ip.ipv4_mapped or ip)
    if not _ZONE.fullmatch(zone):
        raise UrlError(phrase("address.zone", text=_shown(zone)))
    return f"{ip}%{zone}"


def _parse_port(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and 1 <= int(text) <= 65_535):
        raise UrlError(phrase("address.port", text=_shown(text)))
    return int(text)


def _parse_path(text: str) -> str:
    if "?" in text:
        raise UrlError(phrase("address.query"))
    if not _PATH.fullmatch(text):
        raise UrlError(phrase("address.path", text=_shown(text)))
    return "" if text == "/" else text


def _parse_fragment(text: str) -> str | None:
    if text.startswith(_IDENTITY):
        raise UrlError(phrase("address.identity"))
    try:
        return clean(_unquoted(text)) or None
    except UnicodeDecodeError:
        raise UrlError(phrase("address.room", text=_shown(text))) from None


def quoted(text: str) -> str:
    """Return `text` as a part of a fragment."""
    return "".join(chr(byte) if byte in _UNESCAPED else f"%{byte:02X}" for byte in text.encode())


def _unquoted(text: str) -> str:
    """Return the text that `quoted`, or a browser, has written as `text`."""
    return _ESCAPED.sub(lambda found: bytes([int(found[1], 16)]), text.encode()).decode()


def _shown(text: str) -> str:
    return repr(text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…")
