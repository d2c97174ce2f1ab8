"""Announcement of a server on the local network by DNS-SD, so that clients find its address.

It uses multicast DNS over IPv4, which every local network has; the announced addresses may be IPv4
and IPv6. Where multicast isn't possible, as in many containers, the server isn't announced, which
is no error.
"""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from zeroconf import Error, InterfaceChoice
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from boxroom_engine.room.text import clean
from boxroom_engine.wire.announcement import SERVICE_TYPE, properties
from boxroom_server.tasks import Tasks

logger = logging.getLogger(__name__)

WITHDRAW_S = 1.0
"""Time limit for withdrawing the announcement when the server stops."""

_MOST_NAME_BYTES = 56
"""A DNS label has 63 (RFC 1035, section 2.3.4); the rest is for a suffix like -2."""


@asynccontextmanager
async def announced(
    port: int,
    *,
    name: str,
    version: str,
    addresses: Sequence[str],
    interfaces: Sequence[str] | None = None,
    report: Callable[[str], None] = logger.info,
) -> AsyncIterator[None]:
    """Announce the server at `port` of `addresses` while the context lasts.

    Entering doesn't wait for the announcement: querying the network for another server with that
    name takes a second; if there is one, this one becomes NAME-2. `report` is called with a
    sentence when the server has been announced, or can't be. `interfaces` are this machine's
    addresses on the networks to announce to (default: all networks).
    """
    service = AsyncServiceInfo(
        SERVICE_TYPE,
        f"{_label(name)}.{SERVICE_TYPE}",
        port,
        properties=properties(version),
        # Not the machine's own name, which its mDNS responder owns: our goodbye would withdraw
        # it, and announcing it with different addresses would be a conflict.
        server=f"boxroom-{secrets.token_hex(4)}.local.",
        parsed_addresses=list(addresses),
    )
    tasks = Tasks()
    tasks.start(_announce(service, interfaces, report))
    try:
        yield
    finally:
        await tasks.cancel()


async def _announce(
    service: AsyncServiceInfo, interfaces: Sequence[str] | None, report: Callable[[str], None]
) -> None:
    """Announce `service` until cancelled."""
    try:
        zeroconf = AsyncZeroconf(InterfaceChoice.All if interfaces is None else list(interfaces))
    except RuntimeError:  # of the library, with a text for programmers
        report(_not_announced("there is no IPv4 network here"))
        return
    except OSError as error:
        report(_not_announced(_reason(error)))
        return
    try:
        announcing = await zeroconf.async_register_service(service, allow_name_change=True)
        report(f"Announced on the local network as {service.get_name()}: boxroom join finds it.")
        await announcing
        await asyncio.get_running_loop().create_future()
    except (OSError, Error) as error:
        report(_not_announced(_reason(error)))
    finally:
        await _withdraw(zeroconf)


async def _withdraw(zeroconf: AsyncZeroconf) -> None:
    try:
        # Not asyncio.timeout: see CONTRIBUTING.md on code that runs in a cancelled task.
        await asyncio.wait_for(zeroconf.async_close(), WITHDRAW_S)
    except (TimeoutError, OSError, Error) as error:
        logger.warning("the announcement may outlive the server: %r", error)


def _not_announced(reason: str) -> str:
    return f"Not announced on the local network: {reason}."


def _reason(error: OSError | Error) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or repr(error)


def _label(name: str) -> str:
    """Return `name` as one DNS label, without dots."""
    text = clean(name.replace(".", " ")).encode()[:_MOST_NAME_BYTES].decode(errors="ignore")
    return text.strip() or "Boxroom"
