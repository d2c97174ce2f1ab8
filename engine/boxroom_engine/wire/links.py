"""Links to the page that a server serves for browsers, to a room on it, and for an identity."""

import re
import secrets
from dataclasses import dataclass
from typing import Self

from boxroom_engine.wire.origins import as_host
from boxroom_engine.wire.ports import HTTP_PORT, TLS_PORT
from boxroom_engine.wire.urls import Url, UrlError, quoted

MOST_CHARS = 200
"""Length of an address with which the QR code of a room still fits on a screen."""

_FORM = "the address of a page is like https://play.example.org"

GAME_LINK = re.compile(r"[0-9A-Za-z_-]{22}")
"""The link of a finished game that everybody may see: 128 random bits."""

_GAMES = "games/"

_MASKABLE = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
"""Characters of secrets that can be masked; each stands for its number in here."""

_PORTS = {"http": HTTP_PORT, "https": TLS_PORT}


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
        try:
            url = Url.parse(text)
        except UrlError as error:
            raise ValueError(f"{_FORM}: {error}") from None
        if url.scheme not in _PORTS or url.room is not None or "%" in url.host:
            raise ValueError(f"{_FORM}, with http:// or https://, no # and no zone")
        path = url.path if url.path.endswith("/") else f"{url.path}/"
        return cls(url.host, url.port or _PORTS[url.scheme], url.scheme == "https", path)

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
        return f"{self}#{quoted(code)}"

    def to_game(self, link: str) -> str:
        """Return the address of the finished game that everybody may see under that link."""
        return f"{self}{_GAMES}{link}"

    @classmethod
    def of_game(cls, text: str) -> tuple[Self, str] | None:
        """Return the page and the link in the address of a finished game; None if it is none."""
        page, is_below, link = text.rpartition(_GAMES)
        if not is_below or not GAME_LINK.fullmatch(link):
            return None
        try:
            return cls.parse(page), link
        except ValueError:
            return None

    def for_identity(self, pad: str, offer: str, room: str, *, watch: bool) -> str:
        """Return the link that brings an identity to a browser, and into the room with that code.

        `pad` is what its secret is masked by, and `offer` the server's code for the masked secret.
        """
        return f"{self}#identity={pad}.{quoted(offer)}&room={quoted(room)}" + "&watch=1" * watch


def new_pad(secret: str) -> str:
    """Return a random pad for `secret`."""
    return "".join(secrets.choice(_MASKABLE) for _ in secret)


def masked(secret: str, pad: str) -> str:
    """Return `secret` masked by `pad`, or a masked one unmasked (docs/reference/protocol.md).

    Raises:
        ValueError: they have other characters than secrets that can be masked, or two lengths.
    """
    numbers = zip(map(_MASKABLE.index, secret), map(_MASKABLE.index, pad), strict=True)
    return "".join(_MASKABLE[one ^ other] for one, other in numbers)
