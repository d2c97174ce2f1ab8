"""Discovery of a server on this machine, which works without an announcement, too."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from boxroom_client.servers.address import Address
from boxroom_client.servers.discovery import FoundServer
from boxroom_client.servers.reachability import IPInterface, is_own, lan_hosts
from boxroom_common.phrases import say
from boxroom_engine.wire.messages import PROTOCOL
from boxroom_engine.wire.urls import is_loopback

LOCALHOST = Address("localhost")

_END = b"\r\n\r\n"


async def local_server(address: Address = LOCALHOST, *, limit_s: float = 1.0) -> FoundServer | None:
    """Return the Boxroom server at `address` if one answers within `limit_s` seconds, else None.

    Its health check doesn't give its protocol; this function assumes the one of this program.
    """
    try:
        async with asyncio.timeout(limit_s):
            head = await _head_of_health_check(address)
    except (OSError, EOFError, asyncio.LimitOverrunError):  # TimeoutError is an OSError
        return None
    status, *fields = head.lower().split(b"\r\n")
    is_well = status.startswith(b"http/1.1 200 ")
    if not is_well or not any(field.startswith(b"server: boxroom/") for field in fields):
        return None  # another program may listen on this port
    return FoundServer(say("terminal.servers.here"), address, PROTOCOL)


async def _head_of_health_check(address: Address) -> bytes:
    reader, writer = await asyncio.open_connection(address.host, address.port)
    try:
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost" + _END)
        return await reader.readuntil(_END)
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


async def guests_address(address: Address, *, limit_s: float = 0.5) -> Address:
    """Return the address by which other machines reach the server at `address`.

    For a server on this machine, it is the one on its local network at which a server answers; if
    none does, `address` itself. With TLS it stays: its name has to be the one in the certificate.
    """
    if address.secure or not is_loopback(address.host):
        return address
    for host in lan_hosts():
        elsewhere = replace(address, host=host)
        if await local_server(elsewhere, limit_s=limit_s) is not None:
            return elsewhere
    return address


def with_local_server(
    servers: Sequence[FoundServer], here: FoundServer | None, own: Sequence[IPInterface]
) -> tuple[FoundServer, ...]:
    """Return `here` and then `servers`, without the one among them that is the same server.

    `here` takes over its announced name, but keeps its own address, by which the client stores
    identities and rooms. `own` are the interfaces of this machine.
    """
    if here is None:
        return tuple(servers)
    others = []
    for server in servers:
        if server.address.port == here.address.port and is_own(server.address.host, own):
            here = replace(here, name=server.name, protocol=server.protocol)
        else:
            others.append(server)
    return (here, *others)
