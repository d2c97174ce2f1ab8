"""The lines of `boxroom serve` for people: how others join, with links and their QR codes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import ip_address

from boxroom_common.qr_codes import dark_on_light, qr_lines
from boxroom_engine.wire.links import PageUrl
from boxroom_engine.wire.origins import as_host
from boxroom_engine.wire.ports import DEFAULT_PORT, TLS_PORT
from boxroom_server.net.addresses import lan_addresses
from boxroom_server.options import Options

ALL_ADDRESSES = ("", "0.0.0.0", "::")
"""Values of `--host` with which a server listens on all addresses."""

LAST_LINE = "Ctrl-C stops the server."

_GAP = 2
"""Columns between two codes side by side."""


def how_to_join(port: int, options: Options, *, qr_columns: int | None = None) -> Iterator[str]:
    """Yield lines with the port, the exact commands to join, and links for browsers.

    `qr_columns` is the width of the terminal; None: no QR codes, as for programs.
    """
    yield f"Boxroom listens on port {port}. Others join with:"
    yield from _commands(port, options)
    links = page_links(port, options)
    if links:
        yield "In a browser, with nothing to install, they open:"
        yield from (f"  {link}" for link in links)
    elif options.tls_cert and not options.no_web:
        yield "In a browser: https:// and a name in the certificate; --public-url shows it here."
    if qr_columns is not None:
        yield from qr_codes(links_for_phones(links), qr_columns)
    yield LAST_LINE


def _commands(port: int, options: Options) -> Iterator[str]:
    scheme = "wss://" if options.tls_cert else ""
    shown = "" if port == (TLS_PORT if options.tls_cert else DEFAULT_PORT) else f":{port}"
    for address in _addresses(options.host):
        yield f"  boxroom join {scheme}{as_host(address)}{shown}"
    if options.tls_cert:
        yield "or by another name in the certificate."


def _addresses(host: str) -> list[str]:
    return [*lan_addresses(), "localhost"] if host in ALL_ADDRESSES else [host]


def page_links(port: int, options: Options) -> list[PageUrl]:
    """Return the links to the page, at each address; none if they aren't known or there is none.

    With TLS the name in a link has to be one in the certificate, which the operator knows.
    """
    if options.no_web:
        return []
    public = options.public_page()
    if public is not None:
        return [public]
    if options.tls_cert:
        return []
    return [PageUrl(host.lower(), port) for host in _addresses(options.host)]


def links_for_phones(links: Sequence[PageUrl]) -> list[PageUrl]:
    """Return the links that lead other devices here, those with IPv6 only if there is no IPv4."""
    away = [link for link in links if not _is_loopback(link.host)]
    return [link for link in away if ":" not in link.host] or away


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


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
