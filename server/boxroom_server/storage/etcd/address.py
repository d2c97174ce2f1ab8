"""Addresses of etcd clusters, as in `--store etcd://user:password@one:2379,two:2379/prefix`."""

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

DEFAULT_PORT = 2379
"""Port on which etcd serves clients."""

DEFAULT_PREFIX = "boxroom"
"""First part of all keys, if the address names none."""

SCHEMES = {"etcd": False, "etcds": True}
"""Schemes of addresses, and whether each stands for TLS."""


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """Files in PEM format for TLS to etcd."""

    ca: Path | None = None
    """Certificate authorities; None for those of the system."""
    cert: Path | None = None
    """Certificate of this client; None if etcd asks for none."""
    key: Path | None = None
    """Key of that certificate."""


@dataclass(frozen=True, slots=True)
class EtcdAddress:
    """The endpoints of one etcd cluster, and the way in."""

    endpoints: tuple[str, ...]
    """`host:port` of each member."""
    prefix: str = DEFAULT_PREFIX
    """First part of all keys: several Boxrooms can share an etcd."""
    user: str = ""
    password: str = field(default="", repr=False)
    tls: TlsFiles | None = None
    """None without TLS."""

    def __str__(self) -> str:
        """Return the address for people, without the password."""
        return f"etcd at {', '.join(self.endpoints)}"


def parse_address(text: str, tls: TlsFiles | None = None) -> EtcdAddress:
    """Return the address that `text` denotes, which uses `tls` if the scheme is `etcds`.

    Raises:
        ValueError: it is malformed; the sentence says how.
    """
    scheme, separator, rest = text.partition("://")
    if not separator or scheme not in SCHEMES:
        raise ValueError("an etcd cluster is etcd://HOST:PORT,HOST:PORT,…, or etcds:// with TLS")
    login, _, place = rest.rpartition("@")
    hosts, _, prefix = place.partition("/")
    user, _, password = login.partition(":")
    endpoints = tuple(_endpoint(host.strip()) for host in hosts.split(","))
    prefix = prefix.strip("/") or DEFAULT_PREFIX
    return EtcdAddress(
        endpoints,
        prefix,
        unquote(user),
        unquote(password),
        (tls or TlsFiles()) if SCHEMES[scheme] else None,
    )


def _endpoint(text: str) -> str:
    host, separator, port = text.rpartition(":")
    if not separator or text.endswith("]"):  # of an IPv6 address
        host, port = text, str(DEFAULT_PORT)
    if not host or not port.isascii() or not port.isdigit() or not 0 < int(port) < 2**16:
        shown = repr(host) if host and ":" not in host else "it"  # the rest may be a password
        raise ValueError(f"{shown} has no valid port: an etcd server is HOST or HOST:PORT")
    return f"{host}:{port}"
