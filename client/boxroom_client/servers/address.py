"""Addresses of servers, and links to rooms there: parsing and formatting."""

from dataclasses import dataclass, field, replace
from typing import Self
from urllib.parse import urlencode

from boxroom_engine.phrases import phrase
from boxroom_engine.wire.links import PageUrl
from boxroom_engine.wire.origins import as_host
from boxroom_engine.wire.ports import DEFAULT_PORT, HTTP_PORT, TLS_PORT
from boxroom_engine.wire.urls import SCHEMES, Url, UrlError, quoted

_PORTS = {None: DEFAULT_PORT, "ws": DEFAULT_PORT, "wss": TLS_PORT}
_PORTS |= {"http": HTTP_PORT, "https": TLS_PORT}


@dataclass(frozen=True, slots=True)
class Address:
    """A server's address; `parse` and `str` are a pair.

    `host` is an IP address or a name in ASCII and lower case, an IPv6 address without brackets but
    with its zone. `path` is empty, or starts with a slash and doesn't end with one.
    """

    host: str
    port: int = DEFAULT_PORT
    secure: bool = False
    path: str = ""
    has_final_slash: bool = field(default=False, compare=False)
    """Whether the path is written with a slash at its end.

    The server is the same, but a proxy in front of it may know only one of the two paths.
    """
    ca_file: str | None = field(default=None, compare=False)
    """Certificate file of an authority to trust besides those of the system.

    It isn't part of the text of an address, nor compared.
    """
    at: str = field(default="", compare=False)
    """Name of the server of a cluster to which a balancer leads; "" if that may be any.

    It isn't part of the text of an address, nor compared.
    """

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse the forms of `Url`, of which `ws` and `http` mean the same but for their ports.

        Raises:
            UrlError: `text` has none of these forms, or leads to a room.
        """
        url = Url.parse(text)
        if url.room is not None:
            raise UrlError(phrase("terminal.servers.no_room_here"))
        return cls(*_parts(url))

    @property
    def url(self) -> str:
        """The address as a WebSocket URL (RFC 6455, section 3)."""
        if not self.at:
            return self._plain_url
        path = "" if self.path else "/"
        return f"{self._plain_url}{path}?{urlencode({'at': self.at})}"

    @property
    def _plain_url(self) -> str:
        scheme = "wss" if self.secure else "ws"
        slash = "/" if self.has_final_slash else ""
        return f"{scheme}://{self._authority}{self.path}{slash}"

    @property
    def canonical(self) -> Self:
        """The same server in one spelling, by which the client stores what belongs to it."""
        return replace(self, has_final_slash=False, at="")

    @property
    def page(self) -> PageUrl | None:
        """The page for browsers at this address, if the server has one.

        None with a zone, which browsers don't take.
        """
        if "%" in self.host:
            return None
        return PageUrl(self.host, self.port, self.secure, f"{self.path}/")

    @classmethod
    def of_page(cls, page: PageUrl) -> Self:
        """Return the address of the server with that page."""
        path = page.path.rstrip("/")
        return cls(page.host, page.port, page.secure, path, has_final_slash=bool(path))

    def is_stored_as(self, text: str) -> bool:
        """Whether `text` is this server, perhaps as an earlier version has spelt it."""
        try:
            return self.parse(text) == self
        except UrlError:
            return False

    def __str__(self) -> str:
        return self._plain_url if self.secure or self.path else self._authority

    @property
    def _authority(self) -> str:
        return f"{as_host(self.host)}:{self.port}"


@dataclass(frozen=True, slots=True)
class Destination:
    """A server and perhaps a room there, as in the link of a page; `parse` and `str` are a pair."""

    address: Address
    room: str | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse an address, with the code of a room behind a `#` or without.

        Raises:
            UrlError: `text` is none.
        """
        url = Url.parse(text)
        return cls(Address(*_parts(url)), url.room)

    def __str__(self) -> str:
        return str(self.address) + ("" if self.room is None else f"#{quoted(self.room)}")


def _parts(url: Url) -> tuple[str, int, bool, str, bool]:
    """Return the fields of the address in `url`, in their order."""
    path = url.path.rstrip("/")
    is_secure = url.scheme is not None and SCHEMES[url.scheme]
    has_final_slash = path not in ("", url.path)
    return url.host, url.port or _PORTS[url.scheme], is_secure, path, has_final_slash
