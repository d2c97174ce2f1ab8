"""Opening of a WebSocket through the proxy that the environment names, or directly.

The variables are those that most programs read, such as `https_proxy` and `NO_PROXY`; they are
described in docs/reference/configuration.md. Addresses of this machine and link-local ones need no
proxy.
"""

import asyncio
import errno
import ipaddress
import os
import re
import ssl
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.request import getproxies

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, InvalidProxy, InvalidProxyStatus, ProxyError
from websockets.proxy import parse_proxy

from boxroom_client.link.errors import Unreachable
from boxroom_client.servers.address import Address
from boxroom_common.phrases import say
from boxroom_engine.room.text import clean
from boxroom_engine.wire.origins import as_host
from boxroom_engine.wire.urls import ip_address_of, is_link_local, is_loopback

_KINDS = {
    True: ("wss", "socks", "https", "all"),
    False: ("ws", "socks", "https", "http", "all"),
}
"""Variables without `_proxy`, the first that is set counts; with TLS (True) and without.

A proxy for HTTPS comes before one for HTTP, as RFC 6455 recommends in section 4.1.
"""

_NEXT_ADDRESS_S = 0.25
"""Time until the next address of a name is tried as well; it is what RFC 8305 recommends."""


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy; `str` shows it without user and password, but with the variable that names it."""

    url: str = field(repr=False)
    shown: str
    source: str

    @classmethod
    def parse(cls, text: str, kind: str) -> Self:
        """Parse the value of the variable `kind`; it may lack `http://`.

        Raises:
            Unreachable: it isn't the URL of a proxy. The text isn't shown: it may have a password.
        """
        source = _source(kind)
        url = text if "://" in text else f"http://{text}"
        if kind == "socks":  # as the settings of macOS have it
            url = re.sub(r"^http://", "socks5h://", url)
        try:
            parsed = parse_proxy(url)
        except InvalidProxy as error:
            why = say("terminal.proxy.bad_url", source=source, error=error.msg)
            raise Unreachable(why) from error
        except ValueError as error:
            example = "http://proxy.example.org:3128"
            why = say("terminal.proxy.no_url", source=source, example=example)
            raise Unreachable(why) from error
        return cls(url, f"{parsed.scheme}://{as_host(parsed.host)}:{parsed.port}", source)

    def __str__(self) -> str:
        return say("terminal.proxy.named", url=self.shown, source=self.source)


def _source(kind: str) -> str:
    """Return the variable that names the proxies of a `kind`, as it is written."""
    names = (f"{kind}_proxy", f"{kind}_proxy".upper())
    written = (name for name in os.environ if name.lower() == names[0])
    chosen = next((name for name in (*names, *written) if os.environ.get(name)), None)
    return chosen or say("terminal.proxy.this_system")


def proxy_for(address: Address) -> Proxy | None:
    """Return the proxy on the way to `address`; None if that is reached directly.

    Raises:
        Unreachable: what the environment names isn't the URL of a proxy.
    """
    host = address.host
    if is_loopback(host) or is_link_local(host):
        return None
    named = getproxies()
    if is_exempt(host, address.port, named.get("no", "")):
        return None
    for kind in _KINDS[address.secure]:
        if text := named.get(kind, "").strip():
            return Proxy.parse(text, kind)
    return None


def is_exempt(host: str, port: int, no_proxy: str) -> bool:
    """Whether the list `no_proxy`, with commas or spaces, has `host`.

    Its entries are `*` for all hosts; names, which stand for their subdomains as well, also with
    `.` or `*.` in front; IP addresses; and networks, such as `10.0.0.0/8`. Names and addresses
    may have a port behind a colon.
    """
    entries = re.split(r"[,\s]+", no_proxy.lower())
    return any(_matches(entry, host.lower().rstrip("."), port) for entry in entries if entry)


def _matches(entry: str, host: str, port: int) -> bool:
    if entry == "*":
        return True
    try:
        network = ipaddress.ip_network(entry.strip("[]"), strict=False)
    except ValueError:
        pass
    else:
        ip = ip_address_of(host)
        return ip is not None and ip in network
    name, colon, wanted_port = entry.rpartition(":")
    if colon:
        return wanted_port == str(port) and _matches(name, host, port)
    name = entry.removeprefix("*").strip(".")
    return host == name or host.endswith(f".{name}")


def by_proxy(address: Address) -> str:
    """Return the end of a sentence about `address`: its proxy, or nothing.

    Raises:
        Unreachable: see `proxy_for`.
    """
    proxy = proxy_for(address)
    return (
        "" if proxy is None else say("terminal.proxy.through", url=proxy.shown, source=proxy.source)
    )


async def open_socket(address: Address, **options: Any) -> ClientConnection:
    """Open a WebSocket to `address`; `options` are those of `connect` of websockets.

    Raises:
        Unreachable: it fails on the way to a proxy, or at that.
        OSError, EOFError, InvalidHandshake, InvalidURI: it fails at the server.
    """
    proxy = proxy_for(address)
    if isinstance(asyncio.get_running_loop(), asyncio.BaseEventLoop):  # uvloop can't
        options["happy_eyeballs_delay"] = _NEXT_ADDRESS_S
    if proxy is None:
        return await connect(address.url, proxy=None, **options)
    is_through = False

    def create_connection(*args: Any, **kwargs: Any) -> ClientConnection:
        """Note that the proxy has made its connection to the server."""
        nonlocal is_through
        is_through = True
        return ClientConnection(*args, **kwargs)

    options["create_connection"] = create_connection
    try:
        return await connect(address.url, proxy=proxy.url, **options)
    except (OSError, EOFError, InvalidHandshake, ImportError, ValueError) as error:
        if is_through:
            raise
        reason = _failure(error, address)
        raise Unreachable(f"{proxy} {reason}; {say('terminal.proxy.advice')}") from error


def is_refused(error: OSError) -> bool:
    """Whether nothing listens at an address, or at any of the addresses of a name."""
    # When a name has several addresses asyncio makes one error of all, which is no subclass.
    return isinstance(error, ConnectionRefusedError) or f"[Errno {errno.ECONNREFUSED}]" in str(
        error
    )


def _failure(error: Exception, address: Address) -> str:
    """Return the end of a sentence that begins with the proxy."""
    match error:
        case InvalidProxyStatus(response=response):
            return _refusal(response.status_code, clean(response.reason_phrase), address)
        case ProxyError():
            return say("terminal.proxy.fails", error=clean(str(error)))
        case ImportError():
            return say("terminal.proxy.needs_package")
        case ssl.SSLError():
            return say("terminal.proxy.no_tls", error=str(error))
        case OSError() if is_refused(error):
            return say("terminal.proxy.nothing_there")
        case OSError():
            return say("terminal.proxy.unreachable", error=error.strerror or str(error))
        case _:
            return say("terminal.proxy.unreachable", error=str(error))


def _refusal(status: int, phrase: str, address: Address) -> str:
    answer = f"HTTP {status} {phrase}".strip()
    if status == 407:
        return say("terminal.proxy.wants_password", answer=answer)
    if status >= 500:
        return say("terminal.proxy.cannot_reach", address=str(address), answer=answer)
    return say("terminal.proxy.refuses", address=str(address), answer=answer)
