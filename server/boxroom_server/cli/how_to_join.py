"""The lines of `boxroom serve` for people: how others join, with links and their QR codes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from boxroom_common.qr_codes import dark_on_light, qr_lines
from boxroom_engine.wire.links import PageUrl
from boxroom_engine.wire.origins import as_host
from boxroom_engine.wire.ports import DEFAULT_PORT, TLS_PORT
from boxroom_engine.wire.urls import is_loopback
from boxroom_server.net.addresses import reachable_hosts
from boxroom_server.options import Options
from boxroom_server.server import Server

LAST_LINE = "Ctrl-C stops the server."

_GAP = 2
"""Columns between two codes side by side."""


@dataclass(frozen=True, slots=True)
class Places:
    """Hosts and a port at which a server answers."""

    port: int
    hosts: Sequence[str]
    """Names and IP addresses; with TLS those that the certificate has."""
    options: Options
    is_local: bool = False
    """Whether only programs on this machine reach it."""

    @classmethod
    def of(cls, server: Server, options: Options) -> Self:
        """Return the places of `server`, which were found at its sockets."""
        bound = server.bound_addresses
        hosts, name = reachable_hosts(bound), options.bind_host
        if name is not None and name not in bound:  # a name, not an address
            hosts = [name, *(host for host in hosts if not is_loopback(host))]
        certified = [host for host in hosts if server.is_certified_for(host)]
        return cls(server.port, certified, options, all(map(is_loopback, bound)))

    @property
    def joined_at(self) -> list[str]:
        """Addresses for `boxroom join`."""
        secure = bool(self.options.tls_cert)
        shown = "" if self.port == (TLS_PORT if secure else DEFAULT_PORT) else f":{self.port}"
        return [f"{'wss://' if secure else ''}{as_host(host)}{shown}" for host in self.hosts]

    @property
    def links(self) -> list[PageUrl]:
        """Links to the page, if there is one: the operator's own, or one for each host.

        There is none with a zone, which browsers don't take.
        """
        public = self.options.public_page()
        if self.options.no_web:
            return []
        if public is not None:
            return [public]
        secure = bool(self.options.tls_cert)
        return [PageUrl(host, self.port, secure) for host in self.hosts if "%" not in host]

    @property
    def links_for_phones(self) -> list[PageUrl]:
        """Links that lead other devices here, those with IPv6 only if there is no IPv4."""
        if self.is_local and not self.options.public_url:
            return []
        away = [link for link in self.links if not is_loopback(link.host)]
        return [link for link in away if ":" not in link.host] or away


def how_to_join(places: Places, *, qr_columns: int | None = None) -> Iterator[str]:
    """Yield lines with the port, the exact commands to join, and links for browsers.

    `qr_columns` is the width of the terminal; None: no QR codes, as for programs.
    """
    yield f"Boxroom listens on port {places.port}. Others join with:"
    yield from (f"  boxroom join {address}" for address in places.joined_at)
    if places.options.tls_cert:
        or_by = "or by another name" if places.hosts else "wss:// and a name"
        yield f"{or_by} in the certificate."
    links = places.links
    if links:
        yield "In a browser, with nothing to install, they open:"
        yield from (f"  {link}" for link in links)
    elif places.options.tls_cert and not places.options.no_web:
        yield "In a browser: https:// and a name in the certificate; --public-url shows it here."
    if qr_columns is not None:
        yield from qr_codes(places.links_for_phones, qr_columns)
    yield LAST_LINE


def qr_codes(links: Sequence[PageUrl], columns: int) -> Iterator[str]:
    """Yield lines with the QR codes of `links`, as many side by side as fit, links above them."""
    row: list[_LinkWithCode] = []
    for link, code in ((str(link), qr_lines(str(link))) for link in links):
        if len(code[0]) > columns:
            yield f"The QR code of {link} needs {len(code[0])} columns; here are {columns}."
            continue
        width = min(max(len(link), len(code[0])), columns)
        if sum(each.width + _GAP for each in row) + width > columns:
            yield from _side_by_side(row)
            row = []
        row.append(_LinkWithCode(link, code, width))
    yield from _side_by_side(row)


@dataclass(frozen=True, slots=True)
class _LinkWithCode:
    link: str
    code: list[str]
    width: int
    """Columns of both; a longer link stands alone above its code, and the terminal wraps it."""

    def lines(self, number: int) -> list[str]:
        """Return `number` lines of the same width."""
        gap = (self.width - len(self.code[0])) // 2
        rest = " " * (self.width - gap - len(self.code[0]))
        coloured = [" " * gap + dark_on_light(line) + rest for line in self.code]
        empty = [" " * self.width] * (number - len(self.code) - 1)
        return [self.link.center(self.width), *coloured, *empty]


def _side_by_side(codes: Sequence[_LinkWithCode]) -> Iterator[str]:
    number = max((len(each.code) + 1 for each in codes), default=0)
    for parts in zip(*(each.lines(number) for each in codes), strict=True):
        yield (" " * _GAP).join(parts).rstrip()
